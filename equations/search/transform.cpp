#include "equations/search/transform.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "codes/field/matrix.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/operands.hpp"
#include "equations/passes/drop_unread.hpp"
#include "equations/passes/fuse.hpp"

namespace xorloom {
namespace {

using Symbol = Field::Symbol;
using Sum = std::vector<Operand>;

/// More values than these wait in memory while they are transformed.
constexpr std::size_t kMostPoints = 8;

/// Equations as they are needed. A value is an element, or zero.
class Transforms {
 public:
  static constexpr Element kZero = ~Element{0};

  explicit Transforms(Program& program) : program_(program), next_(program.first_temporary()) {}

  /// Values at the points P … P + M-1 become the coefficients of their polynomial.
  ///
  ///   x ─────⊕─ x'    y' = y + x, x' = x + c y', where c is P >> l for points 2^l apart
  ///   y ─⊕───c─ y'
  void invert(std::vector<Element>& values, std::size_t point) {
    for (std::size_t l = 0; std::size_t{1} << l < values.size(); ++l) {
      for_each_pair(values.size(), l, [&](std::size_t x, std::size_t y, std::size_t block) {
        values[y] = sum({{values[y]}, {values[x]}});
        values[x] = sum({{values[x]}, {values[y], constant(point + block, l)}});
      });
    }
  }

  /// Coefficients become values at the points 0 … M-1: the same steps backwards.
  void evaluate(std::vector<Element>& values) {
    for (std::size_t l = levels(values.size()); l-- > 0;) {
      for_each_pair(values.size(), l, [&](std::size_t x, std::size_t y, std::size_t block) {
        values[x] = sum({{values[x]}, {values[y], constant(block, l)}});
        values[y] = sum({{values[y]}, {values[x]}});
      });
    }
  }

  /// The value of a sum, whose zeros are left out.
  Element sum(const std::vector<Operand>& operands) {
    Sum terms;
    for (const Operand& operand : operands) {
      if (operand.element != kZero && operand.coefficient != 0) add(terms, operand);
    }
    if (terms.empty()) return kZero;
    if (terms.size() == 1 && terms.front().coefficient == 1) return terms.front().element;
    program_.equations.push_back({next_, std::move(terms)});
    return next_++;
  }

 private:
  static std::size_t levels(std::size_t size) {
    std::size_t result = 0;
    while (std::size_t{1} << result < size) ++result;
    return result;
  }
  static Symbol constant(std::size_t block, std::size_t level) {
    return static_cast<Symbol>(block >> level);
  }
  template <typename Use>
  static void for_each_pair(std::size_t size, std::size_t level, const Use& use) {
    const std::size_t distance = std::size_t{1} << level;
    for (std::size_t block = 0; block < size; block += 2 * distance) {
      for (std::size_t x = block; x < block + distance; ++x) use(x, x + distance, block);
    }
  }

  Program& program_;
  Element next_;
};

/// Which cells of a map are data, and which are redundancy, as indices into the code's lists.
struct Parts {
  std::vector<std::size_t> data;
  std::vector<std::size_t> redundant;
};

Parts parts_of(const Code& code, const std::vector<Cell>& cells) {
  Parts parts;
  for (const Cell cell : cells) {
    const auto data = std::ranges::find(code.data, cell);
    if (data != code.data.end()) {
      parts.data.push_back(static_cast<std::size_t>(data - code.data.begin()));
    } else {
      const auto redundant = std::ranges::lower_bound(code.redundant, cell);
      parts.redundant.push_back(static_cast<std::size_t>(redundant - code.redundant.begin()));
    }
  }
  return parts;
}

/// The redundancy of data of which some is zero, by its index.
std::vector<Element> encoded(const Code& code, const std::vector<Element>& data,
                             Transforms& transforms) {
  const std::size_t points = code.transform_points;
  std::vector<Element> sums(points, Transforms::kZero);
  for (std::size_t first = 0; first < data.size(); first += points) {
    std::vector<Element> values(points, Transforms::kZero);
    const std::size_t end = std::min(first + points, data.size());
    std::copy(data.begin() + static_cast<std::ptrdiff_t>(first),
              data.begin() + static_cast<std::ptrdiff_t>(end), values.begin());
    transforms.invert(values, points + first);
    for (std::size_t i = 0; i < points; ++i) sums[i] = transforms.sum({{sums[i]}, {values[i]}});
  }
  transforms.evaluate(sums);
  return sums;
}

/// What each output takes of the syndromes: of lost data a row of the inverse, of lost redundancy
/// what that data adds to it.
Matrix rows_of_outputs(const Code& code, const LinearMap& map, const std::vector<std::size_t>& lost,
                       const Matrix& inverse) {
  Matrix rows(map.outputs.size(), inverse.columns());
  for (std::size_t o = 0; o < map.outputs.size(); ++o) {
    const Parts output = parts_of(code, {map.outputs[o]});
    for (std::size_t u = 0; u < lost.size(); ++u) {
      const Symbol factor = output.redundant.empty()
                                ? Symbol{output.data.front() == lost[u]}
                                : code.parity(output.redundant.front(), lost[u]);
      for (std::size_t t = 0; t < inverse.columns(); ++t) {
        rows(o, t) ^= code.field.multiply(factor, inverse(u, t));
      }
    }
  }
  return rows;
}

}  // namespace

std::optional<Program> transform_program(const Code& code, const LinearMap& map) {
  if (code.transform_points == 0 || code.transform_points > kMostPoints) return std::nullopt;
  const Parts inputs = parts_of(code, map.inputs);
  std::vector<Element> data(code.data.size(), Transforms::kZero);
  for (const std::size_t i : inputs.data) data[i] = code.data[i];
  std::vector<std::size_t> lost;
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (data[i] == Transforms::kZero) lost.push_back(i);
  }
  if (lost.size() != inputs.redundant.size()) return std::nullopt;
  Matrix square(lost.size(), lost.size());
  for (std::size_t t = 0; t < lost.size(); ++t) {
    for (std::size_t u = 0; u < lost.size(); ++u) {
      square(t, u) = code.parity(inputs.redundant[t], lost[u]);
    }
  }
  const std::optional<Matrix> inverse = xorloom::inverse(code.field, square);
  if (!inverse) return std::nullopt;

  Program program = program_over_symbols(code, map);
  Transforms transforms(program);
  const std::vector<Element> redundancy = encoded(code, data, transforms);
  std::vector<Element> syndromes;
  for (const std::size_t i : inputs.redundant) {
    syndromes.push_back(transforms.sum({{redundancy[i]}, {code.redundant[i]}}));
  }
  const Matrix rows = rows_of_outputs(code, map, lost, *inverse);
  for (std::size_t o = 0; o < map.outputs.size(); ++o) {
    const Parts output = parts_of(code, {map.outputs[o]});
    Sum terms;
    for (const std::size_t i : output.redundant) {
      if (redundancy[i] != Transforms::kZero) add(terms, redundancy[i]);
    }
    for (std::size_t t = 0; t < syndromes.size(); ++t) {
      if (rows(o, t) != 0) add(terms, {syndromes[t], rows(o, t)});
    }
    program.equations.push_back({map.outputs[o], std::move(terms)});
  }
  return fuse_three_way(drop_unread(program));
}

}  // namespace xorloom
