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
/// Errors: throws kDamaged if the manifest is not one of such a code; what make_code throws.
Code code_of(const Manifest& manifest, const SpecLimits& limits);

/// The redundant chunks that are wanted beside k.
std::size_t redundant_chunks(std::size_t k, const RedundancyWanted& wanted);

/// Memory that a program takes to protect files, if nobody says how much it may.
inline constexpr std::size_t kUsualMemoryBytes = std::size_t{128} << 20;
inline constexpr std::size_t kLeastMemoryBytes = std::size_t{32} << 20;

/// What of it is neither for rows nor for the list of files.
inline constexpr std::size_t kOtherMemoryBytes = std::size_t{16} << 20;

/// Memory of a codec for each chunk, about, while it encodes.
inline constexpr std::uint64_t kCodecMemoryBytes = std::uint64_t{1} << 15;

/// Memory for a row of blocks with its codec.
std::uint64_t row_memory(std::size_t chunks, std::uint64_t block_bytes);

/// A manifest without checksums for some files: blocks, chunks and a code that suit their size. If
/// a row of blocks would take too much memory, blocks are smaller, and then chunks fewer. If a part
/// is wanted, and no number, there are at least `parts` redundant chunks, one for each protection
/// file.
///
/// Errors: throws kInvalidArgument if the code would exceed its bounds.
Manifest planned_manifest(std::vector<ProtectedFile> files, ProtectionScope scope,
                          const SpecLimits& limits, std::size_t memory_bytes = kUsualMemoryBytes,
                          std::size_t parts = 1);

/// A code of k data chunks whose redundancy is that of another one, as long as the chunks that only
/// one of them has are zeros. None if there is none.
std::optional<Code> extended_code(const Code& code, std::size_t k, const SpecLimits& limits);

/// The same files in the same places, without what was given up, and with a code of as many
/// redundant chunks. The redundancy is another.
Manifest without_given_up(Manifest manifest, const Code& code);

/// The most chunks of which a row has given up anything.
std::size_t most_given_up(const Manifest& manifest);

/// More data chunks are not made: reading would be slower, and hardly more losses be survived.
inline constexpr std::size_t kUsualDataChunks = 1024;

/// Blocks are as small as lets there be no more than kUsualBlocks, within these bounds.
inline constexpr std::uint64_t kUsualBlocks = std::uint64_t{1} << 14;
inline constexpr std::uint64_t kLeastProtectedBlock = std::uint64_t{1} << 10;
inline constexpr std::uint64_t kMostProtectedBlock = std::uint64_t{1} << 16;

/// If memory is short, blocks get no smaller than this before chunks get fewer, since the list of
/// files has checksums for each; and chunks no fewer than that before blocks get smaller again.
inline constexpr std::uint64_t kFewBlocks = std::uint64_t{1} << 14;
inline constexpr std::size_t kFewDataChunks = 128;

}  // namespace xorloom
