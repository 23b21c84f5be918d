#pragma once

#include "xorloom/xorloom.hpp"

#if __cplusplus >= 202002L

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace xorloom {

/// Memory for the chunks of a stripe, not initialised. The chunks are placed so that they do not
/// compete for the same cache sets. In L2, chunks that all begin at page boundaries were 20 to 60 %
/// slower. If the codec runs on devices, the memory is pinned if they offer that, so that they
/// reach it without a copy in between.
class XORLOOM_API Chunks {
 public:
  /// Allocates a chunk of chunk_bytes bytes for each location of the codec.
  ///
  /// Errors: throws Error: kInvalidArgument if chunk_bytes is not a multiple of
  ///         Codec::chunk_multiple(), kUnsupported if there is not that much memory.
  Chunks(const Codec& codec, std::size_t chunk_bytes);
  Chunks(Chunks&& other) noexcept;
  Chunks& operator=(Chunks&& other) noexcept;
  ~Chunks();

  /// One pointer per location, each aligned to 64 bytes.
  std::uint8_t* const* data() const noexcept { return pointers_.data(); }

  /// The number of chunks.
  std::size_t size() const noexcept { return pointers_.size(); }

  /// The bytes of the chunk at a location.
  std::span<std::uint8_t> operator[](std::size_t location) const noexcept {
    return {pointers_[location], chunk_bytes_};
  }

 private:
  std::size_t chunk_bytes_;
  std::shared_ptr<std::uint8_t> memory_;
  std::vector<std::uint8_t*> pointers_;
};

}  // namespace xorloom

#endif
