#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/protection/protected_files.hpp"

namespace xorloom {

/// The checksums of a segment.
struct SegmentSums {
  std::uint64_t rolling = 0;  ///< to find a segment; see RollingSum
  std::uint64_t strong = 0;   ///< to recognise it; see checksum()

  friend bool operator==(const SegmentSums&, const SegmentSums&) = default;
};

SegmentSums sums_of(std::span<const std::uint8_t> segment) noexcept;

/// The redundancy wanted: as a percentage of the data, or in chunks.
struct RedundancyWanted {
  double percent = 10;  ///< if m is 0: redundancy in percent of the data
  std::size_t m = 0;
  std::size_t k = 0;  ///< 0: chosen

  friend bool operator==(const RedundancyWanted&, const RedundancyWanted&) = default;
};

/// The user's choice of what is protected, so that an update finds what is new.
struct ProtectionScope {
  /// Directories that are protected with all that is below them: ascending, from the base
  /// directory, which is "" itself.
  std::vector<std::string> directories;
  std::vector<std::string> excluded;  ///< see excludes()
  RedundancyWanted redundancy;
  /// The target of a symbolic link is protected under the link's name: see list_files().
  bool follows_links = false;

  friend bool operator==(const ProtectionScope&, const ProtectionScope&) = default;
};

/// What every protection file holds of all that is protected: the files, their checksums, and how
/// the redundancy is computed. docs/protecting.md has the bytes.
///
/// The stream of the files is cut into the k data chunks of a code, of chunk_blocks blocks each:
///
///     chunk 0      | block 0             | block 1 | … | block chunk_blocks-1 |
///     chunk 1      | block chunk_blocks  | …
///     …                 row 0               row 1
///     chunk k      redundancy
///
/// The end that the stream does not fill is zeros. In each row, as many blocks may be lost as the
/// code survives. A block with bytes that were given up counts as lost.
struct Manifest {
  std::string spec;
  std::uint64_t block_bytes = 0;
  std::uint64_t chunk_blocks = 0;
  ProtectionScope scope;
  std::vector<Piece> given_up;       ///< ascending; see FileMap
  std::vector<ProtectedFile> files;  ///< by name, ascending
  /// Directories that repair may have to make anew, by name, ascending. Not all have to be there.
  std::vector<ProtectedDirectory> directories;
  std::vector<SegmentSums> sums;

  FileMap map() const { return {files, block_bytes, given_up}; }

  /// Offset in the stream of the block of a data chunk in a row.
  std::uint64_t stream_at(std::size_t chunk, std::uint64_t row) const {
    return (chunk * chunk_blocks + row) * block_bytes;
  }

  friend bool operator==(const Manifest&, const Manifest&) = default;
};

/// True if a file is protected under this name, which is from the base directory.
bool protects(const Manifest& manifest, const std::string& name);

/// True if `text` can be a pattern of a scope: 1 to 4096 bytes, none of them zero.
bool is_pattern(std::string_view text);

/// Throws kDamaged: the list of files is not one that this program writes; `why` is a phrase.
[[noreturn]] void refuse_manifest(const std::string& why);

/// The length of manifest_text(), without making the text.
std::uint64_t manifest_bytes(const Manifest& manifest);
std::vector<std::uint8_t> manifest_text(const Manifest& manifest);

/// Gives the text of manifest_text() to `take` in parts, which need not be in memory together.
void for_text_of(const Manifest& manifest,
                 const std::function<void(std::span<const std::uint8_t>)>& take);

/// The bytes of all files. Errors: throws kInvalidArgument if they are more than 2^62.
std::uint64_t stream_bytes(const std::vector<ProtectedFile>& files);

/// Errors: throws kDamaged if the text is not that of a manifest, with what is wrong.
Manifest parse_manifest(std::span<const std::uint8_t> text);

}  // namespace xorloom
