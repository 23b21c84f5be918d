#pragma once

#include <cstddef>
#include <optional>

#include "equations/ir/program.hpp"
#include "gen/vector/budget.hpp"
#include "gen/vector/machine_facts.hpp"

namespace xorloom {

/// A program for kernels, and the same computation for machine code, in the order of execution.
struct OrderedProgram {
  Program equations;
  std::optional<Program> ordered{};  ///< nullopt: made by a greedy search, or not needed
  Effort effort = Effort::kFast;     ///< effort spent on both programs
  bool is_known = false;             ///< true if it comes from the store

  /// `ordered`, or null if there is none.
  const Program* order() const { return ordered ? &*ordered : nullptr; }
};

/// Finds equations for the machine code of a machine, and the order in which it computes them, with
/// the effort of `budget`. Direct equations are cut into bands and windows (gen/vector/cuts.hpp).
/// If that saves work, they are computed in two stages first:
///
///     what is left, redundancy -> syndromes -> what is lost
///
/// Syndromes are few. Each is a sum of surviving data by a row of the matrix that encodes, which
/// has fewer ones than the matrix that rebuilds.
///
/// Shape:  direct: direct equations without places (without_places), of chunks of `rows` rows; so
///         are both programs of the result. start: if not null, another program of the same map,
///         which is compared with those of the search.
/// Errors: as optimize. Throws kInternal if the order of a stage is not proved.
/// Cost:   effort fast some 3 µs per XOR; quick tens of milliseconds, normal seconds.
OrderedProgram machine_program(const Program& direct, std::size_t rows, const MachineFacts& machine,
                               const Budget& budget, const Program* start = nullptr);

}  // namespace xorloom
