#pragma once

#include <cstddef>
#include <vector>

#include "equations/cores/timed_walk.hpp"
#include "equations/ir/core_schedule.hpp"
#include "equations/ir/program.hpp"
#include "equations/search/optimize.hpp"

namespace xorloom {

/// A program of two-operand equations and the plan it was made for. Whole equations and two-input
/// XORs are the same here, so its makespan is the atomic one, too.
struct TailoredProgram {
  Program program;
  CoreSchedule plan;
};

/// The least steps of any program with these outputs on that many cores: the XORs of lower_bound
/// must find room, and the row with the most ones must be added up two by two.
std::size_t makespan_bound(const BitMatrix& matrix, std::size_t cores);

/// A program that takes few steps on that many cores, and few XORs among programs with as few
/// steps. Proved, and its plan checked.
///
/// Errors: throws kInvalidArgument unless 1 <= cores <= kMaxCores, and as optimize.
/// Cost:   as optimize, but of normal effort where kMax is asked for, to begin with; then about as
///         much for steps, or with kMax what it is given.
TailoredProgram tailor_to_cores(const Program& program, std::size_t cores,
                                const Search& search = {});

/// The front between steps and XORs: the fewest steps first, then programs of more steps and fewer
/// XORs, down to the fewest XORs found. Proved and checked as above.
std::vector<TailoredProgram> front_on_cores(const Program& program, std::size_t cores,
                                            const Search& search = {});

}  // namespace xorloom
