#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "codes/code.hpp"
#include "xorloom/fragment.hpp"

namespace xorloom {

/// Identity of a code in the headers of fragments.
struct FragmentCode {
  std::uint8_t backend = 0;           ///< liberasurecode's number of the code; 0: it has none
  std::uint32_t backend_version = 0;  ///< version of that backend
  /// Hash of the canonical spec. 0: the header was written by liberasurecode or by Xorloom 0.2.0.
  std::uint64_t hash = 0;
};

FragmentCode fragment_code(const Code& code);

/// A header in full. Fields that the public Fragment lacks are in bytes that liberasurecode sets to
/// 0, never looks at, and covers with the CRC of the header.
struct FragmentHeader {
  Fragment about{};
  FragmentCode code{};
  std::uint64_t stripe = 0;  ///< number that names the stripe; 0: the header names none
};

/// Writes the header, with the CRC of the chunk behind it.
///
/// Shape: location and chunk_bytes are less than 2^32.
void put_fragment_header(const FragmentHeader& header, std::uint8_t* fragment);

/// Reads a header of liberasurecode 1.0 or later, of either byte order, and checks all CRCs that it
/// has, each by zlib's CRC-32 or by the one of liberasurecode before 1.6.
///
/// Errors: those of read_fragment_header().
FragmentHeader parse_fragment_header(std::span<const std::uint8_t> fragment);

/// Fills the fragments of a stripe that holds the data, one per location.
///
/// Shape:  each fragment has kFragmentHeaderBytes + chunk_bytes bytes; chunk_bytes is what
///         Codec::chunk_bytes_for() says.
/// Errors: throws Error as make_fragments() does.
void fill_fragments(const Codec& codec, std::span<const std::uint8_t> data,
                    std::uint8_t* const* fragments, std::size_t chunk_bytes);

}  // namespace xorloom
