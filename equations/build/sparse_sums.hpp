#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"
#include "equations/ir/program.hpp"

namespace xorloom {

// Equations that read the same elements form a group: each of these elements is loaded once for the
// whole group.

/// By group: the numbers of its equations, ascending. Groups are in the order of their first
/// equation.
std::vector<std::vector<std::size_t>> groups_of(const Program& program);

/// Estimate of a core's work per vector of each element: 1 per element of a group that is loaded,
/// per operand that is multiplied and added, and per target that is stored, plus a constant per
/// group.
std::size_t work(const Program& program);

/// Writes a temporary that only one group reads into the equations of that group, if that is no
/// more work. The other equations keep their order.
Program without_short_ones(const Program& program);

/// Reorders the equations group by group; groups of outputs come as soon as their operands are
/// computed. So temporaries live for a short time.
Program in_short_order(const Program& program);

// Programs over the symbols of a code: elements are cells; elements past the cells of the chunks
// are temporaries.

/// A program that computes a map with less work() than the direct equations of its rows.
struct SparseSums {
  Program program;
  std::size_t work = 0;
  std::size_t work_of_rows = 0;
};

/// Returns a program of `map` by the code's own sums, if it takes less work than the rows of the
/// map. The sums are a sparse system of equations. It is solved in blocks (strongly connected
/// components); only blocks that the outputs need are solved.
///
/// Shape: the map is one of the code.
/// Cost:   little more than reading the equations if blocks are small; a matrix inversion per
///         block.
/// Source: A. L. Dulmage and N. S. Mendelsohn, Coverings of bipartite graphs, Canad. J. Math. 10,
///         1958, for the blocks; R. E. Tarjan, Depth-first search and linear graph algorithms, SIAM
///         J. Comput. 1(2), 1972, for finding them.
std::optional<SparseSums> sparse_sums(const Code& code, const LinearMap& map);

/// Returns the program by the code's sums that computes `outputs` from `inputs`, whatever its work,
/// without a map. Inputs that no equation reads are left out. nullopt if the sums do not determine
/// the outputs, or the code has no sums.
std::optional<Program> program_by_sums(const Code& code, const std::vector<Cell>& inputs,
                                       const std::vector<Cell>& outputs);

/// Returns the map of `outputs` from `inputs`, solved by the code's sums: much faster than by the
/// matrix if the sums are sparse. nullopt if the sums do not determine the outputs, or the code has
/// no sums.
std::optional<LinearMap> map_by_sums(const Code& code, const std::vector<Cell>& inputs,
                                     const std::vector<Cell>& outputs);

}  // namespace xorloom
