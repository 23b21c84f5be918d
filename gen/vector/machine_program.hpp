#pragma once

#include <cstddef>
#include <optional>

#include "equations/ir/program.hpp"
#include "gen/vector/budget.hpp"
#include "gen/vector/machine_facts.hpp"

namespace xorloom {

/// A program for kernels, and the same computation for machine code, in the order that it is
/// computed in.
struct OrderedProgram {
  Program equations;
  std::optional<Program> ordered{};  ///< none: it is made by a greedy search, or not needed
  Effort effort = Effort::kFast;     ///< that was spent on both
  bool is_known = false;             ///< from the store

  /// `ordered`, or null if there is none.
  const Program* order() const { return ordered ? &*ordered : nullptr; }
};

/// Equations for the machine code of a machine and the order that it computes them in, as the
/// effort has it. Direct equations are cut into bands and windows (gen/vector/cuts.hpp). Where
/// that saves work they are computed in two stages first:
///
///     what is left, redundancy -> syndromes -> what is lost
///
/// Syndromes are few. Each adds up the data left by rows of the matrix that encodes, which has
/// fewer ones than the matrix that rebuilds.
///
/// Shape:  direct equations without places (without_places), of chunks of so many rows, as both
///         programs of the answer are. `start`, if not null, are other equations of the same map,
///         which are compared with those of the search.
/// Errors: as optimize. Throws kInternal if the order of a stage is not proved.
/// Cost:   effort fast some 3 µs per XOR; quick tens of milliseconds, normal seconds.
OrderedProgram machine_program(const Program& direct, std::size_t rows, const MachineFacts& machine,
                               const Budget& budget, const Program* start = nullptr);

}  // namespace xorloom
