#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "codes/field/bitmatrix.hpp"
#include "codes/field/matrix.hpp"
#include "equations/ir/program.hpp"

namespace xorloom {

// Sums as operands sorted by element, none twice and none with coefficient 0.

/// Adds a multiple of one sum to another. Operands that cancel disappear.
void add_scaled(const Field& field, std::vector<Operand>& sum, Field::Symbol scale,
                const std::vector<Operand>& operands);

/// Adds one operand.
void add(std::vector<Operand>& sum, const Operand& operand);

/// The coefficient of an element in a sum, 0 if it is not there.
Field::Symbol coefficient_of(const std::vector<Operand>& sum, Element element);

/// Brings operands of any order into such a sum: equal elements add up.
std::vector<Operand> sum_of(std::vector<Operand> operands);

/// A row of a Matrix or a BitMatrix as a sum of elements, one a column. Shape: elements in any
/// order.
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

/// What the elements of a program are called in another one that its equations are written into, by
/// element. kUnnamed: it gets a name when an equation computes it.
using ElementNames = std::vector<Element>;
inline constexpr auto kUnnamed = static_cast<Element>(-1);

/// The names of `num_elements`, of which the first `num_kept` keep their own and others have none.
ElementNames own_names(std::size_t num_elements, std::size_t num_kept);

/// Calls each of some elements what stands in its place among `new_names`.
void give(ElementNames& names, const std::vector<Element>& elements,
          const std::vector<Element>& new_names);

/// An equation in new names, its operands sorted. What is unnamed gets the name `next`, which goes
/// up by one.
Equation renamed(Equation equation, ElementNames& names, Element& next);

}  // namespace xorloom
