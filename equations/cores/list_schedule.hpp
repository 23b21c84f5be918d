#pragma once

#include <cstddef>
#include <vector>

#include "equations/ir/core_schedule.hpp"
#include "equations/ir/program.hpp"

namespace xorloom {

// List scheduling: in each step, the work with the longest remaining path comes first.
// Deterministic, quick and good, but not always optimal.

/// A plan for the two-input XORs of a program. Returns the atomic plan if it takes no more steps,
/// since it moves the fewest values between cores.
///
/// Errors: throws kInvalidArgument unless 1 <= cores <= kMaxCores.
/// Cost:   O(X log E) for X XORs in E equations.
CoreSchedule schedule_on_cores(const Program& program, std::size_t cores);

/// The atomic plan, which keeps each equation on one core: n operands take n - 1 steps in a row,
/// which begin when all operands are computed.
///
/// Errors: as schedule_on_cores.
CoreSchedule atomic_schedule_on_cores(const Program& program, std::size_t cores);

/// Adds the XORs of a step to `plan`, each on a core of its own: the home of one of its operands if
/// that core is still free, else any. home[element] is the core that computed it, or kNone; those
/// of the targets are set.
void place_step(const std::vector<CoreStep>& xors_of_step, std::vector<std::size_t>& home,
                CoreSchedule& plan);

/// Steps of the atomic plan.
std::size_t atomic_makespan(const Program& program, std::size_t cores);

}  // namespace xorloom
