#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <vector>

#include "equations/ir/program.hpp"

namespace xorloom {

/// One two-input XOR: on `core`, in time step `step` (both from 0), target = a XOR b.
///
/// `target` is a partial sum (numbered from the program's end_of_elements()); in the last step of
/// an equation, it is the equation's target. Copies and zeros take no step.
struct CoreStep {
  std::size_t core;
  std::size_t step;
  Element target;
  std::array<Element, 2> operands;

  friend bool operator==(const CoreStep&, const CoreStep&) = default;
};

/// A schedule of two-input XORs on cores. A value may be read from the step after its own.
struct CoreSchedule {
  std::size_t cores = 1;
  std::vector<CoreStep> steps;  ///< by step, then core

  friend bool operator==(const CoreSchedule&, const CoreSchedule&) = default;
};

inline constexpr std::size_t kMaxCores = 4096;

/// Throws kInvalidArgument unless 1 <= cores <= kMaxCores.
void check_cores(std::size_t cores);

/// Steps until the last XOR is done.
std::size_t makespan(const CoreSchedule& plan);

/// The two-input XORs of `plan` as a program, sorted so that each equation follows those it reads.
/// The copies and zeros of `program` are added.
///
/// Errors: throws kParse if two equations assign one target or the equations form a cycle.
Program program_of_steps(const Program& program, const CoreSchedule& plan);

/// Maps the target of each step to the target of its equation: a partial sum belongs to the
/// equation it ends up in. Shape: the plan is one of the program.
std::map<Element, Element> equations_of_steps(const Program& program, const CoreSchedule& plan);

/// Adds the two-input XORs of `equation`, one after the other, on `core` from `step` on. Partial
/// sums are numbered from `next_partial`, which is advanced. Returns the step after the last XOR.
std::size_t append_sum(CoreSchedule& plan, const Equation& equation, std::size_t core,
                       std::size_t step, Element& next_partial);

/// Sorts the steps by step, then core.
void sort_steps(CoreSchedule& plan);

/// By equation of `program`: the core that computes its target. A copy takes no step, and is on the
/// core of its source; 0 for zeros and copies of inputs.
std::vector<std::size_t> cores_of_equations(const Program& program, const CoreSchedule& plan);

/// Number of elements that one core computes and another reads, partial sums included. Inputs do
/// not count.
std::size_t moves(const Program& program, const CoreSchedule& plan);

/// Checks that `plan` computes `program`: one XOR per core and step, operands ready, and the same
/// outputs. Errors: throws kParse with the step, and kUnsupported if the check is too large.
void check_core_schedule(const Program& program, const CoreSchedule& plan);

}  // namespace xorloom
