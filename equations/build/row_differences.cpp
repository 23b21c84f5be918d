#include "equations/build/row_differences.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "codes/field/bitmatrix.hpp"
#include "equations/build/direct_rows.hpp"

namespace xorloom {
namespace {

std::size_t distance(const BitMatrix& matrix, std::size_t a, std::size_t b) {
  int ones = 0;
  for (std::size_t w = 0; w < matrix.row(a).size(); ++w) {
    ones += std::popcount(matrix.row(a)[w] ^ matrix.row(b)[w]);
  }
  return static_cast<std::size_t>(ones);
}

/// For each row the one it is made of, or kNone for zero.
std::vector<std::size_t> spanning_tree(const BitMatrix& matrix, Random* random) {
  struct Edge {
    std::size_t row;
    std::size_t xors;
    std::size_t other = kNone;
    std::uint32_t num_alike = 1;
  };
  std::vector<Edge> open;
  for (std::size_t r = 0; r < matrix.rows(); ++r) {
    const std::size_t ones = matrix.weight(r);
    open.push_back({r, ones - std::min<std::size_t>(ones, 1)});
  }
  std::vector<std::size_t> made_of(matrix.rows());
  while (!open.empty()) {
    const auto next = std::ranges::min_element(open, {}, &Edge::xors);
    const std::size_t row = next->row;
    made_of[row] = next->other;
    open.erase(next);
    for (Edge& edge : open) {
      const std::size_t xors = distance(matrix, edge.row, row);
      if (xors > edge.xors) continue;
      if (xors < edge.xors) {
        edge.num_alike = 1;
      } else if (xors == 0 || random == nullptr || random->below(++edge.num_alike) != 0) {
        continue;
      }
      edge.xors = xors;
      edge.other = row;
    }
  }
  return made_of;
}

}  // namespace

Program row_differences(const Program& program, Random* random) {
  DirectRows rows = direct_rows(program);
  const std::vector<std::size_t> made_of = spanning_tree(rows.matrix, random);
  Program result = without_equations(program);
  result.equations = std::move(rows.others);
  BitMatrix differences = rows.matrix;
  for (std::size_t r = 0; r < rows.targets.size(); ++r) {
    if (made_of[r] != kNone) differences.add_row(r, rows.matrix.row(made_of[r]));
    Equation equation{rows.targets[r], {}};
    equation.operands.reserve(differences.weight(r) + 1);
    if (made_of[r] != kNone) equation.operands.push_back(rows.targets[made_of[r]]);
    for (const std::size_t column : differences.ones(r)) {
      equation.operands.push_back(program.inputs[column]);
    }
    result.equations.push_back(std::move(equation));
  }
  sort_equations(result);
  return result;
}

}  // namespace xorloom
