#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "codes/code.hpp"
#include "codes/spec.hpp"
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

  friend bool operator==(const Manifest&, const Manifest&) = default;
};

/// The length of manifest_text, without making it.
std::uint64_t manifest_bytes(const Manifest& manifest);
std::vector<std::uint8_t> manifest_text(const Manifest& manifest);

/// Errors: throws kDamaged if the text is not that of a manifest, with what is wrong.
Manifest parse_manifest(std::span<const std::uint8_t> text);

/// The code of a manifest.
///
/// Errors: throws kDamaged if the manifest is not one of such a code; what make_code throws.
Code code_of(const Manifest& manifest, const SpecLimits& limits);

/// How much redundancy is wanted: as a part of the data, or in chunks.
struct RedundancyWanted {
  double percent = 10;  ///< where m is 0
  std::size_t m = 0;
  std::size_t k = 0;  ///< 0: chosen
};

/// A manifest without checksums for some files: blocks, chunks and a code that suit their size.
///
/// Errors: throws kInvalidArgument if the code would exceed its bounds.
Manifest planned_manifest(std::vector<ProtectedFile> files, const RedundancyWanted& wanted,
                          const SpecLimits& limits);

/// More data chunks are not made: reading would be slower, and hardly more losses be survived.
inline constexpr std::size_t kUsualDataChunks = 1024;

/// Blocks are as small as lets there be no more than kUsualBlocks, within these bounds.
inline constexpr std::uint64_t kUsualBlocks = std::uint64_t{1} << 14;
inline constexpr std::uint64_t kLeastProtectedBlock = std::uint64_t{1} << 10;
inline constexpr std::uint64_t kMostProtectedBlock = std::uint64_t{1} << 16;

}  // namespace xorloom
