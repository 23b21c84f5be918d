#pragma once

#include <cstdint>

namespace xorloom {

/// A small pseudorandom generator for searches. A seed gives the same numbers on any machine.
///
/// Source: G. Steele, D. Lea, C. Flood, Fast splittable pseudorandom number generators, OOPSLA
///         2014, with the finalizer of D. Stafford's "Better bit mixing", variant 13.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t operator()() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  /// A number in [0, bound); 0 < bound.
  std::uint32_t below(std::uint32_t bound) { return scale((*this)(), bound); }

  /// A number in (0, 1].
  double unit() { return (static_cast<double>((*this)() >> 11) + 1) * 0x1p-53; }

  /// Maps the upper 32 bits of `bits` to a number in [0, bound).
  static std::uint32_t scale(std::uint64_t bits, std::uint32_t bound) {
    return static_cast<std::uint32_t>(((bits >> 32) * bound) >> 32);
  }

 private:
  std::uint64_t state_;
};

/// Derives seed `number` from a seed.
inline std::uint64_t seed_of(std::uint64_t seed, std::uint64_t number) {
  return Random(seed ^ Random(number)())();
}

}  // namespace xorloom
