#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "codes/code.hpp"

namespace xorloom {

/// All stripes under way together take no more than this, or one stripe if that takes more.
inline constexpr std::size_t kStripeMemoryBytes = std::size_t{1} << 27;

/// Memory for the n chunks of one stripe, and for the user's bytes in it as one span. If a location
/// is one cell, the span is the data chunks themselves, one behind the other; else the bytes are
/// copied.
class StripeBuffer {
 public:
  /// Shape: chunks of up to max_chunk_bytes each.
  StripeBuffer(const Code& code, std::size_t max_chunk_bytes);

  /// Sets the size of the chunks, up to the largest. The chunks' contents are lost; user_bytes()
  /// keeps its beginning.
  void set_chunk_bytes(std::size_t chunk_bytes);

  std::size_t chunk_bytes() const { return chunk_bytes_; }
  std::uint8_t* const* chunks() const { return chunks_.data(); }
  std::span<std::uint8_t> chunk(std::size_t location) const {
    return {chunks_[location], chunk_bytes_};
  }

  /// Room for the user's bytes of the stripe: data_capacity(code, chunk_bytes).
  std::span<std::uint8_t> user_bytes() const { return user_bytes_; }

  /// Copies the first `count` of user_bytes() to the data cells, and zeros behind them.
  void spread(std::size_t count);

  /// Copies the first `count` bytes of the data cells to user_bytes().
  void collect(std::size_t count);

  /// Bytes that a buffer takes.
  static std::size_t memory_bytes(const Code& code, std::size_t max_chunk_bytes);

 private:
  struct Free {
    void operator()(std::uint8_t* bytes) const;
  };
  const Code* code_;
  std::size_t copy_bytes_;  ///< bytes for user_bytes() before the chunks; 0: the chunks serve as
                            ///< user_bytes()
  std::size_t chunk_bytes_ = 0;
  std::unique_ptr<std::uint8_t[], Free> memory_;
  std::vector<std::uint8_t*> chunks_;
  std::vector<std::size_t> order_;  ///< locations in the order of their chunks in memory
  std::span<std::uint8_t> user_bytes_;
};

}  // namespace xorloom
