#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace xorloom {

/// A sum over a window of bytes that can move by one byte at a time, to find a known block in a
/// file. It finds candidates: a checksum tells whether one is the block.
///
///     low 32 bits    the sum of the bytes
///     high 32 bits   the sum of the n bytes, with weights from n for the first to 1 for the last
///
/// Source: Tridgell and Mackerras, The rsync algorithm, 1996, without their modulus.
class RollingSum {
 public:
  /// The sum of a window.
  explicit RollingSum(std::span<const std::uint8_t> window) noexcept;

  /// Moves the window by one byte: `first` leaves in front, `next` enters at the end.
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
