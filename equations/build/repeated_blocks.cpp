#include "equations/build/repeated_blocks.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>
#include <vector>

#include "equations/build/direct.hpp"
#include "equations/ir/operands.hpp"

namespace xorloom {
namespace {

using Sum = std::vector<Operand>;

/// Most rows of a matrix that is not taken apart.
constexpr std::size_t kSmallest = 2;

struct Range {
  std::size_t begin, end;
};

BitMatrix part_of(const BitMatrix& matrix, Range rows, Range columns) {
  BitMatrix result(rows.end - rows.begin, columns.end - columns.begin);
  for (std::size_t r = rows.begin; r < rows.end; ++r) {
    const auto row = matrix.row(r);
    // Reads only the words of these columns, since a wide matrix is cut into many parts.
    for (std::size_t w = columns.begin / 64; w * 64 < columns.end; ++w) {
      for (std::uint64_t left = row[w]; left != 0; left &= left - 1) {
        const std::size_t column = w * 64 + static_cast<std::size_t>(std::countr_zero(left));
        if (column >= columns.begin && column < columns.end) {
          result.flip(r - rows.begin, column - columns.begin);
        }
      }
    }
  }
  return result;
}

BitMatrix sum_of(BitMatrix a, const BitMatrix& b) {
  for (std::size_t r = 0; r < a.rows(); ++r) a.add_row(r, b.row(r));
  return a;
}

/// T, B and C of repeated_blocks(), and whether the halves of x are exchanged.
struct Parts {
  BitMatrix repeated, above, below;
  bool is_exchanged = false;
};

/// The ways to take a square matrix apart; empty if the matrix is not square.
std::vector<Parts> ways_to_part(const BitMatrix& matrix) {
  std::vector<Parts> ways;
  const std::size_t size = matrix.rows();
  if (matrix.columns() != size || size % 2 != 0 || size <= kSmallest) return ways;
  const Range low{0, size / 2};
  const Range high{size / 2, size};
  BitMatrix a = part_of(matrix, low, low);
  BitMatrix b = part_of(matrix, low, high);
  BitMatrix c = part_of(matrix, high, low);
  BitMatrix d = part_of(matrix, high, high);
  if (a == d) ways.push_back({a, b, c, false});
  if (b == c) ways.push_back({std::move(b), std::move(a), std::move(d), true});
  return ways;
}

class Products {
 public:
  Products(Program& program, Random& random)
      : program_(program), random_(random), next_(program.first_temporary()) {}

  /// Returns the rows of matrix · x as sums. Adds equations for the temporaries in these sums.
  std::vector<Sum> rows(const BitMatrix& matrix, const std::vector<Element>& x,
                        std::uint32_t levels) {
    if (levels == 0) return rows_apart(matrix, x);
    if (matrix.rows() != matrix.columns()) return rows_of_oblong(matrix, x, levels);
    const std::vector<Parts> ways = ways_to_part(matrix);
    if (ways.empty()) return rows_apart(matrix, x);
    const std::size_t chosen = random_.below(static_cast<std::uint32_t>(ways.size()));
    const Parts& parts = ways[chosen];
    const auto middle = x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2);
    std::vector<Element> first(x.begin(), middle);
    std::vector<Element> second(middle, x.end());
    if (parts.is_exchanged) std::swap(first, second);
    std::vector<Element> sums;
    for (std::size_t i = 0; i < first.size(); ++i) {
      sums.push_back(value_of({{first[i]}, {second[i]}}));
    }
    const std::vector<Sum> common = rows(parts.repeated, sums, levels - 1);
    std::vector<Sum> result = rows(sum_of(parts.repeated, parts.above), second, levels - 1);
    for (Sum& row : rows(sum_of(parts.repeated, parts.below), first, levels - 1)) {
      result.push_back(std::move(row));
    }
    for (std::size_t i = 0; i < common.size(); ++i) {
      if (common[i].empty()) continue;
      const Element value = value_of(common[i]);
      add(result[i], value);
      add(result[i + common.size()], value);
    }
    return result;
  }

 private:
  /// Cuts the matrix into squares along its longer side; rows() cuts the rest into smaller ones.
  std::vector<Sum> rows_of_oblong(const BitMatrix& matrix, const std::vector<Element>& x,
                                  std::uint32_t levels) {
    const std::size_t size = std::min(matrix.rows(), matrix.columns());
    std::vector<Sum> result(matrix.rows());
    if (size == 0) return result;
    const bool is_wide = matrix.columns() > matrix.rows();
    const Range all_rows{0, matrix.rows()};
    const Range all_columns{0, matrix.columns()};
    const std::size_t end = std::max(matrix.rows(), matrix.columns());
    for (std::size_t begin = 0; begin < end; begin += size) {
      const Range range{begin, std::min(begin + size, end)};
      const BitMatrix part =
          is_wide ? part_of(matrix, all_rows, range) : part_of(matrix, range, all_columns);
      const Range columns = is_wide ? range : all_columns;
      std::vector<Element> operands;
      for (std::size_t c = columns.begin; c < columns.end; ++c) operands.push_back(x[c]);
      std::vector<Sum> sums = rows(part, operands, levels);
      for (std::size_t r = 0; r < sums.size(); ++r) {
        Sum& row = result[is_wide ? r : begin + r];
        if (row.empty()) {
          row = std::move(sums[r]);
        } else {
          for (const Operand& operand : sums[r]) add(row, operand);
        }
      }
    }
    return result;
  }

  static std::vector<Sum> rows_apart(const BitMatrix& matrix, const std::vector<Element>& x) {
    std::vector<Sum> result;
    for (std::size_t r = 0; r < matrix.rows(); ++r) result.push_back(operands_of(matrix, r, x));
    return result;
  }

  Element value_of(const Sum& sum) {
    if (sum.size() == 1) return sum.front().element;
    program_.equations.push_back({next_, sum});
    return next_++;
  }

  Program& program_;
  Random& random_;
  Element next_;
};

}  // namespace

bool has_repeated_blocks(const BitMatrix& matrix) {
  const Range square{0, std::min(matrix.rows(), matrix.columns())};
  return !ways_to_part(part_of(matrix, square, square)).empty();
}

std::optional<Program> repeated_blocks(const BitMatrix& matrix, std::uint32_t levels,
                                       Random& random) {
  if (!has_repeated_blocks(matrix)) return std::nullopt;
  Program program = direct_program(matrix);
  program.equations.clear();
  Products products(program, random);
  std::vector<Sum> rows = products.rows(matrix, program.inputs, levels);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    program.equations.push_back({program.outputs[r], std::move(rows[r])});
  }
  sort_equations(program);
  return program;
}

}  // namespace xorloom
