#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "equations/ir/core_schedule.hpp"
#include "equations/ir/program.hpp"

namespace xorloom {

/// Costs of a core of a real machine, in units of a two-input XOR.
struct CorePrices {
  double load = 0.5;      ///< loading an input, once per core that reads it
  double hand_over = 40;  ///< handing a value to another core: paid on both sides
};

/// A program with a core for each of its equations.
struct SpreadProgram {
  Program program;
  std::vector<std::size_t> core_of;  ///< by equation
};

/// What to minimise: kLatency, the time until the last output is done; or kThroughput, the work of
/// the busiest core, which decides if many tiles follow each other.
enum class SpreadGoal { kLatency, kThroughput };

/// The value that `goal` minimises, in two-input XORs.
double price_of(const SpreadProgram& spread, std::size_t cores, const CorePrices& prices,
                SpreadGoal goal);

/// Returns an equivalent program, spread over cores at a low price. Compares list scheduling,
/// contiguous groups of equations, and groups of outputs, each computed by one core alone. A group
/// of outputs takes the equations that it needs, and so may repeat work of another core; or `share`
/// shares its sums anew. For the least latency, the outputs of a chunk stay in one group if the
/// largest group grows by a quarter at most.
///
/// Shape:  cores is 1 to kMaxCores. `share` returns an equivalent program with shared sums; null:
///         no sharing anew.
/// Cost:   O(operands · outputs), and that of `share` for each core.
SpreadProgram spread_over_cores(const Program& program, std::size_t cores, const CorePrices& prices,
                                SpreadGoal goal,
                                const std::function<Program(const Program&)>& share);

/// By piece of work: its group. At most `groups` contiguous groups, such that the most work of a
/// group is minimal.
///
/// Shape: work is not empty; groups >= 1.
std::vector<std::size_t> contiguous_groups(const std::vector<std::size_t>& work,
                                           std::size_t groups);

/// The plan of a spread program: whole equations in their order, each as soon as its operands are
/// computed.
///
/// Shape: an XOR program.
CoreSchedule schedule_of(const SpreadProgram& spread, std::size_t cores);

/// A program cut into parts: programs of their own that hand values over to each other.
///
/// A value that a part computes for another is an output of the one and an input of the other.
/// Unless it is an output of the whole program, it is a cell of a location past those of the
/// program. Each such location holds `per_location` values, from row 0 on:
///
///     locations of the program | handed over: 0 … per_location-1 | per_location … | …
struct ProgramParts {
  struct Part {
    std::size_t core;
    Program program;
  };
  std::vector<Part> parts;  ///< each after the parts that it reads
  /// (earlier, later): part `later` reads what part `earlier` computes. Sorted, distinct.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  std::size_t handed_over = 0;   ///< values in added locations
  std::size_t per_location = 1;  ///< handed-over values per added location
};

/// Cuts a program at hand-overs. The first part of a core ends before it needs a value of another
/// core, the next part before it needs a value that depends on a further hand-over, and so on.
///
///     core 0   A = 0+1   B = A+2 | E = B+D        | begins a part that reads another core
///     core 1   C = 3+4   D = C+5 | F = D+B
///
/// Shape:  the program has no virtual elements; per_location is at most its rows.
/// Errors: throws kInternal if the parts do not compute the program.
ProgramParts parts_on_cores(const SpreadProgram& spread, std::size_t per_location);

/// The parts of the two-input XORs of a plan. Shape: check_core_schedule(program, plan) holds.
ProgramParts parts_on_cores(const Program& program, const CoreSchedule& plan,
                            std::size_t per_location);

/// Throws kInternal unless the parts, run in order, compute the program.
void prove_parts(const ProgramParts& parts, const Program& program);

}  // namespace xorloom
