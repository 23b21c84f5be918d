#pragma once

#include <cstddef>

#include "equations/ir/core_schedule.hpp"
#include "equations/ir/program.hpp"

namespace xorloom {

// List scheduling: in each step the work with the longest way to go comes first. Deterministic,
// quick and good; not always the shortest there is.

/// A plan for the two-input XORs of a program. Where whole equations do as well, it keeps each on
/// one core, since that moves least.
///
/// Errors: throws kInvalidArgument unless 1 <= cores <= kMaxCores.
/// Cost:   O(X log E) for X XORs in E equations.
CoreSchedule schedule_on_cores(const Program& program, std::size_t cores);

/// The plan with whole equations on one core: an equation of n operands takes n - 1 steps in a row,
/// and begins when all of its operands are there.
///
/// Errors: as schedule_on_cores.
CoreSchedule atomic_schedule_on_cores(const Program& program, std::size_t cores);

/// Steps of the atomic plan.
std::size_t atomic_makespan(const Program& program, std::size_t cores);

}  // namespace xorloom
