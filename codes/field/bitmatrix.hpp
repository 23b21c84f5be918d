#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codes/field/field.hpp"
#include "codes/field/matrix.hpp"

namespace xorloom {

/// A matrix over GF(2), packed: bit c of a row is bit c % 64 of its word c / 64.
///
/// Bits are LSB-first everywhere: the block of a field symbol e is w x w; bit l of e·2^x is in row
/// l of its column x. Rows are outputs, columns inputs.
class BitMatrix {
 public:
  BitMatrix() = default;
  BitMatrix(std::size_t rows, std::size_t columns);

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }

  bool operator()(std::size_t row, std::size_t column) const {
    return (words_[row * row_words_ + column / 64] >> (column % 64) & 1) != 0;
  }
  void flip(std::size_t row, std::size_t column) {
    words_[row * row_words_ + column / 64] ^= std::uint64_t{1} << (column % 64);
  }

  /// The words of a row; bits past the last column are 0.
  std::span<const std::uint64_t> row(std::size_t row) const {
    return {words_.data() + row * row_words_, row_words_};
  }
  std::span<std::uint64_t> row(std::size_t row) {
    return {words_.data() + row * row_words_, row_words_};
  }

  /// Adds (XORs) `row` to row `to`. `row` is of this matrix or another with equally many columns.
  void add_row(std::size_t to, std::span<const std::uint64_t> row);

  /// Columns of the ones in a row, ascending.
  std::vector<std::size_t> ones(std::size_t row) const;

  /// Number of ones in the matrix, or in a row.
  std::size_t weight() const;
  std::size_t weight(std::size_t row) const;

  friend bool operator==(const BitMatrix&, const BitMatrix&) = default;

 private:
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  std::size_t row_words_ = 0;
  std::vector<std::uint64_t> words_;
};

/// Calls use(column, 1) for each one of a row.
template <typename Use>
void for_each_nonzero(const BitMatrix& matrix, std::size_t row, const Use& use) {
  for (const std::size_t column : matrix.ones(row)) use(column, Field::Symbol{1});
}

/// Adds scale, 0 or 1, times row `from` to row `to`.
inline void add_row(const Field& /*gf2*/, BitMatrix& matrix, std::size_t to, Field::Symbol scale,
                    std::size_t from) {
  if (scale != 0) matrix.add_row(to, matrix.row(from));
}

/// Columns of a slab: how many columns of a wide matrix of `rows` rows to compute at a time, so
/// that a slab has at most 2 MiB and stays in cache. A multiple of 64, from 64 to 4096.
std::size_t columns_of_slab(std::size_t rows);

/// The bitmatrix of a matrix over GF(2^w): each symbol becomes its w x w block.
///
/// Shape: matrix is r x c; the result is (r·w) x (c·w).
BitMatrix expand(const Field& field, const Matrix& matrix);

/// Number of ones in the block of a symbol, or in some of its rows: bit l of `rows` is for row l.
std::size_t weight(const Field& field, Field::Symbol symbol, Field::Symbol rows = ~0U);

BitMatrix transposed(const BitMatrix& matrix);

std::size_t rank(BitMatrix matrix);

/// The inverse; nullopt if the matrix is not square or is singular. Cost: O(rows^3 / 64).
std::optional<BitMatrix> inverse(const BitMatrix& matrix);

}  // namespace xorloom
