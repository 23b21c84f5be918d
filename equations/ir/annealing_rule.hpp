#pragma once

#include <bit>
#include <cstdint>

namespace xorloom {

// Simulated annealing in integers: a search makes the same moves with every C library, compiler and
// processor. Temperatures, logarithms and numbers of halvings are in units of 1/65536.

/// 1 in units of 1/65536.
inline constexpr std::uint64_t kAnnealingUnit = std::uint64_t{1} << 16;

/// `number` in units of 1/65536, rounded; number >= 0.
constexpr std::uint64_t annealing_units(double number) {
  return static_cast<std::uint64_t>(number * static_cast<double>(kAnnealingUnit) + 0.5);
}

/// 2^-x in units of 2^-32. Exact for whole x, linear between them: at most 6.2 % too high.
constexpr std::uint64_t power_of_half(std::uint64_t x) {
  if (x >= 33 * kAnnealingUnit) return 0;
  const std::uint64_t part = x % kAnnealingUnit;
  return ((std::uint64_t{1} << 32) - (part << 15)) >> (x / kAnnealingUnit);
}

/// True if a move that raises the price by `rise` stays. With random `bits`, that has the
/// probability exp(-rise / temperature), or up to 6.2 % more; always true if rise <= 0.
///
/// Shape:  temperature <= 2^40.
/// Source: N. Metropolis and others, Equation of state calculations by fast computing machines,
///         1953.
constexpr bool stays(std::int64_t rise, std::uint64_t temperature, std::uint64_t bits) {
  constexpr std::uint64_t kLogarithmOf2 = annealing_units(0.6931471805599453);
  if (rise <= 0) return true;
  // The number of halvings, x, for which power_of_half(x) is a random number in (0, 1].
  const std::uint64_t halvings = static_cast<std::uint64_t>(std::countl_zero(bits | 1U));
  const std::uint64_t x = halvings * kAnnealingUnit + bits % kAnnealingUnit;
  const std::uint64_t most = temperature * (x * kLogarithmOf2 / kAnnealingUnit);
  return static_cast<std::uint64_t>(rise) <= most / kAnnealingUnit / kAnnealingUnit;
}

/// The temperature of move `move` of `moves`, which falls linearly from `hot` to `cold`.
///
/// Shape: cold <= hot <= 2^20; move < moves < 2^44.
constexpr std::uint64_t linear_temperature(std::uint64_t hot, std::uint64_t cold,
                                           std::uint64_t move, std::uint64_t moves) {
  return hot - (hot - cold) * move / moves;
}

/// The temperature of move `move` of `moves`, which falls from `hot` by the same factor with every
/// move; in all it is halved `halvings` times.
///
/// Shape: hot <= 2^31; halvings <= 2^20; move < moves < 2^44.
constexpr std::uint64_t geometric_temperature(std::uint64_t hot, std::uint64_t halvings,
                                              std::uint64_t move, std::uint64_t moves) {
  return hot * power_of_half(halvings * move / moves) >> 32;
}

}  // namespace xorloom
