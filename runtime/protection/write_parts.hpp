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
  PartHeader header;  ///< without the checksum of the manifest
};

/// Use of the checksums of segments that are read on the way.
enum class Sums {
  kMake,     ///< stored in the manifest
  kCompare,  ///< compared with those of the manifest
};

/// Some parts of a protection, to be computed from the files in their places.
struct PartsWriting {
  std::filesystem::path base;
  Manifest& manifest;
  const FileMap& map;
  const Code& code;
  Options options;  ///< threads are those of the pipeline; see run_pipeline
  Sums sums;
  std::size_t memory_bytes = kUsualMemoryBytes;           ///< memory for the program, about
  UnreadFilesAre unread_files = UnreadFilesAre::kThrown;  ///< thrown at once, or when all was read
};

/// Reads all files, computes the redundancy of the parts, and writes the parts, synced but without
/// their names.
///
/// Errors: throws kIo if reading or writing fails, or if a segment is not that of the manifest;
///         what Codec throws.
/// Cost:   reads the files once; takes memory for a few units of kUnitBytes.
void write_parts(const PartsWriting& writing, std::vector<PartBeingWritten>& parts,
                 Progress& progress);

/// Writes a block of redundant chunk `chunk` of the part. Several threads may write different
/// blocks. Errors: throws kIo.
void write_redundant_block(PartBeingWritten& part, std::uint64_t chunk, std::uint64_t row,
                           std::span<const std::uint8_t> payload);

/// Writes the manifest and the headers of parts whose blocks are written, and syncs.
///
/// Errors: throws kIo.
void finish_parts(const Manifest& manifest, std::vector<PartBeingWritten>& parts,
                  Progress& progress);

/// The number of rows of blocks that are coded together (a unit), so that reading takes few calls
/// and threads have units to share.
std::uint64_t rows_of_unit(std::size_t locations, std::uint64_t block_bytes, std::uint64_t rows,
                           std::size_t threads);

/// Bounds on the memory that the rows of a unit take; one row may take more.
inline constexpr std::uint64_t kUnitBytes = std::uint64_t{1} << 24;
inline constexpr std::uint64_t kLeastUnitBytes = std::uint64_t{1} << 22;

/// Memory for all units that are under way, of a program that may take `memory_bytes`, after its
/// list of files and a codec of `chunks` chunks. If that is too little, one unit is used
/// nevertheless.
std::size_t memory_of_units(std::size_t memory_bytes, const Manifest& manifest, std::size_t chunks);

}  // namespace xorloom
