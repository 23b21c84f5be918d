// The functions of Jerasure's reed_sol.h, cauchy.h and liberation.h that make matrices, which are
// those of Xorloom's families, and the conversions of jerasure.h. The answers are for free(); null
// for parameters that no code has.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "codes/code.hpp"
#include "codes/families/families.hpp"
#include "codes/families/reed_solomon.hpp"
#include "codes/field/bitmatrix.hpp"
#include "integrations/jerasure/matrix_code.hpp"
#include "integrations/jerasure/memory.hpp"

namespace xorloom::jerasure {
namespace {

/// A matrix to be freed by free(), of what `entry` says of a row and a column.
int* ints_of(const auto& matrix, const auto& entry) {
  int* const ints = new_ints(matrix.rows() * matrix.columns());
  for (std::size_t i = 0; ints != nullptr && i < matrix.rows(); ++i) {
    for (std::size_t j = 0; j < matrix.columns(); ++j) {
      ints[i * matrix.columns() + j] = static_cast<int>(entry(i, j));
    }
  }
  return ints;
}
int* ints_of(const Matrix& matrix) { return ints_of(matrix, matrix); }
int* ints_of(const BitMatrix& matrix) {
  return ints_of(matrix, [&](std::size_t i, std::size_t j) { return matrix(i, j); });
}

/// A matrix to be freed by free(), of entry(field, i, j). Null for a width that no field has.
int* of_entries(int rows, int columns, int w, const auto& entry) noexcept try {
  const Field& field = field_of(w);
  int* const ints = new_ints(size(rows) * size(columns));
  for (int i = 0; ints != nullptr && i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      ints[i * columns + j] = static_cast<int>(entry(field, i, j));
    }
  }
  return ints;
} catch (...) {
  return nullptr;
}

bool has_symbols(int w, int number) { return w > 0 && (w >= 30 || number <= 1 << w); }

Code code_of(const std::string& spec) {
  CodeOptions options;
  options.allow_non_mds = true;  // Jerasure checks nothing
  return make_code(spec, options);
}

int* matrix_of(const std::string& spec) noexcept try {
  return ints_of(code_of(spec).parity);
} catch (...) {
  return nullptr;
}

int* bitmatrix_of(const std::string& spec) noexcept try {
  return ints_of(bitmatrix(code_of(spec)));
} catch (...) {
  return nullptr;
}

/// 1/(x_i + y_j).
int* cauchy_matrix(int k, int m, int w, const int* x, const int* y) {
  return of_entries(m, k, w, [&](const Field& field, int i, int j) {
    const auto sum = static_cast<Field::Symbol>(x[i] ^ y[j]);
    return sum == 0 ? Field::Symbol{0} : field.invert(sum);
  });
}

std::size_t ones_of(int symbol, int w) {
  return weight(field_of(w), static_cast<Field::Symbol>(symbol));
}

/// Scales columns so that the first row is ones, then each other row by the inverse of the entry
/// that leaves the fewest ones in the bitmatrix.
void improve(int k, int m, int w, int* matrix) {
  const Field& field = field_of(w);
  const auto scale = [&](int& entry, Field::Symbol factor) {
    entry = static_cast<int>(field.multiply(static_cast<Field::Symbol>(entry), factor));
  };
  for (int j = 0; j < k; ++j) {
    const auto first = static_cast<Field::Symbol>(matrix[j]);
    if (first <= 1) continue;
    const Field::Symbol factor = field.invert(first);
    for (int i = 0; i < m; ++i) scale(matrix[i * k + j], factor);
  }
  for (int i = 1; i < m; ++i) {
    int* const row = matrix + i * k;
    const auto ones_with = [&](Field::Symbol factor) {
      std::size_t ones = 0;
      for (int j = 0; j < k; ++j) {
        int entry = row[j];
        scale(entry, factor);
        ones += ones_of(entry, w);
      }
      return ones;
    };
    Field::Symbol best = 1;
    std::size_t fewest = ones_with(1);
    for (int j = 0; j < k; ++j) {
      if (row[j] <= 1) continue;
      const Field::Symbol factor = field.invert(static_cast<Field::Symbol>(row[j]));
      if (const std::size_t ones = ones_with(factor); ones < fewest) {
        fewest = ones;
        best = factor;
      }
    }
    for (int j = 0; j < k; ++j) scale(row[j], best);
  }
}

}  // namespace
}  // namespace xorloom::jerasure

using namespace xorloom::jerasure;  // NOLINT(google-build-using-namespace): the functions are C's

XORLOOM_JERASURE int* reed_sol_vandermonde_coding_matrix(int k, int m, int w) {
  return matrix_of(fmt::format("rs:k={},m={},w={}", k, m, w));
}

/// Row i is the powers of i, except the last row, 0 … 0 1. Null if rows or columns exceed 2^w.
XORLOOM_JERASURE int* reed_sol_extended_vandermonde_matrix(int rows, int cols, int w) {
  if (rows < 1 || cols < 1 || !has_symbols(w, std::max(rows, cols))) return nullptr;
  return of_entries(rows, cols, w, [&](const xorloom::Field& field, int i, int j) {
    if (i > 0 && i + 1 == rows) return xorloom::Field::Symbol{j + 1 == cols ? 1U : 0U};
    return field.power(static_cast<xorloom::Field::Symbol>(i), size(j));
  });
}

/// The generator of reed_sol_vandermonde_coding_matrix: the identity above that matrix.
XORLOOM_JERASURE int* reed_sol_big_vandermonde_distribution_matrix(int rows, int cols, int w) {
  if (cols < 1 || cols >= rows || !has_symbols(w, rows)) return nullptr;
  try {
    const xorloom::Matrix redundant =
        xorloom::reed_sol_van(field_of(w), size(cols), size(rows - cols));
    return of_entries(rows, cols, w, [&](const xorloom::Field&, int i, int j) {
      if (i < cols) return xorloom::Field::Symbol{i == j ? 1U : 0U};
      return redundant(size(i - cols), size(j));
    });
  } catch (...) {
    return nullptr;
  }
}

/// The product of two matrices, r1 x c1 and r2 x c2.
XORLOOM_JERASURE int* jerasure_matrix_multiply(int* m1, int* m2, int r1, int c1, int r2, int c2,
                                               int w) {
  return of_entries(r1, c2, w, [&](const xorloom::Field& field, int i, int j) {
    xorloom::Field::Symbol sum = 0;
    for (int l = 0; l < r2; ++l) {
      sum ^= field.multiply(static_cast<xorloom::Field::Symbol>(m1[i * c1 + l]),
                            static_cast<xorloom::Field::Symbol>(m2[l * c2 + j]));
    }
    return sum;
  });
}

/// 2 x k: a row of ones, and a row of the powers of 2.
XORLOOM_JERASURE int* reed_sol_r6_coding_matrix(int k, int w) {
  if (w != 8 && w != 16 && w != 32) return nullptr;
  return matrix_of(fmt::format("raid6:k={},w={}", k, w));
}

XORLOOM_JERASURE int* cauchy_original_coding_matrix(int k, int m, int w) {
  return matrix_of(fmt::format("cauchy:k={},m={},w={}", k, m, w));
}

XORLOOM_JERASURE int* cauchy_good_general_coding_matrix(int k, int m, int w) {
  return matrix_of(fmt::format("cauchy-good:k={},m={},w={}", k, m, w));
}

XORLOOM_JERASURE int* cauchy_xy_coding_matrix(int k, int m, int w, int* x, int* y) {
  return cauchy_matrix(k, m, w, x, y);
}

XORLOOM_JERASURE void cauchy_improve_coding_matrix(int k, int m, int w, int* matrix) {
  or_give_up("cauchy_improve_coding_matrix", [&] { improve(k, m, w, matrix); });
}

XORLOOM_JERASURE int cauchy_n_ones(int n, int w) {
  return or_give_up("cauchy_n_ones", [&] { return static_cast<int>(ones_of(n, w)); });
}

XORLOOM_JERASURE int* liberation_coding_bitmatrix(int k, int w) {
  return bitmatrix_of(fmt::format("liberation:k={},w={}", k, w));
}

XORLOOM_JERASURE int* blaum_roth_coding_bitmatrix(int k, int w) {
  return bitmatrix_of(fmt::format("blaum-roth:k={},w={}", k, w));
}

XORLOOM_JERASURE int* liber8tion_coding_bitmatrix(int k) {
  return bitmatrix_of(fmt::format("liber8tion:k={}", k));
}

/// Prints entries in columns as wide as the largest symbol of w bits.
XORLOOM_JERASURE void jerasure_print_matrix(int* m, int rows, int cols, int w) {
  const auto digits = w == 32 ? 10 : static_cast<int>(fmt::formatted_size("{}", (1U << w) - 1));
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < cols; ++j) {
      std::printf("%s%*u", j == 0 ? "" : " ", digits, static_cast<unsigned int>(m[i * cols + j]));
    }
    std::printf("\n");
  }
}

/// Prints bits in blocks of w x w.
XORLOOM_JERASURE void jerasure_print_bitmatrix(int* m, int rows, int cols, int w) {
  for (int i = 0; i < rows; ++i) {
    if (i != 0 && i % w == 0) std::printf("\n");
    for (int j = 0; j < cols; ++j) {
      std::printf("%s%d", j != 0 && j % w == 0 ? " " : "", m[i * cols + j]);
    }
    std::printf("\n");
  }
}

XORLOOM_JERASURE int* jerasure_matrix_to_bitmatrix(int k, int m, int w, int* matrix) {
  if (matrix == nullptr) return nullptr;
  try {
    const xorloom::Field& field = field_of(w);
    const xorloom::Matrix symbols = symbols_of(matrix, size(m), size(k), std::uint64_t{1} << w);
    const std::size_t bits = size(w);
    const std::size_t columns = symbols.columns() * bits;
    int* const all = new_ints(symbols.rows() * bits * columns);
    for (std::size_t r = 0; all != nullptr && r < symbols.rows(); ++r) {
      for (std::size_t c = 0; c < columns; ++c) {
        const xorloom::Field::Symbol multiple =
            field.multiply(symbols(r, c / bits), xorloom::Field::Symbol{1} << c % bits);
        for (std::size_t bit = 0; bit < bits; ++bit) {
          all[(r * bits + bit) * columns + c] = static_cast<int>(multiple >> bit & 1U);
        }
      }
    }
    return all;
  } catch (...) {
    return nullptr;
  }
}
