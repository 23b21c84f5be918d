#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "codes/field/bitmatrix.hpp"

namespace xorloom::test {

/// A random matrix, each bit one with that chance of 256.
inline BitMatrix random_matrix(std::size_t rows, std::size_t columns, std::uint64_t seed,
                               unsigned chance = 128) {
  std::mt19937_64 random(seed);
  BitMatrix matrix(rows, columns);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) {
      if (random() % 256 < chance) matrix.flip(r, c);
    }
  }
  return matrix;
}

/// A matrix from its rows, as in {"110", "011"}.
inline BitMatrix matrix_of_rows(const std::vector<std::string>& rows) {
  BitMatrix matrix(rows.size(), rows.empty() ? 0 : rows.front().size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      if (rows[r][c] == '1') matrix.flip(r, c);
    }
  }
  return matrix;
}

/// The fewest XORs of a matrix of up to 4 columns, by trying every set of values, smaller sets
/// first: the slow and obvious oracle.
inline std::size_t fewest_xors(const BitMatrix& matrix) {
  const unsigned units = static_cast<unsigned>(matrix.columns());
  std::uint32_t wanted = 0;
  for (std::size_t r = 0; r < matrix.rows(); ++r) {
    unsigned value = 0;
    for (const std::size_t column : matrix.ones(r)) value |= 1U << column;
    if (value != 0) wanted |= 1U << value;
  }
  std::uint32_t inputs = 0;
  for (unsigned i = 0; i < units; ++i) inputs |= 1U << (1U << i);
  std::set<std::uint32_t> reached = {inputs};
  for (std::size_t xors = 0;; ++xors) {
    std::set<std::uint32_t> next;
    for (const std::uint32_t values : reached) {
      if ((values & wanted) == wanted) return xors;
      for (unsigned a = 1; a < 1U << units; ++a) {
        for (unsigned b = a + 1; b < 1U << units; ++b) {
          const bool has_both = (values >> a & values >> b & 1U) != 0;
          if (has_both && (values >> (a ^ b) & 1U) == 0) next.insert(values | 1U << (a ^ b));
        }
      }
    }
    reached = std::move(next);
  }
}

}  // namespace xorloom::test
