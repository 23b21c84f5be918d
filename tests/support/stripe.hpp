#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <vector>

namespace xorloom {

/// The chunks of a stripe, filled with seeded random bytes, each between two lines of guard bytes.
/// A value: a copy holds the same bytes at the same alignment.
///
///   | guard 64 | shift | chunk 0 | guard >= 64 | shift | chunk 1 | guard >= 64 | …
///
/// Chunk i begins misalignment·(i + 1) % 64 bytes past a 64-byte boundary, so that an odd
/// misalignment gives neighbours different ones.
class Stripe {
 public:
  Stripe(std::size_t locations, std::size_t chunk_bytes, std::uint64_t seed,
         std::size_t misalignment = 0)
      : chunk_bytes_(chunk_bytes) {
    std::size_t end = 0;
    for (std::size_t i = 0; i < locations; ++i) {
      offsets_.push_back(end + 64 + misalignment * (i + 1) % 64);
      end = (offsets_.back() + chunk_bytes + 64 + 63) / 64 * 64;
    }
    lines_.resize(end / 64 + 1);
    std::memset(lines_.data(), kGuard, lines_.size() * sizeof(Line));
    std::mt19937_64 random(seed);
    for (std::size_t i = 0; i < locations; ++i) {
      for (std::uint8_t& byte : chunk(i)) byte = static_cast<std::uint8_t>(random());
    }
    point();
  }

  Stripe(const Stripe& other)
      : chunk_bytes_(other.chunk_bytes_), offsets_(other.offsets_), lines_(other.lines_) {
    point();
  }
  Stripe& operator=(const Stripe&) = delete;

  std::size_t locations() const { return offsets_.size(); }
  std::size_t chunk_bytes() const { return chunk_bytes_; }

  /// Pointers to the chunks, by location.
  std::uint8_t* const* chunks() const { return pointers_.data(); }

  std::span<std::uint8_t> chunk(std::size_t location) {
    return {lines_.data()->data() + offsets_[location], chunk_bytes_};
  }
  std::span<const std::uint8_t> chunk(std::size_t location) const {
    return {lines_.data()->data() + offsets_[location], chunk_bytes_};
  }

  /// Fills the chunk with a byte, as if it were lost.
  void lose(std::size_t location) {
    for (std::uint8_t& byte : chunk(location)) byte = 0xee;
  }

  /// Whether no byte outside the chunks was written.
  bool guards_intact() const {
    Stripe copy = *this;
    for (std::size_t i = 0; i < locations(); ++i) {
      for (std::uint8_t& byte : copy.chunk(i)) byte = kGuard;
    }
    for (const Line& line : copy.lines_) {
      for (const std::uint8_t byte : line) {
        if (byte != kGuard) return false;
      }
    }
    return true;
  }

  /// True if all chunks have the same bytes.
  friend bool operator==(const Stripe& a, const Stripe& b) {
    if (a.locations() != b.locations() || a.chunk_bytes_ != b.chunk_bytes_) return false;
    for (std::size_t i = 0; i < a.locations(); ++i) {
      if (a.chunk_bytes_ != 0 && std::memcmp(a.pointers_[i], b.pointers_[i], a.chunk_bytes_) != 0) {
        return false;
      }
    }
    return true;
  }

 private:
  struct alignas(64) Line : std::array<std::uint8_t, 64> {};
  static constexpr std::uint8_t kGuard = 0xa5;

  void point() {
    for (std::size_t i = 0; i < locations(); ++i) pointers_.push_back(chunk(i).data());
  }

  std::size_t chunk_bytes_;
  std::vector<std::size_t> offsets_;
  std::vector<Line> lines_;
  std::vector<std::uint8_t*> pointers_;
};

}  // namespace xorloom
