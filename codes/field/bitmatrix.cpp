#include "codes/field/bitmatrix.hpp"

#include <algorithm>
#include <bit>

#include "codes/field/elimination.hpp"

namespace xorloom {

BitMatrix::BitMatrix(std::size_t rows, std::size_t columns)
    : rows_(rows), columns_(columns), row_words_((columns + 63) / 64), words_(rows * row_words_) {}

void BitMatrix::add_row(std::size_t to, std::span<const std::uint64_t> row) {
  for (std::size_t i = 0; i < row_words_; ++i) words_[to * row_words_ + i] ^= row[i];
}

std::vector<std::size_t> BitMatrix::ones(std::size_t row) const {
  std::vector<std::size_t> columns;
  columns.reserve(weight(row));
  for (std::size_t i = 0; i < row_words_; ++i) {
    for (std::uint64_t word = words_[row * row_words_ + i]; word != 0; word &= word - 1) {
      columns.push_back(i * 64 + static_cast<std::size_t>(std::countr_zero(word)));
    }
  }
  return columns;
}

std::size_t BitMatrix::weight() const {
  std::size_t ones = 0;
  for (const std::uint64_t word : words_) ones += static_cast<std::size_t>(std::popcount(word));
  return ones;
}

std::size_t BitMatrix::weight(std::size_t row) const {
  std::size_t ones = 0;
  for (const std::uint64_t word : this->row(row)) {
    ones += static_cast<std::size_t>(std::popcount(word));
  }
  return ones;
}

std::size_t columns_of_slab(std::size_t rows) {
  constexpr std::size_t kSlabBits = std::size_t{1} << 24;
  return std::clamp<std::size_t>(kSlabBits / std::max<std::size_t>(rows, 1), 64, 4096) / 64 * 64;
}

BitMatrix expand(const Field& field, const Matrix& matrix) {
  const std::size_t w = field.w();
  BitMatrix bits(matrix.rows() * w, matrix.columns() * w);
  for (std::size_t r = 0; r < matrix.rows(); ++r) {
    for (std::size_t c = 0; c < matrix.columns(); ++c) {
      if (matrix(r, c) == 0) continue;
      for (std::size_t x = 0; x < w; ++x) {
        const Field::Symbol column = field.multiply(matrix(r, c), Field::Symbol{1} << x);
        for (std::size_t l = 0; l < w; ++l) {
          if ((column >> l & 1) != 0) bits.flip(r * w + l, c * w + x);
        }
      }
    }
  }
  return bits;
}

std::size_t weight(const Field& field, Field::Symbol symbol, Field::Symbol rows) {
  std::size_t ones = 0;
  for (std::size_t x = 0; x < field.w(); ++x) {
    const Field::Symbol column = field.multiply(symbol, Field::Symbol{1} << x);
    ones += static_cast<std::size_t>(std::popcount(column & rows));
  }
  return ones;
}

BitMatrix transposed(const BitMatrix& matrix) {
  BitMatrix result(matrix.columns(), matrix.rows());
  for (std::size_t r = 0; r < matrix.rows(); ++r) {
    for (const std::size_t column : matrix.ones(r)) result.flip(column, r);
  }
  return result;
}

std::size_t rank(BitMatrix matrix) { return Elimination(gf2(), matrix).rank(); }

std::optional<BitMatrix> inverse(const BitMatrix& matrix) {
  const std::size_t size = matrix.rows();
  if (size != matrix.columns()) return std::nullopt;
  return inverse_by_elimination(gf2(), matrix, expand(gf2(), identity(size)));
}

}  // namespace xorloom
