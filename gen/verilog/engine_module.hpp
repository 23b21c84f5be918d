#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "codes/code.hpp"
#include "gen/verilog/engine_stages.hpp"

namespace xorloom {

/// How a module is written.
struct EngineForm {
  std::size_t lanes = 1;        ///< the default of the module's parameter
  std::size_t symbol_bits = 1;  ///< bits that lie side by side: w on words, 1 in packets
  /// What the modules of gates are called, without the number of their inputs. Empty: a sum is an
  /// expression, which a synthesiser takes apart as it likes.
  std::string gate{};
};

/// A module that computes a program, one stripe of LANES bits per element a clock.
///
///   in_valid, inN     chunk N, of which elements are read
///   out_valid, outN   chunk N, of which elements are computed, LATENCY clocks later; the others
///                     are 0
///
/// What was written is read back and compared with the program (check_engine_body).
///
/// Errors: throws kInternal if it is not what the program says.
std::string write_engine_module(const std::string& name, const EngineStages& engine,
                                const EngineForm& form);

/// The inside of such a module, from its localparam to its end.
std::string write_engine_body(const EngineStages& engine, const EngineForm& form);

/// The modules of gates for engines whose sums are gates: one for each number of inputs that a sum
/// has. No synthesiser looks into them, so that each stays a lookup table of its own.
std::string write_gates(std::span<const EngineStages> engines, const EngineForm& form);

/// Locations of which a program reads elements, ascending, or computes elements.
std::vector<std::size_t> locations_of(const Program& program, const std::vector<Element>& elements);

}  // namespace xorloom
