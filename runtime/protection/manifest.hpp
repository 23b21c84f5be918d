#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/protection/protected_files.hpp"

namespace xorloom {

/// The checksums of a segment.
struct SegmentSums {
  std::uint64_t rolling = 0;  ///< to find it; see RollingSum
  std::uint64_t strong = 0;   ///< to know it; see checksum()

  friend bool operator==(const SegmentSums&, const SegmentSums&) = default;
};

SegmentSums sums_of(std::span<const std::uint8_t> segment) noexcept;

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
/// What the stream does not fill is zeros. In each row, as many blocks may be lost as the code
/// survives.
struct Manifest {
  std::string spec;
  std::uint64_t block_bytes = 0;
  std::uint64_t chunk_blocks = 0;
  std::vector<ProtectedFile> files;  ///< by name, ascending
  std::vector<SegmentSums> sums;

  /// Where the block of a data chunk in a row begins in the stream.
  std::uint64_t stream_at(std::size_t chunk, std::uint64_t row) const {
    return (chunk * chunk_blocks + row) * block_bytes;
  }

  friend bool operator==(const Manifest&, const Manifest&) = default;
};

/// Throws kDamaged: the list of files is not one that this program writes, as a phrase says.
[[noreturn]] void refuse_manifest(const std::string& why);

/// The length of manifest_text, without making it.
std::uint64_t manifest_bytes(const Manifest& manifest);
std::vector<std::uint8_t> manifest_text(const Manifest& manifest);

/// The bytes of all files. Errors: throws kInvalidArgument if they are more than 2^62.
std::uint64_t stream_bytes(const std::vector<ProtectedFile>& files);

/// Errors: throws kDamaged if the text is not that of a manifest, with what is wrong.
Manifest parse_manifest(std::span<const std::uint8_t> text);

}  // namespace xorloom
