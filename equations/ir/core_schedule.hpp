#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <vector>

#include "equations/ir/program.hpp"

namespace xorloom {

/// One two-input XOR: on `core`, in time step `step` (both from 0), target = a XOR b.
///
/// The target is a partial sum (numbered from the program's end_of_elements()), or the equation's
/// own target in the equation's last step. Copies and zeros take no step and do not appear.
struct CoreStep {
  std::size_t core;
  std::size_t step;
  Element target;
  std::array<Element, 2> operands;

  friend bool operator==(const CoreStep&, const CoreStep&) = default;
};

/// Which core computes which two-input XOR when. A value is readable from the step after its own.
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

/// The plan as a program of its two-input XORs, with the copies and zeros that it leaves out, in an
/// order where each equation follows those it reads.
///
/// Errors: throws kParse if two equations assign one target or the equations form a cycle.
Program program_of_steps(const Program& program, const CoreSchedule& plan);

/// Maps the target of each step to the target of its equation: a partial sum belongs to the
/// equation it ends up in. Shape: the plan is one of the program.
std::map<Element, Element> equations_of_steps(const Program& program, const CoreSchedule& plan);

/// Adds the two-input XORs of an equation, one after the other on a core from a step on. Partial
/// sums are called `next_partial` and so on. Returns the step after the last XOR.
std::size_t append_sum(CoreSchedule& plan, const Equation& equation, std::size_t core,
                       std::size_t step, Element& next_partial);

/// Brings steps into the order of a plan.
void sort_steps(CoreSchedule& plan);

/// The core that computes the target of each equation of a program. A copy takes no step, and is
/// made where its source is.
std::vector<std::size_t> cores_of_equations(const Program& program, const CoreSchedule& plan);

/// Elements that one core computes and another reads, partial sums included; inputs are not
/// counted.
std::size_t moves(const Program& program, const CoreSchedule& plan);

/// Checks that a plan computes its program: one XOR per core and step, operands ready, and each
/// equation's steps adding up to it. Errors: throws kParse, naming the step.
void check_core_schedule(const Program& program, const CoreSchedule& plan);

}  // namespace xorloom
