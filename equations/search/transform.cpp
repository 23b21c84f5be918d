#include "equations/search/transform.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "equations/build/direct.hpp"
#include "equations/build/symbol_sums.hpp"
#include "equations/passes/drop_unread.hpp"
#include "equations/passes/fuse.hpp"
#include "equations/search/elimination.hpp"

namespace xorloom {
namespace {

using Symbol = Field::Symbol;
constexpr Element kZero = SymbolSums::kZero;

/// More values than these wait in memory while they are transformed.
constexpr std::size_t kMostPoints = 8;

std::size_t levels(std::size_t size) {
  std::size_t result = 0;
  while (std::size_t{1} << result < size) ++result;
  return result;
}

/// The factor of a block of pairs whose points are 2^level apart.
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

/// Values at the points P … P + M-1 become the coefficients of their polynomial.
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

/// Coefficients become values at the points P … P + M-1: the same steps backwards. Where a target
/// is no zero, it gets the value.
void evaluate(std::vector<Element>& values, std::size_t point, SymbolSums& sums,
              const std::vector<Element>& targets) {
  for (std::size_t l = levels(values.size()); l-- > 0;) {
    const auto value = [&](std::size_t i, const std::vector<Operand>& operands) {
      const bool is_target = l == 0 && targets[i] != kZero;
      return is_target ? sums.assign(targets[i], operands) : sums.sum(operands);
    };
    for_each_pair(values.size(), l, [&](std::size_t x, std::size_t y, std::size_t block) {
      values[x] = value(x, {{values[x]}, {values[y], constant(point + block, l)}});
      values[y] = value(y, {{values[y]}, {values[x]}});
    });
  }
}

/// The coefficients of the redundancy of data of which some is zero.
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

/// By index of the code's data or redundancy, those cells that are outputs of a map.
std::vector<Element> outputs_among(const std::vector<Cell>& cells, const LinearMap& map) {
  std::vector<Element> result;
  for (const Cell cell : cells) {
    const bool is_output = std::ranges::find(map.outputs, cell) != map.outputs.end();
    result.push_back(is_output ? cell : kZero);
  }
  return result;
}

/// Whether the data that is lost is a group of M, and all redundancy takes its place.
bool is_whole_group(const Code& code, const LostData& losses) {
  const std::vector<std::size_t>& lost = losses.lost;
  const std::size_t points = code.transform_points;
  return points > 1 && lost.size() == points && lost.front() % points == 0 &&
         lost.back() - lost.front() == points - 1;
}

/// The redundancy, less what the known data adds to it, becomes the lost data by transforms alone.
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

std::optional<Program> transform_program(const Code& code, const LinearMap& map) {
  if (code.transform_points == 0 || code.transform_points > kMostPoints) return std::nullopt;
  const std::optional<LostData> losses = lost_data(code, map);
  if (!losses) return std::nullopt;
  const std::vector<std::size_t>& lost = losses->lost;
  Program program = program_over_symbols(code, map);
  SymbolSums sums(program);
  const std::vector<Element> targets = outputs_among(code.data, map);
  if (is_whole_group(code, *losses)) {
    add_group(code, *losses, targets, sums);
    return fuse_three_way(drop_unread(program));
  }
  const std::optional<TriangularFactors> factors = best_factors(code.field, losses->square);
  if (!factors) return std::nullopt;

  std::vector<Element> redundancy = coefficients(code, losses->data, sums);
  evaluate(redundancy, 0, sums, std::vector<Element>(redundancy.size(), kZero));
  std::vector<Element> syndromes;
  for (const std::size_t i : losses->redundant) {
    syndromes.push_back(sums.sum({{redundancy[i]}, {code.redundant[i]}}));
  }
  std::vector<Element> targets_of_lost;
  for (const std::size_t u : lost) targets_of_lost.push_back(targets[u]);
  const std::vector<Element> found = solve(code.field, *factors, syndromes, targets_of_lost, sums);
  for (std::size_t i = 0; i < code.redundant.size(); ++i) {
    if (!std::ranges::binary_search(map.outputs, code.redundant[i])) continue;
    std::vector<Operand> terms{{redundancy[i]}};
    for (std::size_t u = 0; u < found.size(); ++u) {
      terms.push_back({found[u], code.parity(i, lost[u])});
    }
    sums.assign(code.redundant[i], terms);
  }
  return fuse_three_way(drop_unread(program));
}

}  // namespace xorloom
