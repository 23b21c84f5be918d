#pragma once

// The loop that takes symbols apart. For the kernels' files alone: each includes its own copy.
//
//   Lanes   kBytes of a register, as words of 64 bits, the lowest byte first
//   left    the words shifted towards high bits; right towards low ones

#include <cstddef>
#include <cstdint>

#include "runtime/kernels/fingerprint_kernel.hpp"

namespace xorloom {
namespace {

/// The low kStep bits of every 2·kStep bits.
template <std::size_t kStep>
constexpr std::uint64_t low_of_pairs() {
  std::uint64_t mask = 0;
  for (std::size_t bit = 0; bit < 64; ++bit) {
    if (bit / kStep % 2 == 0) mask |= std::uint64_t{1} << bit;
  }
  return mask;
}

/// Transposes each w x w matrix of bits that w registers hold, one row in each register. Exchanges
/// the blocks of kStep x kStep bits beside the diagonal, then smaller ones.
///
/// Source: Henry S. Warren, Hacker's Delight, second edition, 2012, section 7-3.
template <class Lanes, std::size_t kW, std::size_t kStep>
inline void transpose(typename Lanes::Register (&rows)[kW]) {
  const typename Lanes::Register mask = Lanes::all(low_of_pairs<kStep>());
#pragma GCC unroll 32
  for (std::size_t i = 0; i < kW; ++i) {
    if ((i & kStep) != 0) continue;
    auto& low = rows[i];
    auto& high = rows[i + kStep];
    const auto moved = Lanes::both(Lanes::add(Lanes::template right<kStep>(low), high), mask);
    high = Lanes::add(high, moved);
    low = Lanes::add(low, Lanes::template left<kStep>(moved));
  }
  if constexpr (kStep > 1) transpose<Lanes, kW, kStep / 2>(rows);
}

template <class Lanes, std::size_t kW>
inline void slice_lines(std::uint8_t* rows, const std::uint8_t* lines, std::size_t stride) {
  for (std::size_t at = 0; at < kSliceBytes; at += Lanes::kBytes) {
    typename Lanes::Register registers[kW];
#pragma GCC unroll 32
    for (std::size_t i = 0; i < kW; ++i) registers[i] = Lanes::load(lines + i * stride + at);
    transpose<Lanes, kW, kW / 2>(registers);
#pragma GCC unroll 32
    for (std::size_t i = 0; i < kW; ++i) {
      Lanes::store(rows + i * kSliceBytes + at, registers[i]);
    }
  }
}

template <class Lanes>
void slice_symbols(std::uint8_t* rows, const std::uint8_t* lines, std::size_t stride,
                   std::size_t w) noexcept {
  switch (w) {
    case 4:
      return slice_lines<Lanes, 4>(rows, lines, stride);
    case 8:
      return slice_lines<Lanes, 8>(rows, lines, stride);
    case 16:
      return slice_lines<Lanes, 16>(rows, lines, stride);
    default:
      return slice_lines<Lanes, 32>(rows, lines, stride);
  }
}

}  // namespace
}  // namespace xorloom
