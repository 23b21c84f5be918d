#pragma once

#include <cstddef>

#include "equations/ir/program.hpp"
#include "gen/vector/instruction_schedule.hpp"
#include "runtime/engine/plan_options.hpp"
#include "runtime/wisdom/wisdom.hpp"

namespace xorloom {

/// Equations for the machine code of a machine and the order that it computes them in, as the
/// effort has it. Direct equations are cut into bands and windows (runtime/plans/cuts.hpp). Where
/// that saves work they are computed in two stages first:
///
///     what is left, redundancy -> syndromes -> what is lost
///
/// Syndromes are few, and in each the data left stand with the few ones that they have where the
/// code encodes. In the inverse matrix of what is lost they have more.
///
/// Shape:  direct equations without places (without_places), of chunks of so many rows.
/// Errors: as optimize. Throws kInternal if the result is not proved.
/// Cost:   effort fast some 3 µs per XOR; quick tens of milliseconds, normal seconds.
WisdomEntry machine_program(const Program& direct, std::size_t rows, const VectorMachine& machine,
                            const PlanOptions& options);

}  // namespace xorloom
