#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"
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

// Programs over the symbols of a code: elements are its cells, and what is no cell of a chunk is a
// temporary.

/// A program that computes a map with less work than its rows, and that work in the words of
/// sum_groups.hpp.
struct SparseSums {
  Program program;
  std::size_t work = 0;
  std::size_t work_of_rows = 0;
};

/// A program of a map with less work than its rows, if the code's own sums give any. These are
/// equations, of which each block that hangs together is solved at once, for whatever of it the
/// outputs need.
///
/// Shape: the map is one of the code.
/// Cost:  nearly that of reading the equations where blocks are small; an inverted matrix for each.
/// Source: A. L. Dulmage and N. S. Mendelsohn, Coverings of bipartite graphs, Canad. J. Math. 10,
///         1958, for the blocks; R. E. Tarjan, Depth-first search and linear graph algorithms, SIAM
///         J. Comput. 1(2), 1972, for finding them.
std::optional<SparseSums> sparse_sums(const Code& code, const LinearMap& map);

/// The program of such sums for some cells from others, whatever its work: no map is made. Inputs
/// that no equation reads are left out. None if the sums do not determine the cells, or the code
/// has no sums.
std::optional<Program> program_by_sums(const Code& code, const std::vector<Cell>& inputs,
                                       const std::vector<Cell>& outputs);

/// The map of some cells from others, solved by the code's sums in the same way: much faster than
/// from the matrix where these are sparse. None if that does not determine them, or the code has no
/// sums.
std::optional<LinearMap> map_by_sums(const Code& code, const std::vector<Cell>& inputs,
                                     const std::vector<Cell>& outputs);

}  // namespace xorloom
