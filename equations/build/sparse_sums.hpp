#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"
#include "equations/ir/program.hpp"

namespace xorloom {

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

/// The map of some cells from others, solved by the code's sums in the same way: much faster than
/// from the matrix where these are sparse. None if that does not determine them, or the code has no
/// sums.
std::optional<LinearMap> map_by_sums(const Code& code, const std::vector<Cell>& inputs,
                                     const std::vector<Cell>& outputs);

}  // namespace xorloom
