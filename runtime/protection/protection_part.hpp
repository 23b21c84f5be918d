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

/// The header of a protection file: its share of the redundancy, and its sizes.
///
///     | header | manifest | blocks of chunk first | … of first + count - 1 | manifest | header |
///
/// Header and manifest are stored twice, so that neither a damaged beginning nor a damaged end
/// costs them. The manifest is stored in pages with a checksum each. A part that replaces one of
/// the same protection has its id and the next generation. docs/protecting.md has the bytes.
struct PartHeader {
  SetId id;                             ///< random, equal in all parts
  std::uint64_t generation = 1;         ///< number of times the protection was written
  std::uint32_t part = 0;               ///< number of this part, from 0
  std::uint32_t parts = 1;              ///< number of all parts
  std::uint64_t manifest_bytes = 0;     ///< bytes of the manifest's text
  std::uint64_t manifest_checksum = 0;  ///< checksum of the manifest's text
  std::uint32_t first = 0;              ///< first redundant chunk of the part, counted from 0
  std::uint32_t count = 0;              ///< number of redundant chunks of the part
  std::uint64_t chunk_blocks = 0;       ///< blocks of a chunk
  std::uint64_t block_bytes = 0;

  friend bool operator==(const PartHeader&, const PartHeader&) = default;
};

/// A part to be written, and its path.
struct PlaceOfPart {
  std::filesystem::path path;
  PartHeader header;
};

inline constexpr std::size_t kPartHeaderBytes = 128;
inline constexpr std::size_t kPageBytes = 4096;
inline constexpr std::size_t kPagePayloadBytes = kPageBytes - 8;
inline constexpr std::size_t kRedundantFrameBytes = 8;

std::vector<std::uint8_t> part_header_text(const PartHeader& header);

/// Number of a manifest's pages; offsets in a part of a page of a manifest (copy 0 or 1), and of a
/// block of one of the part's redundant chunks; length of a part.
std::uint64_t manifest_pages(const PartHeader& header);
std::uint64_t page_offset(const PartHeader& header, int copy, std::uint64_t page);
std::uint64_t redundant_block_offset(const PartHeader& header, std::uint64_t chunk,
                                     std::uint64_t block);
std::uint64_t part_bytes(const PartHeader& header);

/// A page with its checksum. Precondition: `payload` is the page's part of the manifest's text, at
/// most kPagePayloadBytes.
std::vector<std::uint8_t> page_text(const PartHeader& header, std::span<const std::uint8_t> payload,
                                    std::uint64_t page);

/// The checksum of a redundant block.
std::uint64_t redundant_block_checksum(const PartHeader& header, std::uint64_t chunk,
                                       std::uint64_t block,
                                       std::span<const std::uint8_t> payload) noexcept;

/// Gives the header of part `header.part` its share of `m` redundant chunks: about as many as
/// others.
void share_redundancy(PartHeader& header, std::size_t m);

/// True if a file begins or ends like a protection file.
bool looks_like_part(const std::filesystem::path& path);

/// True if looks_like_part(), or if there is a header near the file's beginning or its end. This
/// finds protection files of which bytes were cut off, or to which some were added.
bool has_part_header(const std::filesystem::path& path);

/// A protection file that was opened.
struct ProtectionPart {
  std::filesystem::path path;
  OpenFile file;
  PartHeader header;
  std::vector<std::string> defects;  ///< damage outside the blocks, a phrase each
  /// Distances in bytes by which content may be displaced, after bytes were inserted in the file or
  /// cut out of it. Reading tries all of them; the first is 0.
  std::vector<std::int64_t> shifts{0};

  /// Reads a block. False if it is damaged or cannot be read.
  bool read_block(std::uint64_t chunk, std::uint64_t block, std::span<std::uint8_t> payload) const;

  /// Reads a page of the manifest's text. Empty if it is damaged.
  std::vector<std::uint8_t> read_page(int copy, std::uint64_t page) const;

  /// errno, if the system refuses to read a block or a page in its place; else 0 or -1.
  int error_of_block(std::uint64_t chunk, std::uint64_t block) const;
  int error_of_page(int copy, std::uint64_t page) const;
};

/// Errors: throws kIo if the file cannot be read, kParse if it is no protection file, kUnsupported
///         if it is one of another version, kDamaged if both of its headers are damaged.
ProtectionPart open_part(const std::filesystem::path& path);

}  // namespace xorloom
