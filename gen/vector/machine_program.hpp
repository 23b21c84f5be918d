#pragma once

#include <cstddef>

#include "equations/ir/program.hpp"
#include "gen/vector/budget.hpp"
#include "gen/vector/machine_facts.hpp"

namespace xorloom {

/// A program for kernels, and one for machine code in the order that it is computed in. Both are
/// without places (without_places).
struct OrderedProgram {
  Program equations;
  Program ordered;
  Effort effort = Effort::kFast;  ///< that was spent on them
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
/// Shape:  direct equations without places (without_places), of chunks of so many rows.
/// Errors: as optimize. Throws kInternal if the order of a stage is not proved.
/// Cost:   effort fast some 3 µs per XOR; quick tens of milliseconds, normal seconds.
OrderedProgram machine_program(const Program& direct, std::size_t rows, const MachineFacts& machine,
                               const Budget& budget);

}  // namespace xorloom
