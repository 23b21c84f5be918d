#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "codes/field/bitmatrix.hpp"
#include "codes/field/matrix.hpp"
#include "equations/ir/program.hpp"

namespace xorloom {

// Sums: operands sorted by element, no element twice, no coefficient 0.

/// Adds a multiple of one sum to another. Operands that cancel disappear.
void add_scaled(const Field& field, std::vector<Operand>& sum, Field::Symbol scale,
                const std::vector<Operand>& operands);

/// Adds one operand.
void add(std::vector<Operand>& sum, const Operand& operand);

/// The coefficient of an element in a sum, 0 if it is not there.
Field::Symbol coefficient_of(const std::vector<Operand>& sum, Element element);

/// Makes a sum of operands in any order: coefficients of equal elements are added.
std::vector<Operand> sum_of(std::vector<Operand> operands);

/// Row `row` of a Matrix or a BitMatrix as a sum of elements. Shape: elements[c] for column c, in
/// any order.
template <typename AnyMatrix>
std::vector<Operand> operands_of(const AnyMatrix& matrix, std::size_t row,
                                 const std::vector<Element>& elements) {
  std::vector<Operand> operands;
  for_each_nonzero(matrix, row, [&](std::size_t column, Field::Symbol coefficient) {
    operands.emplace_back(elements[column], coefficient);
  });
  std::ranges::sort(operands);
  return operands;
}

/// By element of a program: its name in another program that takes the equations. kUnnamed: the
/// element gets a name when an equation computes it.
using ElementNames = std::vector<Element>;
inline constexpr auto kUnnamed = static_cast<Element>(-1);

/// Names of `num_elements` elements: the first `num_kept` keep their own, the others are kUnnamed.
ElementNames own_names(std::size_t num_elements, std::size_t num_kept);

/// Gives elements[i] the name new_names[i].
void give(ElementNames& names, const std::vector<Element>& elements,
          const std::vector<Element>& new_names);

/// Returns `equation` in new names, its operands sorted. An unnamed element is named `next`, which
/// is then incremented.
Equation renamed(Equation equation, ElementNames& names, Element& next);

}  // namespace xorloom
