#include "equations/search/boyar_peralta.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace xorloom {
namespace {

using Value = Circuit::Value;
using Sum = std::uint32_t;  ///< bit c for column c

/// The values computed so far, and the fewest of them that add up to each sum: one for a value, two
/// for a sum that one XOR makes a value.
class Base {
 public:
  explicit Base(std::size_t columns) : fewest_(std::size_t{1} << columns) {
    circuit_.inputs = columns;
    for (Sum sum = 0; sum < fewest_.size(); ++sum) {
      fewest_[sum] = static_cast<std::uint8_t>(std::popcount(sum));
    }
    for (std::size_t c = 0; c < columns; ++c) sums_.push_back(Sum{1} << c);
  }

  std::uint32_t fewest(Sum sum) const { return fewest_[sum]; }
  Sum num_sums() const { return static_cast<Sum>(fewest_.size()); }

  Value value_of(Sum sum) const {
    return static_cast<Value>(std::ranges::find(sums_, sum) - sums_.begin());
  }

  /// Computes a sum of two values: any two, if there are several.
  void add(Sum sum, Random& random) {
    Value chosen = 0;
    std::uint32_t num_alike = 0;
    for (Value value = 0; value < sums_.size(); ++value) {
      const bool is_first = sums_[value] < (sums_[value] ^ sum);
      if (!is_first || fewest_[sums_[value] ^ sum] != 1) continue;
      if (random.below(++num_alike) == 0) chosen = value;
    }
    circuit_.add(chosen, value_of(sums_[chosen] ^ sum));
    sums_.push_back(sum);
    // In place, since two steps along the same sum lead back.
    for (Sum other = 0; other < num_sums(); ++other) {
      const int with_it = fewest_[other ^ sum] + 1;
      fewest_[other] = static_cast<std::uint8_t>(std::min<int>(fewest_[other], with_it));
    }
  }

  Circuit circuit() && { return std::move(circuit_); }

 private:
  std::vector<std::uint8_t> fewest_;  ///< by sum
  std::vector<Sum> sums_;             ///< by value
  Circuit circuit_;
};

/// The sum of two values that brings the targets, none of which is one, nearest. None of them gets
/// nearer by more than one value; of as many the nearest have to, which leaves the largest norm.
Sum nearest(const Base& base, const std::vector<Sum>& targets, Random& random) {
  constexpr std::uint32_t kTarget = 1U << 16;  // more than all distances together
  struct Target {
    Sum sum;
    std::uint32_t fewest;
  };
  std::vector<Target> far;
  for (const Sum target : targets) far.push_back({target, base.fewest(target)});
  Sum chosen = 0;
  std::uint32_t best = 0;
  std::uint32_t num_alike = 0;
  for (Sum sum = 0; sum < base.num_sums(); ++sum) {
    if (base.fewest(sum) != 2) continue;
    std::uint32_t gain = 0;
    for (const Target& target : far) {
      if (base.fewest(target.sum ^ sum) + 2 == target.fewest) gain += kTarget - target.fewest;
    }
    if (gain < best) continue;
    if (gain > best) num_alike = 0;
    best = gain;
    if (random.below(++num_alike) == 0) chosen = sum;
  }
  return chosen;
}

}  // namespace

std::optional<Circuit> boyar_peralta(const BitMatrix& matrix, Random& random) {
  if (matrix.columns() > kMostNarrowColumns || matrix.rows() > kMostNarrowRows) return std::nullopt;
  std::vector<Sum> rows;
  for (std::size_t r = 0; r < matrix.rows(); ++r) {
    Sum& row = rows.emplace_back();
    for (const std::size_t column : matrix.ones(r)) row |= Sum{1} << column;
  }
  std::vector<Sum> targets = rows;
  std::sort(targets.begin(), targets.end());
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  std::erase_if(targets, [](Sum row) { return std::popcount(row) < 2; });

  Base base(matrix.columns());
  while (!targets.empty()) {
    const auto at_hand =
        std::ranges::find_if(targets, [&](Sum target) { return base.fewest(target) == 2; });
    const Sum next = at_hand != targets.end() ? *at_hand : nearest(base, targets, random);
    base.add(next, random);
    std::erase(targets, next);
  }
  std::vector<Value> outputs;
  for (const Sum row : rows) outputs.push_back(row == 0 ? Circuit::kZero : base.value_of(row));
  Circuit circuit = std::move(base).circuit();
  circuit.outputs = std::move(outputs);
  return circuit;
}

}  // namespace xorloom
