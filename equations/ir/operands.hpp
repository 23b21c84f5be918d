#pragma once

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

/// A row of a matrix as a sum of elements, one a column. Shape: elements in any order.
std::vector<Operand> operands_of(const BitMatrix& matrix, std::size_t row,
                                 const std::vector<Element>& elements);
std::vector<Operand> operands_of(const Matrix& matrix, std::size_t row,
                                 const std::vector<Element>& elements);

}  // namespace xorloom
