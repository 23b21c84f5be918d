#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "codes/code.hpp"
#include "codes/spec.hpp"
#include "runtime/protection/manifest.hpp"

namespace xorloom {

/// The code of a manifest.
///
/// Errors: throws kDamaged if the code does not suit the manifest; what make_code throws.
Code code_of(const Manifest& manifest, const SpecLimits& limits);

/// The number of redundant chunks wanted for k data chunks.
std::size_t redundant_chunks(std::size_t k, const RedundancyWanted& wanted);

/// Memory that a program takes to protect files, if the user sets no bound.
inline constexpr std::size_t kUsualMemoryBytes = std::size_t{128} << 20;
inline constexpr std::size_t kLeastMemoryBytes = std::size_t{32} << 20;

/// Memory of the program apart from rows and the list of files.
inline constexpr std::size_t kOtherMemoryBytes = std::size_t{16} << 20;

/// Memory of a codec per chunk while it encodes, about.
inline constexpr std::uint64_t kCodecMemoryBytes = std::uint64_t{1} << 15;

/// Memory for a row of blocks with its codec.
std::uint64_t row_memory(std::size_t chunks, std::uint64_t block_bytes);

/// A manifest for some files, without checksums: blocks, chunks and a code that suit their size. If
/// a row of blocks would take too much memory, blocks are smaller, and then chunks are fewer. If
/// the redundancy is wanted in percent, there are at least `parts` redundant chunks, one for each
/// protection file.
///
/// Errors: throws kInvalidArgument if the code would exceed its bounds.
Manifest planned_manifest(std::vector<ProtectedFile> files, ProtectionScope scope,
                          const SpecLimits& limits, std::size_t memory_bytes = kUsualMemoryBytes,
                          std::size_t parts = 1);

/// A code of k data chunks with the same redundancy as `code` while chunks that only one of the two
/// codes has are zeros. nullopt if there is none.
std::optional<Code> extended_code(const Code& code, std::size_t k, const SpecLimits& limits);

/// `manifest` with the same files in the same places, without what was given up, and with a code of
/// equally many redundant chunks. Its redundancy is different.
Manifest without_given_up(Manifest manifest, const Code& code);

/// The most chunks of a row that have bytes which were given up.
std::size_t most_given_up(const Manifest& manifest);

/// Most data chunks: with more, reading would be slower, and hardly more losses be survived.
inline constexpr std::size_t kUsualDataChunks = 1024;

/// Blocks are as small as possible with at most kUsualBlocks of them, within these bounds.
inline constexpr std::uint64_t kUsualBlocks = std::uint64_t{1} << 14;
inline constexpr std::uint64_t kLeastProtectedBlock = std::uint64_t{1} << 10;
inline constexpr std::uint64_t kMostProtectedBlock = std::uint64_t{1} << 16;

/// If memory is short, blocks are first made smaller down to kFewBlocks bytes, since the list of
/// files has checksums for each. Then chunks are made fewer down to kFewDataChunks, and then blocks
/// smaller again.
inline constexpr std::uint64_t kFewBlocks = std::uint64_t{1} << 14;
inline constexpr std::size_t kFewDataChunks = 128;

}  // namespace xorloom
