#pragma once

#include <cstddef>
#include <cstdint>

namespace xorloom {

// What the plain-XOR kernels of every instruction set take. Plain data only: the kernels'
// translation units share no code that a linker could merge.

/// Streams of bytes: every written one becomes the XOR of all that are read. At least one is read.
struct PlainXorStreams {
  const std::uint8_t* const* reads;
  std::size_t num_reads;
  std::uint8_t* const* writes;
  std::size_t num_writes;
};

/// In which order memory is touched, and how. A line is 64 bytes.
///
///   lines           that many consecutive lines of one stream before the next stream: 1, 2, 4 or 8
///                   (AVX2 takes 8 for 4, portable code all but 1 for 2).
///                   With 1, streams that begin equal mod 4096 fight for the same ways of a cache
///   non_temporal    stores go past the caches (where the written streams are aligned to lines)
///   prefetch_bytes  lines so far ahead are prefetched; 0: none are
///   slice_bytes     eight streams at a time over that many bytes, sums carried in a buffer, then
///   the
///                   next eight: few streams at once where many are read; 0: all at once
struct PlainXorShape {
  std::uint32_t lines = 1;
  bool non_temporal = false;
  std::uint32_t prefetch_bytes = 0;
  std::uint32_t slice_bytes = 0;
};

inline constexpr std::uint32_t kMaxSliceBytes = 4096;

/// Bytes begin … end of every stream. Shape: slice_bytes is a multiple of 64·lines, at most
/// kMaxSliceBytes.
using PlainXorKernel = void (*)(const PlainXorStreams& streams, const PlainXorShape& shape,
                                std::size_t begin, std::size_t end) noexcept;

void plain_xor_portable(const PlainXorStreams& streams, const PlainXorShape& shape,
                        std::size_t begin, std::size_t end) noexcept;
void plain_xor_avx2(const PlainXorStreams& streams, const PlainXorShape& shape, std::size_t begin,
                    std::size_t end) noexcept;
void plain_xor_avx512(const PlainXorStreams& streams, const PlainXorShape& shape, std::size_t begin,
                      std::size_t end) noexcept;

}  // namespace xorloom
