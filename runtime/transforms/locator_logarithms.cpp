#include "runtime/transforms/locator_logarithms.hpp"

#include <bit>

namespace xorloom {
namespace {

/// The Walsh transform, not normalised: applied twice, it multiplies by N. Radix 4.
void transform(std::int32_t* points, std::size_t count) noexcept {
  std::size_t quarter = 1;
  for (; 4 * quarter <= count; quarter *= 4) {
    for (std::size_t first = 0; first < count; first += 4 * quarter) {
      std::int32_t* const x = points + first;
      for (std::size_t i = 0; i < quarter; ++i) {
        const std::int32_t a = x[i] + x[i + quarter];
        const std::int32_t b = x[i] - x[i + quarter];
        const std::int32_t c = x[i + 2 * quarter] + x[i + 3 * quarter];
        const std::int32_t d = x[i + 2 * quarter] - x[i + 3 * quarter];
        x[i] = a + c;
        x[i + quarter] = b + d;
        x[i + 2 * quarter] = a - c;
        x[i + 3 * quarter] = b - d;
      }
    }
  }
  if (quarter == count) return;
  for (std::size_t i = 0; i < quarter; ++i) {
    const std::int32_t x = points[i];
    const std::int32_t y = points[i + quarter];
    points[i] = x + y;
    points[i + quarter] = x - y;
  }
}

}  // namespace

LocatorLogarithms::LocatorLogarithms(const Field& field, std::size_t points)
    : w_(field.w()),
      order_(static_cast<std::int32_t>(field.size() - 1)),
      inverse_(static_cast<std::int32_t>(
          std::int32_t{1} << (w_ - static_cast<std::size_t>(std::countr_zero(points))) % w_)),
      logarithms_(points) {
  for (std::size_t i = 1; i < points; ++i) {
    logarithms_[i] =
        folded(static_cast<std::int32_t>(field.logarithm(static_cast<Field::Symbol>(i))));
  }
  transform(logarithms_.data(), points);
  for (std::int32_t& sum : logarithms_) sum = folded(sum);
}

/// `sum` modulo q, from -q/2 to q/2; 2^w is 1 modulo q. So sums of N ≤ 2^16 results, and products
/// of a result with a number up to N, fit 32 bits.
///
/// Shape: `sum` has up to 2·w bits, with its sign.
std::int32_t LocatorLogarithms::folded(std::int32_t sum) const noexcept {
  const std::int32_t half = order_ / 2;
  std::int32_t rest = (sum >> w_) + (sum & order_);
  rest = (rest >> w_) + (rest & order_);
  return rest - (rest > half ? order_ : 0);
}

void LocatorLogarithms::to_logarithms(std::span<std::int32_t> points) const noexcept {
  transform(points.data(), points.size());
  for (std::size_t i = 0; i < points.size(); ++i) points[i] = folded(points[i] * logarithms_[i]);
  transform(points.data(), points.size());
  for (std::int32_t& sum : points) {
    const std::int32_t rest = folded(folded(sum) * inverse_);
    sum = rest < 0 ? rest + order_ : rest;
  }
}

}  // namespace xorloom
