#include "codes/field/matrix.hpp"

#include <algorithm>

#include "codes/text/error.hpp"

namespace xorloom {

Matrix identity(std::size_t size) {
  Matrix result(size, size);
  for (std::size_t i = 0; i < size; ++i) result(i, i) = 1;
  return result;
}

void add_scaled(const Field& field, std::span<Field::Symbol> to, Field::Symbol scale,
                std::span<const Field::Symbol> from) {
  if (scale == 0) return;
  if (scale == 1) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] ^= from[i];
    return;
  }
  for (std::size_t i = 0; i < to.size(); ++i) to[i] ^= field.multiply(scale, from[i]);
}

void scale_row(const Field& field, std::span<Field::Symbol> row, Field::Symbol scale) {
  for (Field::Symbol& symbol : row) symbol = field.multiply(scale, symbol);
}

Matrix multiply(const Field& field, const Matrix& a, const Matrix& b) {
  if (a.columns() != b.rows()) fail(Status::kInternal, "matrix product of shapes that do not fit");
  Matrix result(a.rows(), b.columns());
  for (std::size_t r = 0; r < a.rows(); ++r) {
    for (std::size_t s = 0; s < a.columns(); ++s) {
      add_scaled(field, result.row(r), a(r, s), b.row(s));
    }
  }
  return result;
}

std::optional<Matrix> inverse(const Field& field, const Matrix& matrix) {
  if (matrix.rows() != matrix.columns()) fail(Status::kInternal, "inverse of a matrix not square");
  Matrix left = matrix;
  Matrix right = identity(matrix.rows());
  for (std::size_t c = 0; c < left.columns(); ++c) {
    std::size_t pivot = c;
    while (pivot < left.rows() && left(pivot, c) == 0) ++pivot;
    if (pivot == left.rows()) return std::nullopt;
    std::ranges::swap_ranges(left.row(pivot), left.row(c));
    std::ranges::swap_ranges(right.row(pivot), right.row(c));
    const Field::Symbol scale = field.invert(left(c, c));
    scale_row(field, left.row(c), scale);
    scale_row(field, right.row(c), scale);
    for (std::size_t r = 0; r < left.rows(); ++r) {
      if (r == c) continue;
      const Field::Symbol factor = left(r, c);
      add_scaled(field, left.row(r), factor, left.row(c));
      add_scaled(field, right.row(r), factor, right.row(c));
    }
  }
  return right;
}

std::size_t rank(const Field& field, Matrix matrix) {
  std::size_t found = 0;
  for (std::size_t c = 0; c < matrix.columns() && found < matrix.rows(); ++c) {
    std::size_t pivot = found;
    while (pivot < matrix.rows() && matrix(pivot, c) == 0) ++pivot;
    if (pivot == matrix.rows()) continue;
    std::ranges::swap_ranges(matrix.row(pivot), matrix.row(found));
    const Field::Symbol inverse = field.invert(matrix(found, c));
    for (std::size_t r = found + 1; r < matrix.rows(); ++r) {
      add_scaled(field, matrix.row(r), field.multiply(matrix(r, c), inverse), matrix.row(found));
    }
    ++found;
  }
  return found;
}

}  // namespace xorloom
