#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/files/open_file.hpp"
#include "runtime/shards/set_id.hpp"

namespace xorloom {

/// The header of a protection file: which part of the redundancy it holds, and where what is.
///
///     | header | manifest | blocks of chunk first | … of first + count - 1 | manifest | header |
///
/// The header and the manifest stand twice, so that neither a damaged beginning nor a damaged end
/// costs them. The manifest lies in pages with a checksum each. A part that replaces one of the
/// same protection has its id and the next generation. docs/protecting.md has the bytes.
struct PartHeader {
  SetId id;                             ///< random, the same in all parts
  std::uint64_t generation = 1;         ///< how often the protection was written
  std::uint32_t part = 0;               ///< the number of this one
  std::uint32_t parts = 1;              ///< how many there are
  std::uint64_t manifest_bytes = 0;     ///< of its text
  std::uint64_t manifest_checksum = 0;  ///< of its text
  std::uint32_t first = 0;              ///< the first of its redundant chunks, counted from 0
  std::uint32_t count = 0;              ///< of its redundant chunks
  std::uint64_t chunk_blocks = 0;       ///< blocks of a chunk
  std::uint64_t block_bytes = 0;

  friend bool operator==(const PartHeader&, const PartHeader&) = default;
};

/// Where a part is to be written.
struct PlaceOfPart {
  std::filesystem::path path;
  PartHeader header;
};

inline constexpr std::size_t kPartHeaderBytes = 128;
inline constexpr std::size_t kPageBytes = 4096;
inline constexpr std::size_t kPagePayloadBytes = kPageBytes - 8;
inline constexpr std::size_t kRedundantFrameBytes = 8;

std::vector<std::uint8_t> part_header_text(const PartHeader& header);

/// Where in a part: the pages of a copy of the manifest (0 or 1), a block of a redundant chunk of
/// its own, and its end.
std::uint64_t manifest_pages(const PartHeader& header);
std::uint64_t page_offset(const PartHeader& header, int copy, std::uint64_t page);
std::uint64_t redundant_block_offset(const PartHeader& header, std::uint64_t chunk,
                                     std::uint64_t block);
std::uint64_t part_bytes(const PartHeader& header);

/// A page with its checksum. Shape: `payload` is its part of the manifest's text, of at most
/// kPagePayloadBytes.
std::vector<std::uint8_t> page_text(const PartHeader& header, std::span<const std::uint8_t> payload,
                                    std::uint64_t page);

/// The checksum of a redundant block.
std::uint64_t redundant_block_checksum(const PartHeader& header, std::uint64_t chunk,
                                       std::uint64_t block,
                                       std::span<const std::uint8_t> payload) noexcept;

/// Gives a header of part `part` its share of `m` redundant chunks: about as many as any other.
void share_redundancy(PartHeader& header, std::size_t m);

/// Whether a file begins or ends as a protection file does.
bool looks_like_part(const std::filesystem::path& path);

/// The same, or there is a header near its beginning or its end: in a protection file of which
/// bytes were cut off, or to which some were added.
bool has_part_header(const std::filesystem::path& path);

/// A protection file that was opened.
struct ProtectionPart {
  std::filesystem::path path;
  OpenFile file;
  PartHeader header;
  std::vector<std::string> defects;  ///< what is damaged beside blocks, a phrase each
  /// How far anything may be from where it should be, after bytes were inserted in the file or cut
  /// out of it. Reading tries all of them; 0 is the first.
  std::vector<std::int64_t> shifts{0};

  /// Reads a block. False if it is damaged or cannot be read.
  bool read_block(std::uint64_t chunk, std::uint64_t block, std::span<std::uint8_t> payload) const;

  /// Reads a page of the manifest's text. Empty if it is damaged.
  std::vector<std::uint8_t> read_page(int copy, std::uint64_t page) const;

  /// errno, if the system does not let a block or a page be read in its place; else 0 or less.
  int error_of_block(std::uint64_t chunk, std::uint64_t block) const;
  int error_of_page(int copy, std::uint64_t page) const;
};

/// Errors: throws kIo if the file cannot be read, kParse if it is no protection file, kUnsupported
///         if it is one of another version, kDamaged if both of its headers are damaged.
ProtectionPart open_part(const std::filesystem::path& path);

}  // namespace xorloom
