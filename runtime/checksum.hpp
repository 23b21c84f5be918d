#pragma once

#include <cstdint>
#include <span>

namespace xorloom {

/// XXH3, 64 bits, seed 0, of the bytes of two spans one after the other.
///
/// Cost: one pass; no allocation.
std::uint64_t checksum(std::span<const std::uint8_t> bytes,
                       std::span<const std::uint8_t> more = {}) noexcept;

}  // namespace xorloom
