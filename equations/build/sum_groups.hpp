#pragma once

#include <cstddef>
#include <vector>

#include "equations/ir/program.hpp"

namespace xorloom {

// Equations that read the same elements make a group: who computes them loads each of those once
// for all of the group.

/// The numbers of the equations of each group, ascending; groups by their first equation.
std::vector<std::vector<std::size_t>> groups_of(const Program& program);

/// Estimates of the work of a core per vector of each element: to load an element of a group, to
/// multiply and add an operand, to store a target, and to begin a group.
std::size_t work(const Program& program);

/// Writes temporaries that only one group reads into it, where that is less work. The other
/// equations keep their order.
Program without_short_ones(const Program& program);

/// The same equations, group by group, those of outputs as soon as what they read is there. So
/// temporaries are needed for as short as may be.
Program in_short_order(const Program& program);

}  // namespace xorloom
