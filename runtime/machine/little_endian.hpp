#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace xorloom {

/// Writes and reads an unsigned number, its lowest byte first, at any address.
template <std::unsigned_integral Number>
void put(std::uint8_t* to, Number number) noexcept {
  for (std::size_t i = 0; i < sizeof number; ++i)
    to[i] = static_cast<std::uint8_t>(number >> (8 * i));
}

template <std::unsigned_integral Number>
Number get(const std::uint8_t* from) noexcept {
  Number number = 0;
  for (std::size_t i = 0; i < sizeof number; ++i) {
    number = static_cast<Number>(number | static_cast<Number>(from[i]) << (8 * i));
  }
  return number;
}

/// `bytes` rounded up to a multiple of 8, where every part of a header begins.
constexpr std::size_t padded(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

}  // namespace xorloom
