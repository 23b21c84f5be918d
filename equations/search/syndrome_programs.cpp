#include "equations/search/syndrome_programs.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "equations/build/direct.hpp"
#include "equations/ir/operands.hpp"
#include "equations/passes/drop_equations.hpp"
#include "equations/passes/fuse.hpp"

namespace xorloom {
namespace {

using Symbol = Field::Symbol;
using Indices = std::vector<std::size_t>;

/// The element of a value that is zero.
constexpr Element kZero = ~Element{0};

/// Most rows for which all orders are tried: (4!)² = 576 of rows and columns.
constexpr std::size_t kMostRowsInAnyOrder = 4;

/// Most lost data symbols; with more, few factors are ones.
constexpr std::size_t kMostLost = 32;

/// Most points of a transform; the values of more would be spilled to memory.
constexpr std::size_t kMostPoints = 8;

/// Adds equations to a program over symbols as they are needed. A value is an element, or kZero.
class SymbolSums {
 public:
  explicit SymbolSums(Program& program) : program_(program), next_(program.first_temporary()) {}

  /// Returns the element that holds the sum of `operands`, of which zeros are left out: `target`,
  /// if given (an output), else a new temporary. Without a target, no equation is needed for a sum
  /// of no operands (kZero) or of one.
  Element sum(const std::vector<Operand>& operands, Element target = kZero) {
    std::vector<Operand> terms;
    for (const Operand& operand : operands) {
      if (operand.element != kZero && operand.coefficient != 0) add(terms, operand);
    }
    if (target == kZero) {
      if (terms.empty()) return kZero;
      if (terms.size() == 1 && terms.front().coefficient == 1) return terms.front().element;
      target = next_++;
    }
    program_.equations.push_back({target, std::move(terms)});
    return target;
  }

 private:
  Program& program_;
  Element next_;
};

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

/// Returns the LDU factors of `matrix` with its rows and columns in the given order; nullopt if a
/// pivot is zero. With `exchanges`, a row below replaces a zero pivot's row, also in `rows`.
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

/// The lost data of a decoding, and its equations: square · lost data = syndromes.
struct LostData {
  std::vector<Element> data;           ///< by index: the cell; kZero: lost
  std::vector<std::size_t> lost;       ///< indices into the code's data
  std::vector<std::size_t> redundant;  ///< indices into the code's redundancy
  Matrix square;                       ///< rows: `redundant`; columns: `lost`
};

/// Returns the data that is not among the inputs of `map`. nullopt if the inputs do not have one
/// redundant cell per lost data cell, or if more than kMostLost are lost.
std::optional<LostData> lost_data(const Code& code, const LinearMap& map) {
  LostData result;
  result.data.resize(code.data.size(), kZero);
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
    if (result.data[i] == kZero) result.lost.push_back(i);
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

/// By index in `cells`: the cell if it is an output of `map`, else kZero.
std::vector<Element> outputs_among(const std::vector<Cell>& cells, const LinearMap& map) {
  std::vector<Element> result;
  for (const Cell cell : cells) {
    const bool is_output = std::ranges::find(map.outputs, cell) != map.outputs.end();
    result.push_back(is_output ? cell : kZero);
  }
  return result;
}

/// Adds the equations that compute the lost data from the syndromes.
///
/// Shape:  one syndrome per row of the matrix and one target per column. Target kZero: the data
///         becomes a temporary.
/// Answer: the elements of the lost data, by column.
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
    found[columns[i]] = sums.sum(terms, targets[columns[i]]);
  }
  return found;
}

/// Adds the equations of all outputs of `map`. left(i) returns the terms of redundant symbol i over
/// the surviving data.
template <typename Left>
void decode(const Code& code, const LinearMap& map, const LostData& losses,
            const TriangularFactors& factors, const Left& left, SymbolSums& sums) {
  std::vector<Element> syndromes;
  for (const std::size_t i : losses.redundant) {
    std::vector<Operand> terms = left(i);
    terms.emplace_back(code.redundant[i]);
    syndromes.push_back(sums.sum(terms));
  }
  const std::vector<Element> targets = outputs_among(code.data, map);
  std::vector<Element> targets_of_lost;
  for (const std::size_t u : losses.lost) targets_of_lost.push_back(targets[u]);
  const std::vector<Element> found = solve(code.field, factors, syndromes, targets_of_lost, sums);
  const std::vector<Element> redundancy = outputs_among(code.redundant, map);
  for (std::size_t i = 0; i < redundancy.size(); ++i) {
    if (redundancy[i] == kZero) continue;
    std::vector<Operand> terms = left(i);
    for (std::size_t u = 0; u < found.size(); ++u) {
      terms.emplace_back(found[u], code.parity(i, losses.lost[u]));
    }
    sums.sum(terms, redundancy[i]);
  }
}

/// Twiddle factor of a block of pairs whose points are 2^level apart.
Symbol constant(std::size_t point, std::size_t level) {
  return static_cast<Symbol>(point >> level);
}

template <typename Use>
void for_each_pair(std::size_t size, std::size_t level, const Use& use) {
  const std::size_t distance = std::size_t{1} << level;
  for (std::size_t block = 0; block < size; block += 2 * distance) {
    for (std::size_t x = block; x < block + distance; ++x) use(x, x + distance, block);
  }
}

/// Turns values at the points P … P + M-1 into the coefficients of their polynomial (the inverse
/// transform).
///
///   x ─────⊕─ x'    y' = y + x, x' = x + c y', where c is P >> l for points 2^l apart
///   y ─⊕───c─ y'
void invert(std::vector<Element>& values, std::size_t point, SymbolSums& sums) {
  for (std::size_t l = 0; std::size_t{1} << l < values.size(); ++l) {
    for_each_pair(values.size(), l, [&](std::size_t x, std::size_t y, std::size_t block) {
      values[y] = sums.sum({{values[y]}, {values[x]}});
      values[x] = sums.sum({{values[x]}, {values[y], constant(point + block, l)}});
    });
  }
}

/// Turns coefficients into values at the points P … P + M-1 (the transform), by the steps of
/// invert() in reverse. A value goes to its target, unless that is kZero.
void evaluate(std::vector<Element>& values, std::size_t point, SymbolSums& sums,
              const std::vector<Element>& targets) {
  for (auto l = static_cast<std::size_t>(std::countr_zero(values.size())); l-- > 0;) {
    const auto value = [&](std::size_t i, const std::vector<Operand>& operands) {
      return sums.sum(operands, l == 0 ? targets[i] : kZero);
    };
    for_each_pair(values.size(), l, [&](std::size_t x, std::size_t y, std::size_t block) {
      values[x] = value(x, {{values[x]}, {values[y], constant(point + block, l)}});
      values[y] = value(y, {{values[y]}, {values[x]}});
    });
  }
}

/// Returns the coefficients of the redundancy of `data`, in which kZero is a zero symbol.
std::vector<Element> coefficients(const Code& code, const std::vector<Element>& data,
                                  SymbolSums& sums) {
  const std::size_t points = code.transform_points;
  std::vector<Element> result(points, kZero);
  for (std::size_t first = 0; first < data.size(); first += points) {
    std::vector<Element> values(points, kZero);
    const std::size_t end = std::min(first + points, data.size());
    std::copy(data.begin() + static_cast<std::ptrdiff_t>(first),
              data.begin() + static_cast<std::ptrdiff_t>(end), values.begin());
    invert(values, points + first, sums);
    for (std::size_t i = 0; i < points; ++i) result[i] = sums.sum({{result[i]}, {values[i]}});
  }
  return result;
}

/// True if the lost data is one whole group of M symbols, which M redundant symbols replace.
bool is_whole_group(const Code& code, const LostData& losses) {
  const std::vector<std::size_t>& lost = losses.lost;
  const std::size_t points = code.transform_points;
  return points > 1 && lost.size() == points && lost.front() % points == 0 &&
         lost.back() - lost.front() == points - 1;
}

/// Computes a lost group by transforms alone, from the redundancy minus the contribution of the
/// known data.
void add_group(const Code& code, const LostData& losses, const std::vector<Element>& targets,
               SymbolSums& sums) {
  std::vector<Element> values = coefficients(code, losses.data, sums);
  std::vector<Element> redundancy(code.redundant.begin(), code.redundant.end());
  invert(redundancy, 0, sums);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = sums.sum({{values[i]}, {redundancy[i]}});
  }
  const std::size_t first = losses.lost.front();
  const auto begin = targets.begin() + static_cast<std::ptrdiff_t>(first);
  evaluate(values, values.size() + first, sums,
           {begin, begin + static_cast<std::ptrdiff_t>(values.size())});
}

}  // namespace

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

std::optional<Program> elimination_program(const Code& code, const LinearMap& map) {
  const std::optional<LostData> losses = lost_data(code, map);
  if (!losses || losses->lost.size() < 2) return std::nullopt;
  const std::optional<TriangularFactors> factors = best_factors(code.field, losses->square);
  if (!factors) return std::nullopt;
  Program program = program_over_symbols(code, map);
  SymbolSums sums(program);
  const auto left = [&](std::size_t redundant) {
    std::vector<Operand> terms;
    for (std::size_t i = 0; i < code.data.size(); ++i) {
      terms.emplace_back(losses->data[i], code.parity(redundant, i));
    }
    return terms;
  };
  decode(code, map, *losses, *factors, left, sums);
  return drop_unread(program);
}

std::optional<Program> transform_program(const Code& code, const LinearMap& map) {
  if (code.transform_points == 0 || code.transform_points > kMostPoints) return std::nullopt;
  const std::optional<LostData> losses = lost_data(code, map);
  if (!losses) return std::nullopt;
  Program program = program_over_symbols(code, map);
  SymbolSums sums(program);
  if (is_whole_group(code, *losses)) {
    add_group(code, *losses, outputs_among(code.data, map), sums);
    return fuse_three_way(drop_unread(program));
  }
  const std::optional<TriangularFactors> factors = best_factors(code.field, losses->square);
  if (!factors) return std::nullopt;
  std::vector<Element> redundancy = coefficients(code, losses->data, sums);
  evaluate(redundancy, 0, sums, std::vector<Element>(redundancy.size(), kZero));
  const auto left = [&](std::size_t i) { return std::vector<Operand>{{redundancy[i]}}; };
  decode(code, map, *losses, *factors, left, sums);
  return fuse_three_way(drop_unread(program));
}

}  // namespace xorloom
