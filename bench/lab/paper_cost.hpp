#pragma once

#include <cstddef>

namespace xorloom {

// Cost of coding by the formulas of the paper this project comes from. The unit is the time of one
// XOR; the cost is that of one bit, or one word that is combined at once, of every redundant chunk.
// docs/report.md says where the paper's formulas, text and figure disagree.
//
// Source: the paper on erasure-tolerant coding in systems on chips whose worked example is (5,2,3),
//         section 4.

/// The parameters that the paper fixes.
struct PaperModel {
  double factor = 2.5;              ///< F, which the paper takes to be from 2 to 3
  double classical_factor = 2.3;    ///< classical Reed–Solomon over the optimum
  std::size_t symbol_bits = 8;      ///< w
  double slower_clock = 18;         ///< T: 2.2 GHz of a processor over 124 MHz of an FPGA
  std::size_t multiplier_side = 8;  ///< 8 x 8 multipliers fit the FPGA
};

/// The least that one core needs for a code that survives any m losses: (k-1)·m.
double optimal_cost(std::size_t k, std::size_t m);

/// The cost of Cauchy Reed–Solomon on one core: (F·k - 1)·m.
double cauchy_cost(std::size_t k, std::size_t m, const PaperModel& model = {});

/// The cost of classical Reed–Solomon on one core, 2.3 times the optimum.
double classical_cost(std::size_t k, std::size_t m, const PaperModel& model = {});

/// Cauchy Reed–Solomon on `cores` cores, of which m·w find an equation, with an efficiency: that of
/// one core over min(cores, m·w) times the efficiency. Equation 1 of the paper.
double cauchy_cost_on_cores(std::size_t k, std::size_t m, std::size_t cores, double efficiency,
                            const PaperModel& model = {});

/// Classical Reed–Solomon on an array of multipliers: ⌈k/8⌉·⌈m/8⌉·T for the products, and what adds
/// up the parts of rows that are wider than the array, (⌈k/8⌉ - 1)·m.
double fpga_cost(std::size_t k, std::size_t m, const PaperModel& model = {});

/// Clocks per word that an array of rows x columns multipliers takes to compute m elements from k:
/// ⌈k/columns⌉·⌈m/rows⌉.
std::size_t array_clocks(std::size_t k, std::size_t m, std::size_t rows, std::size_t columns);

/// fpga_cost() for the coprocessor that `xorloom emit` writes. It adds parts of rows up where they
/// are, so the second term is gone and ⌈k/8⌉·⌈m/8⌉·T is left.
double measured_fpga_cost(std::size_t k, std::size_t m, const PaperModel& model = {});

/// Efficiencies as the paper prints them, of its worked example on 6 cores.
inline constexpr double kDirectEfficiency = 0.93;
inline constexpr double kIterativeEfficiency = 1.07;

}  // namespace xorloom
