#include "equations/search/elimination.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "equations/build/direct.hpp"
#include "equations/passes/drop_unread.hpp"

namespace xorloom {
namespace {

using Symbol = Field::Symbol;
using Indices = std::vector<std::size_t>;

/// Up to so many rows all orders are tried: 576 of rows and columns.
constexpr std::size_t kMostRowsInAnyOrder = 4;

/// Of more lost data than this, few factors are ones.
constexpr std::size_t kMostLost = 32;

struct Work {
  std::size_t multiplications = 0;
  std::size_t operands = 0;
  friend auto operator<=>(const Work&, const Work&) = default;
};

Work work_of(const Matrix& factors) {
  Work work;
  for (std::size_t i = 0; i < factors.rows(); ++i) {
    for (const Symbol factor : factors.row(i)) {
      work.multiplications += factor > 1;
      work.operands += factor != 0;
    }
  }
  return work;
}

/// The factors of a matrix in an order. None if a pivot is zero. With `exchanges`, rows below it
/// take its place then.
std::optional<Matrix> factored(const Field& field, const Matrix& matrix, Indices& rows,
                               const Indices& columns, bool exchanges) {
  const std::size_t size = matrix.rows();
  Matrix m(size, size);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) m(i, j) = matrix(rows[i], columns[j]);
  }
  for (std::size_t p = 0; p < size; ++p) {
    for (std::size_t i = p + 1; exchanges && m(p, p) == 0 && i < size; ++i) {
      if (m(i, p) == 0) continue;
      std::swap(rows[i], rows[p]);
      std::ranges::swap_ranges(m.row(i), m.row(p));
    }
    if (m(p, p) == 0) return std::nullopt;
    const Symbol inverse = m(p, p) == 1 ? 1 : field.invert(m(p, p));
    for (std::size_t i = p + 1; i < size; ++i) {
      m(i, p) = field.multiply(m(i, p), inverse);
      for (std::size_t j = p + 1; j < size; ++j) m(i, j) ^= field.multiply(m(i, p), m(p, j));
    }
    for (std::size_t j = p + 1; j < size; ++j) m(p, j) = field.multiply(m(p, j), inverse);
  }
  return m;
}

}  // namespace

std::optional<LostData> lost_data(const Code& code, const LinearMap& map) {
  LostData result;
  result.data.resize(code.data.size(), SymbolSums::kZero);
  std::vector<std::size_t> index(code.num_cells());
  for (std::size_t i = 0; i < code.data.size(); ++i) index[code.data[i]] = i;
  for (const Cell cell : map.inputs) {
    if (code.role(cell) == Role::kData) {
      result.data[index[cell]] = cell;
    } else {
      const auto redundant = std::ranges::lower_bound(code.redundant, cell);
      result.redundant.push_back(static_cast<std::size_t>(redundant - code.redundant.begin()));
    }
  }
  for (std::size_t i = 0; i < result.data.size(); ++i) {
    if (result.data[i] == SymbolSums::kZero) result.lost.push_back(i);
  }
  const std::size_t size = result.lost.size();
  if (size != result.redundant.size() || size > kMostLost) return std::nullopt;
  result.square = Matrix(size, size);
  for (std::size_t t = 0; t < size; ++t) {
    for (std::size_t u = 0; u < size; ++u) {
      result.square(t, u) = code.parity(result.redundant[t], result.lost[u]);
    }
  }
  return result;
}

std::optional<TriangularFactors> best_factors(const Field& field, const Matrix& matrix) {
  Indices rows(matrix.rows());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  Indices columns = rows;
  if (rows.size() > kMostRowsInAnyOrder) {
    std::optional<Matrix> factors = factored(field, matrix, rows, columns, true);
    if (!factors) return std::nullopt;
    return TriangularFactors{std::move(rows), std::move(columns), *std::move(factors)};
  }
  std::optional<TriangularFactors> best;
  Work least;
  do {
    do {
      std::optional<Matrix> factors = factored(field, matrix, rows, columns, false);
      if (!factors) continue;
      const Work work = work_of(*factors);
      if (best && work >= least) continue;
      least = work;
      best = TriangularFactors{rows, columns, *std::move(factors)};
    } while (std::ranges::next_permutation(columns).found);
  } while (std::ranges::next_permutation(rows).found);
  return best;
}

std::size_t multiplications(const TriangularFactors& triangular) {
  return work_of(triangular.factors).multiplications;
}

std::vector<Element> solve(const Field& field, const TriangularFactors& triangular,
                           const std::vector<Element>& syndromes,
                           const std::vector<Element>& targets, SymbolSums& sums) {
  const auto& [rows, columns, factors] = triangular;
  const std::size_t size = rows.size();
  std::vector<Element> made;  // D U times the lost data
  for (std::size_t i = 0; i < size; ++i) {
    std::vector<Operand> terms{{syndromes[rows[i]]}};
    for (std::size_t j = 0; j < i; ++j) terms.push_back({made[j], factors(i, j)});
    made.push_back(sums.sum(terms));
  }
  std::vector<Element> found(size);
  for (std::size_t i = size; i-- > 0;) {
    const Symbol pivot = factors(i, i);
    std::vector<Operand> terms{{made[i], pivot == 1 ? 1 : field.invert(pivot)}};
    for (std::size_t j = i + 1; j < size; ++j) terms.push_back({found[columns[j]], factors(i, j)});
    const Element target = targets[columns[i]];
    found[columns[i]] = target == SymbolSums::kZero ? sums.sum(terms) : sums.assign(target, terms);
  }
  return found;
}

std::optional<Program> elimination_program(const Code& code, const LinearMap& map) {
  const std::optional<LostData> losses = lost_data(code, map);
  if (!losses || losses->lost.size() < 2) return std::nullopt;
  const std::optional<TriangularFactors> triangular = best_factors(code.field, losses->square);
  if (!triangular) return std::nullopt;

  Program program = program_over_symbols(code, map);
  SymbolSums sums(program);
  std::vector<Element> data = losses->data;
  const auto row = [&](std::size_t redundant) {
    std::vector<Operand> terms;
    for (std::size_t i = 0; i < data.size(); ++i) {
      terms.push_back({data[i], code.parity(redundant, i)});
    }
    return terms;
  };
  std::vector<Element> syndromes;
  for (const std::size_t redundant : losses->redundant) {
    std::vector<Operand> terms = row(redundant);
    terms.push_back(code.redundant[redundant]);
    syndromes.push_back(sums.sum(terms));
  }
  std::vector<Element> targets;
  for (const std::size_t i : losses->lost) {
    const bool is_output = std::ranges::binary_search(map.outputs, code.data[i]);
    targets.push_back(is_output ? code.data[i] : SymbolSums::kZero);
  }
  const std::vector<Element> found = solve(code.field, *triangular, syndromes, targets, sums);
  for (std::size_t u = 0; u < found.size(); ++u) data[losses->lost[u]] = found[u];
  for (const Cell output : map.outputs) {
    const auto redundant = std::ranges::lower_bound(code.redundant, output);
    if (redundant == code.redundant.end() || *redundant != output) continue;
    sums.assign(output, row(static_cast<std::size_t>(redundant - code.redundant.begin())));
  }
  return drop_unread(program);
}

}  // namespace xorloom
