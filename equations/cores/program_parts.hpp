#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "equations/cores/spread.hpp"
#include "equations/ir/core_schedule.hpp"
#include "equations/ir/program.hpp"

namespace xorloom {

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
