#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "runtime/files/pending_file.hpp"
#include "runtime/shards/shard_pieces.hpp"

namespace xorloom {

// Bare chunk files: one stripe in a directory, chunk i in a file named i (decimal, no zeros in
// front), each holding its chunk and nothing else. What code made them, and how long the data were,
// is for their owner to remember. Other files in the directory are left alone.

/// The chunk files a directory holds.
struct ChunkFiles {
  std::filesystem::path directory;
  std::vector<std::size_t> present;      ///< locations with a file, ascending
  std::vector<std::size_t> missing;      ///< locations without a file, or with one of another size
  std::string other_size;                ///< names a file of another size; "": none
  std::size_t chunk_bytes = 0;           ///< size of the present files; 0 if there are none
  mode_t permissions = kAnyPermissions;  ///< as all files allow; see permissions_within()
};

/// Looks for the chunk files 0…locations-1.
///
/// Errors: throws kIo if the directory cannot be read; kInvalidArgument if a chunk's name belongs
///         to something that is not a file, if no size is more frequent than all others, if the
///         most frequent size is no positive multiple of `chunk_multiple`, or if the directory
///         holds a chunk file of a larger location.
ChunkFiles find_chunk_files(const std::filesystem::path& directory, std::size_t locations,
                            std::size_t chunk_multiple);

/// Reads one chunk. Errors: throws kIo if it cannot be opened or read, or has become shorter
/// than the chunk.
void read_chunk_file(const ChunkFiles& files, std::size_t location, std::span<std::uint8_t> chunk);

/// Reads `parts` of one chunk to their offsets in `chunk`. Errors: as for read_chunk_file().
void read_chunk_parts(const ChunkFiles& files, std::size_t location,
                      std::span<const ByteRange> parts, std::span<std::uint8_t> chunk);

/// True if `path`, or what it links to, has the name of a chunk file in `directory`, whether that
/// file exists or not.
bool names_chunk_file(const std::filesystem::path& directory, const std::filesystem::path& path);

/// Writes chunks.size() chunk files in place of those that are there; makes the directory if there
/// is none. The files allow at most what `most` does. All of this is done, or none of it.
///
/// Errors: throws kInvalidArgument if the directory holds a chunk file and `existing` is kRefuse,
///         if a chunk file there has a location from chunks.size() on, or if one is no regular
///         file; kIo if the directory cannot be made or written, if writing fails or one of the
///         names appears meanwhile.
void write_chunk_files(const std::filesystem::path& directory,
                       std::span<const std::span<const std::uint8_t>> chunks, Existing existing,
                       mode_t most = kAnyPermissions);

/// Copies the chunk file of a location, with its times, and syncs the copy. For location 3 the copy
/// is named "3.before-deep-repair", with a number appended if that is taken; it is no chunk file.
/// Returns its path.
///
/// Errors: throws kIo.
std::filesystem::path keep_chunk_file(const ChunkFiles& files, std::size_t location);

/// Time of the last change of a location's chunk file. Errors: throws kIo.
std::filesystem::file_time_type time_of_chunk_file(const ChunkFiles& files, std::size_t location);

/// Replaces the chunk file of a location atomically, and syncs it.
///
/// Errors: throws kIo; then the file is as it was.
void replace_chunk_file(const std::filesystem::path& directory, std::size_t location,
                        std::span<const std::uint8_t> chunk);

/// Writes chunk files of `locations` beside those in `files`. They allow at most what those in
/// `files` allow. All of this is done, or none of it.
///
/// Shape:  one chunk per location; no location has a file yet.
/// Errors: throws kIo if the directory cannot be written, writing fails or one of the names appears
///         meanwhile.
void add_chunk_files(const ChunkFiles& files, std::span<const std::size_t> locations,
                     std::span<const std::span<const std::uint8_t>> chunks);

}  // namespace xorloom
