#include "equations/passes/factor_rows.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include "codes/field/bitmatrix.hpp"
#include "codes/field/elimination.hpp"
#include "equations/build/direct_rows.hpp"
#include "equations/build/row_differences.hpp"

namespace xorloom {
namespace {

std::vector<Operand> operands_of(const BitMatrix& matrix, std::size_t row,
                                 const std::vector<Element>& elements) {
  std::vector<Operand> operands;
  operands.reserve(matrix.weight(row));
  for (const std::size_t column : matrix.ones(row)) operands.push_back(elements[column]);
  return operands;
}

}  // namespace

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
      if (matrix.get(r, pivots[i])) factors.outer.flip(r, i);
    }
  }
  return factors;
}

Program factor_rows(const Program& program) {
  DirectRows rows = direct_rows(program);
  const Factors factors = factors_of(rows.matrix);

  // The second stage, whose inputs are the basis: temporaries, or inputs where it is these.
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

}  // namespace xorloom
