#pragma once

#include <cstddef>
#include <vector>

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

/// Gives each of some XORs, which make up a step of a plan, a core of its own: the home of one of
/// its operands if that core is still free, else any. `home` is by element the core that computed
/// it, or kNone, and learns of the targets.
void place_step(const std::vector<CoreStep>& xors_of_step, std::vector<std::size_t>& home,
                CoreSchedule& plan);

/// Steps of the atomic plan.
std::size_t atomic_makespan(const Program& program, std::size_t cores);

}  // namespace xorloom
