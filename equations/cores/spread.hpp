#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "equations/ir/core_schedule.hpp"
#include "equations/ir/program.hpp"

namespace xorloom {

/// What a core of a real machine takes for what a plan asks of it, in two-input XORs.
struct CorePrices {
  double load = 0.5;      ///< of an input, once per core that reads it
  double hand_over = 40;  ///< of a value that another core reads: on either side
};

/// A program with a core for each of its equations.
struct SpreadProgram {
  Program program;
  std::vector<std::size_t> core_of;  ///< by equation
};

/// What is to be least: until the last output is there, or of the core that has most to do, which
/// is what counts where many tiles follow each other.
enum class SpreadGoal { kLatency, kThroughput };

/// That, in two-input XORs.
double price_of(const SpreadProgram& spread, std::size_t cores, const CorePrices& prices,
                SpreadGoal goal);

/// A program that computes the same, spread over cores so that it is cheap. Compared are: the
/// program by list scheduling, its equations in contiguous groups, and its outputs in groups, each
/// of which one core computes alone. Such a group takes what it needs of the program, and so may
/// compute again what another core computes; or it is shared anew by itself. For the least latency,
/// the outputs of a chunk stay in one group if it grows by a quarter at most.
///
/// Shape:  cores is 1 to kMaxCores. `share` makes equations iterative; null: no sharing anew.
/// Cost:   O(operands · outputs), and that of `share` for each core.
SpreadProgram spread_over_cores(const Program& program, std::size_t cores, const CorePrices& prices,
                                SpreadGoal goal,
                                const std::function<Program(const Program&)>& share);

/// For each piece of work its group: contiguous groups, at most that many, of which the one with
/// the most work has as little as such groups allow.
///
/// Shape: at least one group.
std::vector<std::size_t> contiguous_groups(const std::vector<std::size_t>& work,
                                           std::size_t groups);

/// When each core computes what: whole equations in their order, each as soon as its operands are
/// there.
///
/// Shape: an XOR program.
CoreSchedule schedule_of(const SpreadProgram& spread, std::size_t cores);

}  // namespace xorloom
