#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
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

/// A program cut into parts, which are programs of their own and hand values over to each other.
///
/// What a part computes for others is an output of it, and an input of those. Where it is no output
/// of the whole program it is a cell of a location past those of the program, `per_location` of
/// them to a location, from row 0 on:
///
///     locations of the program | handed over: 0 … per_location-1 | per_location … | …
struct ProgramParts {
  struct Part {
    std::size_t core;
    Program program;
  };
  std::vector<Part> parts;  ///< each after those it reads
  /// (earlier, later): part `later` reads what part `earlier` computes. Sorted, distinct.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  std::size_t handed_over = 0;   ///< values with a place of their own
  std::size_t per_location = 1;  ///< of these
};

/// What each core computes until it needs a value of another core, then what it computes until it
/// needs one that was made after that, and so on.
///
///     core 0   A = 0+1   B = A+2 | E = B+D        | begins a part that reads another core
///     core 1   C = 3+4   D = C+5 | F = D+B
///
/// Shape:  the program has no virtual elements; per_location is at most its rows.
/// Errors: throws kInternal if the parts do not compute the program.
ProgramParts parts_on_cores(const SpreadProgram& spread, std::size_t per_location);

/// The same of the two-input XORs of a plan, which is one of the program: see check_core_schedule.
ProgramParts parts_on_cores(const Program& program, const CoreSchedule& plan,
                            std::size_t per_location);

/// Throws kInternal unless the parts, one after the other, compute the program.
void prove_parts(const ProgramParts& parts, const Program& program);

}  // namespace xorloom
