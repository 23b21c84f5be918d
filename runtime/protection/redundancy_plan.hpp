#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "codes/code.hpp"
#include "codes/spec.hpp"
#include "runtime/protection/manifest.hpp"

namespace xorloom {

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
