#pragma once

#include <cstddef>
#include <cstdint>

namespace xorloom {

/// True if two buffers of `bytes` bytes have a byte in common.
inline bool overlap(const std::uint8_t* a, const std::uint8_t* b, std::size_t bytes) noexcept {
  const auto x = reinterpret_cast<std::uintptr_t>(a);
  const auto y = reinterpret_cast<std::uintptr_t>(b);
  return (x < y ? y - x : x - y) < bytes;
}

}  // namespace xorloom
