#pragma once

// Decoding while chunks arrive: each chunk is worked in when it comes, and may go at once. After
// the last one, only its own part of the work is left.
//
//   xorloom::ProgressiveDecoder decoder(codec, lost, chunk_bytes);
//   while (!decoder.is_done()) status = decoder.add(location, chunk);  // in any order
//   decoder.chunk(lost[0]);  // rebuilt

#include "xorloom/xorloom.hpp"

#if defined(__cplusplus) && __cplusplus >= 202002L  // else xorloom.hpp has said what it needs

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace xorloom {

/// Rebuilds chunks from others that arrive in any order. It holds a sum for each wanted chunk and
/// for each chunk that may come beyond those that are needed, and adds each arrival to all of them.
///
/// One thread at a time may use it. It may be used after its codec is destroyed.
class XORLOOM_API ProgressiveDecoder {
 public:
  /// Shape:  wanted lists the locations to rebuild, coming those whose chunks may arrive; if none
  ///         are named, all others may. Those that come first in the list are expected first: any
  ///         chunk may come instead, at the same cost.
  /// Errors: throws Error: kInvalidArgument if a location is out of range, named twice, or both
  ///         wanted and coming, or if chunk_bytes is not a multiple of Codec::chunk_multiple();
  ///         kDamaged if the coming chunks do not determine the wanted ones; kUnsupported if the
  ///         code lies in packets or in sub-chunks, or if memory runs out.
  /// Cost:   memory for wanted.size() chunks, and for as many more as coming has beyond those that
  ///         are needed. The first decoder of a code in a process accepts its kernels, which takes
  ///         about a millisecond for 10 + 4.
  ProgressiveDecoder(const Codec& codec, std::span<const std::size_t> wanted,
                     std::size_t chunk_bytes, std::span<const std::size_t> coming = {});
  ProgressiveDecoder(ProgressiveDecoder&& other) noexcept;
  ProgressiveDecoder& operator=(ProgressiveDecoder&& other) noexcept;
  ~ProgressiveDecoder();

  /// Works a chunk in. A chunk that came before, and any that is not needed any more, is passed
  /// over.
  ///
  /// Shape:   chunk has chunk_bytes bytes; it is not used after the call.
  /// Errors:  kInvalidArgument if the location is not one of the coming ones or the pointer is
  ///          null; kUnsupported if memory runs out. Then the chunk may be added again.
  /// Cost:    each sum is read and written once. Of the last chunk that is needed, only the sums of
  ///          wanted chunks are.
  Status add(std::size_t location, const std::uint8_t* chunk) noexcept;

  /// True if every wanted chunk is rebuilt.
  bool is_done() const noexcept;

  /// A wanted chunk, which lives as long as the decoder. Null until is_done(), and for a location
  /// that is not wanted.
  const std::uint8_t* chunk(std::size_t location) const noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace xorloom

#endif  // C++20
