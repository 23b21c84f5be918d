#include "integrations/jerasure/recovery_rows.hpp"

#include <algorithm>

#include "codes/field/bitmatrix.hpp"
#include "codes/field/matrix.hpp"
#include "codes/linear_map.hpp"
#include "integrations/jerasure/matrix_code.hpp"
#include "runtime/plans/plan_proof.hpp"

namespace xorloom::jerasure {
namespace {

using Locations = std::vector<std::size_t>;

/// Matrices of symbols of a word.
struct Words {
  const MatrixView& view;
  const Field& field;

  /// The rows of some redundant locations at the columns of some data.
  Matrix part(const Locations& rows, const Locations& columns) const {
    return matrix_of(rows.size(), columns.size(), [&](std::size_t r, std::size_t c) {
      return static_cast<Field::Symbol>(view.entries[(rows[r] - view.k) * view.k + columns[c]]);
    });
  }
  std::optional<Matrix> inverse(const Matrix& matrix) const {
    return xorloom::inverse(field, matrix);
  }
  Matrix product(const Matrix& a, const Matrix& b) const { return multiply(field, a, b); }
  static void add(Matrix& to, const Matrix& more) {
    for (std::size_t r = 0; r < to.rows(); ++r) {
      for (std::size_t c = 0; c < to.columns(); ++c) to(r, c) ^= more(r, c);
    }
  }
  static int entry(const Matrix& matrix, std::size_t r, std::size_t c) {
    return static_cast<int>(matrix(r, c));
  }
};

/// Matrices of bits, w x w of them for a row and a column.
struct Packets {
  const MatrixView& view;

  BitMatrix part(const Locations& rows, const Locations& columns) const {
    const std::size_t w = view.w;
    BitMatrix bits(rows.size() * w, columns.size() * w);
    for (std::size_t r = 0; r < bits.rows(); ++r) {
      const int* const row = view.entries + ((rows[r / w] - view.k) * w + r % w) * view.k * w;
      for (std::size_t c = 0; c < bits.columns(); ++c) {
        if (row[columns[c / w] * w + c % w] != 0) bits.flip(r, c);
      }
    }
    return bits;
  }
  static std::optional<BitMatrix> inverse(const BitMatrix& matrix) {
    return xorloom::inverse(matrix);
  }
  static BitMatrix product(const BitMatrix& a, const BitMatrix& b) {
    BitMatrix result(a.rows(), b.columns());
    for (std::size_t r = 0; r < a.rows(); ++r) {
      for (std::size_t i = 0; i < a.columns(); ++i) {
        if (a(r, i)) result.add_row(r, b.row(i));
      }
    }
    return result;
  }
  static void add(BitMatrix& to, const BitMatrix& more) {
    for (std::size_t r = 0; r < to.rows(); ++r) to.add_row(r, more.row(r));
  }
  static int entry(const BitMatrix& matrix, std::size_t r, std::size_t c) {
    return matrix(r, c) ? 1 : 0;
  }
};

bool is_identity(const auto& kind, const auto& matrix) {
  for (std::size_t r = 0; r < matrix.rows(); ++r) {
    for (std::size_t c = 0; c < matrix.columns(); ++c) {
      if (kind.entry(matrix, r, c) != (r == c ? 1 : 0)) return false;
    }
  }
  return true;
}

/// Recovery rows from the first surviving redundant chunks, one for each lost data chunk. Let A and
/// B be the columns of their rows for lost and for surviving data, and D and F those of the rows of
/// lost redundancy. Then
/// lost data = A⁻¹ (B·surviving + redundant), and
/// lost redundancy = D·(lost data) + F·surviving.
/// nullopt if there are too few redundant chunks, or if A is singular.
std::optional<RecoveryRows> rows_by_inverse(const auto& kind, const MatrixView& view,
                                            std::span<const std::size_t> lost) {
  Locations lost_data, left, lost_redundancy, used;
  for (std::size_t i = 0; i < view.k + view.m; ++i) {
    const bool is_lost = std::ranges::binary_search(lost, i);
    if (i < view.k) {
      (is_lost ? lost_data : left).push_back(i);
    } else if (is_lost) {
      lost_redundancy.push_back(i);
    } else if (used.size() < lost_data.size()) {
      used.push_back(i);
    }
  }
  if (used.size() < lost_data.size()) return std::nullopt;
  const auto a = kind.part(used, lost_data);
  const auto by_used = kind.inverse(a);
  if (!by_used || !is_identity(kind, kind.product(*by_used, a))) return std::nullopt;
  const auto by_left = kind.product(*by_used, kind.part(used, left));
  const auto of_lost = kind.part(lost_redundancy, lost_data);
  auto redundancy_by_left = kind.part(lost_redundancy, left);
  kind.add(redundancy_by_left, kind.product(of_lost, by_left));
  const auto redundancy_by_used = kind.product(of_lost, *by_used);

  RecoveryRows rows{left, {}};
  rows.reads.insert(rows.reads.end(), used.begin(), used.end());
  const auto append = [&](const auto& matrix, std::size_t row) {
    for (std::size_t c = 0; c < matrix.columns(); ++c) {
      rows.entries.push_back(kind.entry(matrix, row, c));
    }
  };
  for (std::size_t r = 0; r < by_left.rows(); ++r) {
    append(by_left, r);
    append(*by_used, r);
  }
  for (std::size_t r = 0; r < redundancy_by_left.rows(); ++r) {
    append(redundancy_by_left, r);
    append(redundancy_by_used, r);
  }
  return rows;
}

/// The rows from any redundancy that determines the lost chunks.
std::optional<RecoveryRows> rows_of_map(const MatrixView& view, std::span<const std::size_t> lost) {
  const Code code = matrix_code(view);
  const std::optional<LinearMap> map = recovery_map(code, lost, lost);
  if (!map) return std::nullopt;
  prove_map(*map, code);
  RecoveryRows rows;
  for (const Cell cell : map->inputs) {
    const std::size_t location = code.location_of_cell(cell);
    if (rows.reads.empty() || rows.reads.back() != location) rows.reads.push_back(location);
  }
  const std::size_t columns = rows.reads.size() * code.subchunks;
  rows.entries.resize(map->outputs.size() * columns);
  for (std::size_t i = 0; i < map->inputs.size(); ++i) {
    const auto place = std::ranges::lower_bound(rows.reads, code.location_of_cell(map->inputs[i]));
    const std::size_t column =
        static_cast<std::size_t>(place - rows.reads.begin()) * code.subchunks +
        map->inputs[i] % code.subchunks;
    for (std::size_t r = 0; r < map->outputs.size(); ++r) {
      rows.entries[r * columns + column] = static_cast<int>(map->coefficients(r, i));
    }
  }
  return rows;
}

}  // namespace

std::optional<RecoveryRows> recovery_rows(const MatrixView& matrix,
                                          std::span<const std::size_t> lost) {
  const bool is_words = matrix.packet_bytes == 0;
  auto rows =
      is_words ? rows_by_inverse(Words{matrix, field_of(static_cast<int>(matrix.w))}, matrix, lost)
               : rows_by_inverse(Packets{matrix}, matrix, lost);
  return rows ? std::move(rows) : rows_of_map(matrix, lost);
}

}  // namespace xorloom::jerasure
