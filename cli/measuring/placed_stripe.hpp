#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <vector>

namespace xorloom::cli {

/// Placement of the chunks of a stripe.
///
///   aligned    at multiples of 4096 bytes (a page), like chunks that are allocated one by one:
///              equal offsets of all chunks fall into the same set of L1
///   staggered  each 576 bytes (nine lines) further on in its page than the chunk before
enum class Layout { kAligned, kStaggered };

inline const char* to_string(Layout layout) {
  return layout == Layout::kAligned ? "aligned" : "staggered";
}

/// Bytes of a page, and the offset in its page that a staggered chunk adds to that of the chunk
/// before.
inline constexpr std::size_t kPageBytes = 4096;
inline constexpr std::size_t kStaggerBytes = 576;

/// Distance in bytes from the begin of a chunk to that of the next.
inline std::size_t pitch_of(std::size_t chunk_bytes, Layout layout) {
  const std::size_t pages = (chunk_bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
  return pages + (layout == Layout::kStaggered ? kStaggerBytes : 0);
}

/// The chunks of a stripe in one block of memory.
class PlacedStripe {
 public:
  PlacedStripe(std::size_t locations, std::size_t chunk_bytes, Layout layout)
      : chunk_bytes_(chunk_bytes) {
    const std::size_t pitch = pitch_of(chunk_bytes, layout);
    const std::size_t bytes = pitch_of(locations * pitch, Layout::kAligned);
    memory_.reset(static_cast<std::uint8_t*>(std::aligned_alloc(kPageBytes, bytes)));
    if (memory_ == nullptr) throw std::bad_alloc();
    for (std::size_t l = 0; l < locations; ++l) pointers_.push_back(memory_.get() + l * pitch);
  }

  std::size_t locations() const { return pointers_.size(); }
  std::size_t chunk_bytes() const { return chunk_bytes_; }
  std::span<std::uint8_t> chunk(std::size_t location) const {
    return {pointers_[location], chunk_bytes_};
  }
  std::uint8_t* const* pointers() const { return pointers_.data(); }

 private:
  struct Free {
    void operator()(std::uint8_t* memory) const { std::free(memory); }
  };
  std::size_t chunk_bytes_;
  std::unique_ptr<std::uint8_t[], Free> memory_;
  std::vector<std::uint8_t*> pointers_;
};

}  // namespace xorloom::cli
