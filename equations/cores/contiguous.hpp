#pragma once

#include <cstddef>
#include <vector>

#include "equations/ir/program.hpp"

namespace xorloom {

/// The work of an equation, at least 1: XORs, or multiplications over a larger field.
std::size_t work_of(const Program& program, const Equation& equation);

/// For each piece of work its group: contiguous groups, at most that many, of which the one with
/// the most work has as little as such groups allow.
///
/// Shape: at least one group.
std::vector<std::size_t> contiguous_groups(const std::vector<std::size_t>& work,
                                           std::size_t groups);

}  // namespace xorloom
