#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace xorloom {

/// Bytes that a checksum takes in a file.
inline constexpr std::size_t kChecksumBytes = 8;

/// XXH3, 64 bits, seed 0, of the bytes of two spans one after the other.
///
/// Cost: one pass; no allocation.
std::uint64_t checksum(std::span<const std::uint8_t> bytes,
                       std::span<const std::uint8_t> more = {}) noexcept;

/// `number` parts of `part_bytes` bytes each, which begin `step` bytes apart.
struct SpacedParts {
  const std::uint8_t* first;
  std::size_t part_bytes;
  std::size_t step;
  std::size_t number;
};

/// The checksum of the bytes of a span and of the parts, one after the other.
std::uint64_t checksum(std::span<const std::uint8_t> bytes, const SpacedParts& parts) noexcept;

/// The checksum of bytes that come in several spans.
class RunningChecksum {
 public:
  RunningChecksum();
  RunningChecksum(const RunningChecksum&) = delete;
  RunningChecksum& operator=(const RunningChecksum&) = delete;
  ~RunningChecksum();

  void add(std::span<const std::uint8_t> bytes) noexcept;
  std::uint64_t value() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace xorloom
