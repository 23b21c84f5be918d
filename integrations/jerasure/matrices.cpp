// The functions of Jerasure's reed_sol.h, cauchy.h and liberation.h that make matrices, which are
// those of Xorloom's families, and the conversions of jerasure.h. The answers are for free(); null
// for parameters that no code has.

#include <fmt/format.h>

#include <string>

#include "codes/code.hpp"
#include "codes/families/families.hpp"
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
  return ints_of(matrix, [&](std::size_t i, std::size_t j) { return matrix.get(i, j); });
}

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
int* cauchy_matrix(int k, int m, int w, const int* x, const int* y) noexcept try {
  const Field& field = field_of(w);
  int* const matrix = new_ints(size(k) * size(m));
  for (int i = 0; matrix != nullptr && i < m; ++i) {
    for (int j = 0; j < k; ++j) {
      const auto sum = static_cast<Field::Symbol>(x[i] ^ y[j]);
      matrix[i * k + j] = sum == 0 ? 0 : static_cast<int>(field.invert(sum));
    }
  }
  return matrix;
} catch (...) {
  return nullptr;
}

std::size_t ones_of(int symbol, int w) {
  return weight(field_of(w), static_cast<Field::Symbol>(symbol));
}

/// Scales columns until the first row is ones, then each row by the entry that leaves the fewest
/// ones.
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

/// Of 2 x k: a row of ones, and the powers of 2.
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
