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
// OpenStack Swift read fragments of isa-vandermonde, isa-cauchy with m >= 2, rs with w = 16, and
// cauchy with w = 4 and packets of 1024 bytes. Those that they write are read here: of any version
// from 1.0 on, with the CRC of versions before 1.6, and from machines of the other byte order.
//
// In bytes that liberasurecode leaves 0, a header also has a hash of the code's canonical spec, and
// a number that names the stripe. Fragments of another code or stripe are refused by these. Headers
// that liberasurecode or Xorloom 0.2.0 wrote have neither. They tell the backend and the sizes; two
// objects of one size, or codes of one backend whose chunks have one size, are told apart only if
// there are more fragments than the data takes, as redundancy then contradicts data.

namespace xorloom {

inline constexpr std::size_t kFragmentHeaderBytes = 80;

/// Content of a fragment's header.
struct Fragment {
  std::size_t location;      ///< location of the chunk
  std::size_t chunk_bytes;   ///< bytes of the chunk, which follows the header
  std::uint64_t data_bytes;  ///< data bytes of the stripe, without padding
};

/// The fragments of a stripe that holds the data, one per location.
///
/// Errors: throws Error: kInvalidArgument if a chunk would have 2^32 bytes or more, kUnsupported if
///         memory runs out.
/// Cost:   spread() and encode(), and a CRC of each chunk.
XORLOOM_API std::vector<std::vector<std::uint8_t>> make_fragments(
    const Codec& codec, std::span<const std::uint8_t> data);

/// The data of a stripe, from enough of its fragments, in any order. What is damaged counts as not
/// there, and so does a location that comes again or that the code does not have.
///
/// Errors: throws Error: kInvalidArgument if they are of different stripes or of another code, as
///         far as headers tell; kDamaged if too few are intact, or if headers do not tell and some
///         fragments contradict the others; kUnsupported if memory runs out.
/// Cost:   a CRC of each chunk, then decode() of the data that is not there, and collect(). If
///         headers name no stripe and there are more fragments than needed, also verify().
XORLOOM_API std::vector<std::uint8_t> join_fragments(
    const Codec& codec, std::span<const std::span<const std::uint8_t>> fragments);

/// Writes the header before a chunk that is there already. It names the code, but no stripe.
///
/// Shape:  fragment has kFragmentHeaderBytes + about.chunk_bytes bytes.
/// Errors: throws Error, kInvalidArgument, if the location is not one of the codec's or the chunk
///         has 2^32 bytes or more.
XORLOOM_API void write_fragment_header(const Codec& codec, const Fragment& about,
                                       std::uint8_t* fragment);

/// Names the stripe of a fragment: join_fragments() refuses fragments whose numbers differ. The
/// header is written anew. make_fragments() takes XXH3 of the data as the number.
///
/// Shape:  stripe is any number; 0 names none.
/// Errors: those of read_fragment_header().
XORLOOM_API void set_fragment_stripe(std::uint64_t stripe, std::span<std::uint8_t> fragment);

/// Reads the header of a fragment, and checks the CRCs.
///
/// Errors: throws Error: kParse if it does not begin as one; kDamaged if it is cut short, or if a
///         CRC is not that of the header or of the chunk. Chunks without a CRC are not checked.
XORLOOM_API Fragment read_fragment_header(std::span<const std::uint8_t> fragment);

}  // namespace xorloom

#endif  // C++20

#endif
