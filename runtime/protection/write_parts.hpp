#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "codes/code.hpp"
#include "runtime/files/pending_file.hpp"
#include "runtime/files/progress.hpp"
#include "runtime/protection/manifest.hpp"
#include "runtime/protection/protection_part.hpp"
#include "runtime/protection/redundancy_plan.hpp"
#include "runtime/protection/stream_reader.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

/// A part that is being written.
struct PartBeingWritten {
  PendingFile file;
  PartHeader header;  ///< but for the checksum of the manifest
};

/// What becomes of the checksums of segments that are read on the way.
enum class Sums {
  kMake,     ///< they are the manifest's from now on
  kCompare,  ///< they have to be those of the manifest
};

/// Some parts of a protection, which are computed from the files where they are.
struct PartsWriting {
  std::filesystem::path base;
  Manifest& manifest;
  const FileMap& map;
  const Code& code;
  Options options;  ///< threads are those of the pipeline; see run_pipeline
  Sums sums;
  std::size_t memory_bytes = kUsualMemoryBytes;           ///< of the program, about
  UnreadFilesAre unread_files = UnreadFilesAre::kThrown;  ///< at once, or when all was read
};

/// Reads all files, computes the redundancy of the parts, and writes them, synced but without their
/// names.
///
/// Errors: throws kIo if reading or writing fails, or if a segment is not that of the manifest;
///         what Codec throws.
/// Cost:   reads the files once, and memory for a few units of kUnitBytes.
void write_parts(const PartsWriting& writing, std::vector<PartBeingWritten>& parts,
                 Progress& progress);

/// Writes a block of a redundant chunk, by its number in the part. Several threads may, at different
/// ones. Errors: throws kIo.
void write_redundant_block(PartBeingWritten& part, std::uint64_t chunk, std::uint64_t row,
                           std::span<const std::uint8_t> payload);

/// Writes the manifest and the headers of parts that have their blocks, and syncs.
///
/// Errors: throws kIo.
void finish_parts(const Manifest& manifest, std::vector<PartBeingWritten>& parts,
                  Progress& progress);

/// Rows of blocks that are coded together, so that reading them takes few calls and threads have
/// units to share.
std::uint64_t rows_of_unit(std::size_t locations, std::uint64_t block_bytes, std::uint64_t rows,
                           std::size_t threads);

/// Memory that the rows of a unit take, unless one row takes more.
inline constexpr std::uint64_t kUnitBytes = std::uint64_t{1} << 24;
inline constexpr std::uint64_t kLeastUnitBytes = std::uint64_t{1} << 22;

/// Memory of all units that are under way together, if a program may take that many bytes and has a
/// list of files and a codec of so many chunks. One unit is always there.
std::size_t memory_of_units(std::size_t memory_bytes, const Manifest& manifest, std::size_t chunks);

}  // namespace xorloom
