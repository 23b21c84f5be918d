#ifndef XORLOOM_FRAGMENT_HPP
#define XORLOOM_FRAGMENT_HPP

#include "xorloom/xorloom.hpp"

#if __cplusplus >= 202002L

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

// Chunks that say themselves what they are. A fragment is a header of 80 bytes and a chunk. The
// header is that of liberasurecode 1.x, with CRC-32s of the chunk and of itself. So pyeclib and
// OpenStack Swift read fragments of isa-vandermonde, isa-cauchy, rs with w = 16, and cauchy with
// w = 4 and packets of 1024 bytes. Those that they write are read here.

namespace xorloom {

inline constexpr std::size_t kFragmentHeaderBytes = 80;

/// What a header says.
struct Fragment {
  std::size_t location;      ///< of the chunk
  std::size_t chunk_bytes;   ///< that follow the header
  std::uint64_t data_bytes;  ///< of the stripe, without what was filled up
};

/// The fragments of a stripe that holds the data, one per location.
///
/// Errors: throws Error: kInvalidArgument if a chunk would have 2^32 bytes or more, kUnsupported if
///         memory runs out.
/// Cost:   spread() and encode(), and a CRC of each chunk.
XORLOOM_API std::vector<std::vector<std::uint8_t>> make_fragments(
    const Codec& codec, std::span<const std::uint8_t> data);

/// The data of a stripe, from enough of its fragments, in any order. What is damaged counts as not
/// there, and so does a location that comes again.
///
/// Errors: throws Error: kDamaged if too few are intact; kInvalidArgument if they are of different
///         stripes or of another code; kUnsupported if memory runs out.
/// Cost:   a CRC of each chunk, then decode() of the data that is not there, and collect().
XORLOOM_API std::vector<std::uint8_t> join_fragments(
    const Codec& codec, std::span<const std::span<const std::uint8_t>> fragments);

/// Writes the header before a chunk that is there already.
///
/// Shape:  fragment has kFragmentHeaderBytes + about.chunk_bytes bytes.
/// Errors: throws Error, kInvalidArgument, if the location is not one of the codec's or the chunk
///         has 2^32 bytes or more.
XORLOOM_API void write_fragment_header(const Codec& codec, const Fragment& about,
                                       std::uint8_t* fragment);

/// What the header of a fragment says.
///
/// Errors: throws Error: kParse if it does not begin as one; kDamaged if it is cut short, or if a
///         CRC is not that of the header or of the chunk. Chunks without a CRC are not checked.
XORLOOM_API Fragment read_fragment_header(std::span<const std::uint8_t> fragment);

}  // namespace xorloom

#endif  // C++20

#endif
