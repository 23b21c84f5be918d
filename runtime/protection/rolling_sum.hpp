#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace xorloom {

/// A sum of bytes that follows a window which moves by one byte at a time, to find where a known
/// block stands in a file. It finds candidates: whether one is the block, a checksum tells.
///
///     low 32 bits    the sum of the bytes
///     high 32 bits   the sum of the bytes, the first of n weighing n and the last 1
///
/// Source: Tridgell and Mackerras, The rsync algorithm, 1996, without their modulus.
class RollingSum {
 public:
  /// The sum of a window.
  explicit RollingSum(std::span<const std::uint8_t> window) noexcept;

  /// Moves the window by one byte: the first goes, another comes behind the last.
  void move(std::uint8_t first, std::uint8_t next) noexcept {
    plain_ += static_cast<std::uint32_t>(next) - first;
    weighted_ += plain_ - length_ * first;
  }

  std::uint64_t value() const noexcept {
    return std::uint64_t{weighted_} << 32 | std::uint64_t{plain_};
  }

 private:
  std::uint32_t length_;
  std::uint32_t plain_ = 0;
  std::uint32_t weighted_ = 0;
};

}  // namespace xorloom
