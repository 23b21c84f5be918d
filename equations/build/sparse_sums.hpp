#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"

namespace xorloom {

// Linear maps over symbols, cell by cell: a list of sums, each of inputs of the map and of cells that
// stand before it. Cells from code.num_cells() on are hidden: nothing holds them once the sums are done.
// They are those of the code and, behind these, one for each cell of chunks that may be made on the way.

/// What the numbers of cells in sums are below.
std::size_t most_cells(const Code& code);

/// A map's rows: a sum for each output, of its inputs alone.
std::vector<CellSum> rows_of(const LinearMap& map);

/// Sums, and what they and the rows of the map they compute take, in the words of sum_groups.hpp.
struct SparseSums {
  std::vector<CellSum> sums;
  std::size_t work = 0;
  std::size_t work_of_rows = 0;
};

/// Sums that compute a map with less work than its rows, if the code's own sums give any. These are
/// equations, of which each block that hangs together is solved at once, for whatever of it the outputs
/// need.
///
/// Shape: the map is one of the code; every output is computed once, a hidden cell at most once.
/// Cost:  nearly that of reading the equations where blocks are small; an inverted matrix for each.
/// Source: A. L. Dulmage and N. S. Mendelsohn, Coverings of bipartite graphs, Canad. J. Math. 10, 1958,
///         for the blocks; R. E. Tarjan, Depth-first search and linear graph algorithms, SIAM J.
///         Comput. 1(2), 1972, for finding them.
std::optional<SparseSums> sparse_sums(const Code& code, const LinearMap& map);

/// The map of some cells from others, solved by the code's sums in the same way: much faster than from
/// the matrix where these are sparse. None if that does not determine them, or the code has no sums.
std::optional<LinearMap> map_by_sums(const Code& code, const std::vector<Cell>& inputs,
                                     const std::vector<Cell>& outputs);

/// Multiplies sums out and compares them with a map.
///
/// Errors: throws kInternal, naming the cell, where an output differs, is missing or computed twice, where a
///         cell of chunks is computed that is no output, or where a term is neither an input nor stands before its sum.
void prove_sums(const Code& code, const LinearMap& map, const std::vector<CellSum>& sums);

}  // namespace xorloom
