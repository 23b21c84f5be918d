#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "codes/field/field.hpp"

namespace xorloom {

/// A dense matrix of field symbols, row by row. Operations take the field, which it does not store.
class Matrix {
 public:
  Matrix() = default;
  Matrix(std::size_t rows, std::size_t columns)
      : rows_(rows), columns_(columns), symbols_(rows * columns) {}

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }

  Field::Symbol& operator()(std::size_t row, std::size_t column) {
    return symbols_[row * columns_ + column];
  }
  Field::Symbol operator()(std::size_t row, std::size_t column) const {
    return symbols_[row * columns_ + column];
  }
  std::span<Field::Symbol> row(std::size_t row) {
    return {symbols_.data() + row * columns_, columns_};
  }
  std::span<const Field::Symbol> row(std::size_t row) const {
    return {symbols_.data() + row * columns_, columns_};
  }

  friend bool operator==(const Matrix&, const Matrix&) = default;

 private:
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  std::vector<Field::Symbol> symbols_;
};

/// The matrix whose symbol in row r and column c is entry(r, c).
template <typename Entry>
Matrix matrix_of(std::size_t rows, std::size_t columns, const Entry& entry) {
  Matrix result(rows, columns);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) result(r, c) = entry(r, c);
  }
  return result;
}

Matrix identity(std::size_t size);

/// Shape: a is r x s, b is s x c; the result is r x c.
Matrix multiply(const Field& field, const Matrix& a, const Matrix& b);

/// The inverse of a square matrix; nullopt if it is singular. Cost: O(rows^3).
std::optional<Matrix> inverse(const Field& field, const Matrix& matrix);

std::size_t rank(const Field& field, Matrix matrix);

/// Adds scale·from to `to`, symbol by symbol. Shape: both have equally many symbols.
void add_scaled(const Field& field, std::span<Field::Symbol> to, Field::Symbol scale,
                std::span<const Field::Symbol> from);

/// Multiplies every symbol of `row` by `scale`.
void scale_row(const Field& field, std::span<Field::Symbol> row, Field::Symbol scale);

/// Calls use(column, symbol) for each symbol of a row that is not 0.
template <typename Use>
void for_each_nonzero(const Matrix& matrix, std::size_t row, const Use& use) {
  for (std::size_t column = 0; column < matrix.columns(); ++column) {
    if (matrix(row, column) != 0) use(column, matrix(row, column));
  }
}

/// Adds scale times row `from` to row `to`.
inline void add_row(const Field& field, Matrix& matrix, std::size_t to, Field::Symbol scale,
                    std::size_t from) {
  add_scaled(field, matrix.row(to), scale, matrix.row(from));
}

}  // namespace xorloom
