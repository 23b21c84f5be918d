#pragma once

// Decoding while chunks arrive: each chunk is added when it comes, and is not needed afterwards.
// After the last chunk, only its own part of the work is left.
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

/// Rebuilds chunks from others that arrive in any order. The decoder holds a sum for each wanted
/// chunk, and one for each coming chunk beyond the number needed. It adds each arrival to all sums.
///
/// One thread at a time may use it. It may be used after its codec is destroyed.
class XORLOOM_API ProgressiveDecoder {
 public:
  /// Shape:  wanted lists the locations to rebuild, coming those whose chunks may arrive. If coming
  ///         is empty, all other chunks may. Name the chunks first that are expected first; they
  ///         may arrive in any order, at the same cost.
  /// Errors: throws Error: kInvalidArgument if a location is out of range, named twice, or both
  ///         wanted and coming, or if chunk_bytes is not a multiple of Codec::chunk_multiple();
  ///         kDamaged if the coming chunks do not determine the wanted ones; kUnsupported if
  ///         chunks of the code have several cells, or if memory runs out.
  /// Cost:   memory for wanted.size() chunks, and for each coming chunk beyond the number needed.
  ProgressiveDecoder(const Codec& codec, std::span<const std::size_t> wanted,
                     std::size_t chunk_bytes, std::span<const std::size_t> coming = {});
  ProgressiveDecoder(ProgressiveDecoder&& other) noexcept;
  ProgressiveDecoder& operator=(ProgressiveDecoder&& other) noexcept;
  ~ProgressiveDecoder();

  /// Adds a chunk. A chunk that came before, or is no longer needed, is ignored.
  ///
  /// Shape:   chunk has chunk_bytes bytes; it is not used after the call.
  /// Errors:  kInvalidArgument if the location is not one of the coming ones or the pointer is
  ///          null; kUnsupported if memory runs out: then the chunk may be added again; kInternal
  ///          if a kernel is not accepted, or the sums are not proved.
  /// Cost:    each sum is read and written once; for the last chunk that is needed, only the sums
  ///          of the wanted chunks. A kernel that is new to the process is accepted first, in about
  ///          50 µs.
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
