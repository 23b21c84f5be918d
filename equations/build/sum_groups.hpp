#pragma once

#include <cstddef>
#include <vector>

#include "codes/code.hpp"

namespace xorloom {

// Sums of the same cells make a group: who computes them reads each of those cells once for all.

/// The numbers of the sums of each group, ascending; groups by their first sum. A term whose factor
/// is 0 counts as none.
std::vector<std::vector<std::size_t>> groups_of(const std::vector<CellSum>& sums);

/// Estimates of the work of a core per vector of each cell: to load a cell of a group, to multiply
/// and add a term, to store a sum, and to begin a group.
std::size_t work(const std::vector<CellSum>& sums);

/// The number of terms of all sums.
std::size_t terms(const std::vector<CellSum>& sums);

/// Writes hidden cells that one group alone reads out in it, where that is less work.
///
/// Shape: each sum reads cells that no sum computes, or that one before it does. What is left of
///        them keeps its order.
std::vector<CellSum> without_short_ones(const Code& code, const std::vector<CellSum>& sums);

/// The same sums, group by group, those of cells that chunks hold as soon as what they read is
/// there: so hidden cells are needed for as short as may be.
///
/// Shape: as above, before and after.
std::vector<CellSum> in_short_order(const Code& code, const std::vector<CellSum>& sums);

}  // namespace xorloom
