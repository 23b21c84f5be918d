#include "equations/passes/row_forms.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "codes/field/elimination.hpp"
#include "equations/ir/operands.hpp"

namespace xorloom {
namespace {

/// The equations of a program: those that read inputs alone as a matrix over the inputs, and the
/// others.
struct DirectRows {
  std::vector<Element> targets;  ///< by row of the matrix
  BitMatrix matrix;              ///< columns are the program's inputs
  std::vector<Equation> others;
};

DirectRows direct_rows(const Program& program) {
  require_xors(program, "a matrix of direct rows");
  std::vector<std::size_t> column(program.end_of_elements(), kNone);
  for (std::size_t i = 0; i < program.inputs.size(); ++i) column[program.inputs[i]] = i;
  const auto is_direct = [&](const Equation& equation) {
    return std::ranges::all_of(equation.operands,
                               [&](Element operand) { return column[operand] != kNone; });
  };
  const auto num_direct =
      static_cast<std::size_t>(std::ranges::count_if(program.equations, is_direct));
  DirectRows rows{{}, BitMatrix(num_direct, program.inputs.size()), {}};
  for (const Equation& equation : program.equations) {
    if (!is_direct(equation)) {
      rows.others.push_back(equation);
      continue;
    }
    for (const Element operand : equation.operands) {
      rows.matrix.flip(rows.targets.size(), column[operand]);
    }
    rows.targets.push_back(equation.target);
  }
  return rows;
}

/// By row: the row that it is computed from, or kNone for zero.
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

std::size_t distance(const BitMatrix& matrix, std::size_t a, std::size_t b) {
  int ones = 0;
  for (std::size_t w = 0; w < matrix.row(a).size(); ++w) {
    ones += std::popcount(matrix.row(a)[w] ^ matrix.row(b)[w]);
  }
  return static_cast<std::size_t>(ones);
}

Program row_differences(const Program& program, Random* random) {
  DirectRows rows = direct_rows(program);
  const std::vector<std::size_t> made_of = spanning_tree(rows.matrix, random);
  Program result = without_equations(program);
  result.equations = std::move(rows.others);
  BitMatrix differences = rows.matrix;
  for (std::size_t r = 0; r < rows.targets.size(); ++r) {
    if (made_of[r] != kNone) differences.add_row(r, rows.matrix.row(made_of[r]));
    Equation equation{rows.targets[r], operands_of(differences, r, program.inputs)};
    if (made_of[r] != kNone) equation.operands.emplace_back(rows.targets[made_of[r]]);
    result.equations.push_back(std::move(equation));
  }
  sort_equations(result);
  return result;
}

Factors factors_of(const BitMatrix& matrix, bool from_last) {
  BitMatrix reduced = matrix;
  Elimination elimination(gf2(), reduced);
  std::vector<std::size_t> pivots;
  const std::size_t columns = matrix.columns();
  for (std::size_t c = 0; c < columns && pivots.size() < matrix.rows(); ++c) {
    const std::size_t column = from_last ? columns - 1 - c : c;
    if (elimination.solve(column)) pivots.push_back(column);
  }
  Factors factors{BitMatrix(matrix.rows(), pivots.size()),
                  BitMatrix(pivots.size(), matrix.columns())};
  for (std::size_t i = 0; i < pivots.size(); ++i) {
    factors.basis.add_row(i, reduced.row(i));
    for (std::size_t r = 0; r < matrix.rows(); ++r) {
      if (matrix(r, pivots[i])) factors.outer.flip(r, i);
    }
  }
  return factors;
}

Program factor_rows(const Program& program) {
  DirectRows rows = direct_rows(program);
  const Factors factors = factors_of(rows.matrix);

  // The second stage. Its inputs are the basis: temporaries, or inputs of `program` for basis rows
  // of a single one.
  Program outer = without_equations(program);
  outer.inputs.clear();
  outer.outputs = rows.targets;
  std::vector<Equation> equations;
  Element next = program.end_of_elements();
  for (std::size_t i = 0; i < factors.basis.rows(); ++i) {
    std::vector<Operand> operands = operands_of(factors.basis, i, program.inputs);
    if (operands.size() == 1) {
      outer.inputs.push_back(operands.front());
    } else {
      outer.inputs.push_back(next);
      equations.push_back({next++, std::move(operands)});
    }
  }
  for (std::size_t r = 0; r < rows.targets.size(); ++r) {
    outer.equations.push_back({rows.targets[r], operands_of(factors.outer, r, outer.inputs)});
  }
  outer = row_differences(outer);

  Program result = without_equations(program);
  result.equations = std::move(equations);
  for (std::vector<Equation>* stage : {&outer.equations, &rows.others}) {
    std::ranges::move(*stage, std::back_inserter(result.equations));
  }
  sort_equations(result);
  return result;
}

Program reuse_rebuilt(const Code& code, Program program) {
  const bool are_bits = program.is_xor();
  const std::vector<Element> data = are_bits ? elements_of(code, code.data) : code.data;
  const std::vector<Element> redundant =
      are_bits ? elements_of(code, code.redundant) : code.redundant;
  const BitMatrix parity = are_bits ? bitmatrix(code) : BitMatrix();
  std::vector<bool> is_known(program.num_cells(), false);
  for (const Element input : program.inputs) {
    if (input < is_known.size()) is_known[input] = true;
  }
  std::vector<bool> is_data(program.num_cells(), false);
  for (const Element element : data) is_data[element] = true;
  for (const Element output : program.outputs) {
    if (output < is_data.size() && is_data[output]) is_known[output] = true;
  }
  for (Equation& equation : program.equations) {
    const auto found = std::ranges::find(redundant, equation.target);
    if (found == redundant.end()) continue;
    const auto row = static_cast<std::size_t>(found - redundant.begin());
    std::vector<Operand> operands =
        are_bits ? operands_of(parity, row, data) : operands_of(code.parity, row, data);
    if (operands.size() >= equation.operands.size()) continue;
    if (!std::ranges::all_of(operands, [&](Element element) { return is_known[element]; }))
      continue;
    equation.operands = std::move(operands);
  }
  sort_equations(program);
  return program;
}

}  // namespace xorloom
