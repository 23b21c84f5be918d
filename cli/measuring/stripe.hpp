#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace xorloom::cli {

/// The chunks of a stripe in memory. hold() gives a location its bytes, zero at first.
class Stripe {
 public:
  Stripe(std::size_t locations, std::size_t chunk_bytes)
      : chunk_bytes_(chunk_bytes), chunks_(locations), pointers_(locations) {}

  std::span<std::uint8_t> hold(std::size_t location) {
    chunks_[location].resize(chunk_bytes_);
    pointers_[location] = chunks_[location].data();
    return chunks_[location];
  }
  void hold_all() {
    for (std::size_t location = 0; location < chunks_.size(); ++location) hold(location);
  }

  std::size_t chunk_bytes() const { return chunk_bytes_; }
  bool holds(std::size_t location) const { return pointers_[location] != nullptr; }
  std::span<std::uint8_t> chunk(std::size_t location) { return chunks_[location]; }

  /// A pointer per location; null if it holds no bytes.
  std::uint8_t* const* pointers() const { return pointers_.data(); }

 private:
  std::size_t chunk_bytes_;
  std::vector<std::vector<std::uint8_t>> chunks_;
  std::vector<std::uint8_t*> pointers_;
};

}  // namespace xorloom::cli
