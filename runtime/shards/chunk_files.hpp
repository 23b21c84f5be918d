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
  std::vector<std::size_t> missing;      ///< the others, and those with a file of another size
  std::string other_size;                ///< says what has another size; "": nothing
  std::size_t chunk_bytes = 0;           ///< the size they all have; 0 if none is there
  mode_t permissions = kAnyPermissions;  ///< what all of them allow: see permissions_within()
};

/// Looks for the chunk files 0…locations-1.
///
/// Errors: throws kIo if the directory cannot be read; kInvalidArgument if a chunk's name belongs
///         to something that is not a file, no size is that of more files than any other or it is
///         no positive multiple of chunk_multiple, or the directory holds a chunk file of a larger
///         location.
ChunkFiles find_chunk_files(const std::filesystem::path& directory, std::size_t locations,
                            std::size_t chunk_multiple);

/// Reads one chunk. Errors: throws kIo if it cannot be opened or read, or has become shorter
/// than the chunk.
void read_chunk_file(const ChunkFiles& files, std::size_t location, std::span<std::uint8_t> chunk);

/// Reads parts of one chunk to where they belong in it. Errors: as above.
void read_chunk_parts(const ChunkFiles& files, std::size_t location,
                      std::span<const ByteRange> parts, std::span<std::uint8_t> chunk);

/// Whether a path, or what it leads to as a symbolic link, has the name of a chunk file of the
/// directory, be there one or not.
bool names_chunk_file(const std::filesystem::path& directory, const std::filesystem::path& path);

/// Writes chunks.size() chunk files, making the directory if there is none. They allow at most what
/// `most` does. Chunk files of any location that were there are gone after that. All of this is
/// done, or none of it.
///
/// Errors: throws kInvalidArgument if the directory holds a chunk file's name and that is to be
///         refused or is no file; kIo if the directory cannot be made or written, if writing
///         fails or one of the names appears meanwhile.
void write_chunk_files(const std::filesystem::path& directory,
                       std::span<const std::span<const std::uint8_t>> chunks, Existing existing,
                       mode_t most = kAnyPermissions);

/// Keeps a copy of the chunk file of a location beside it, with its times, and makes that last. The
/// copy is called "3.before-deep-repair" for location 3, or also has a number behind if that is
/// taken; it is no chunk file. Returns its path.
///
/// Errors: throws kIo.
std::filesystem::path keep_chunk_file(const ChunkFiles& files, std::size_t location);

/// When the chunk file of a location was last modified. Errors: throws kIo.
std::filesystem::file_time_type time_of_chunk_file(const ChunkFiles& files, std::size_t location);

/// Replaces the chunk file of a location, at once and lastingly.
///
/// Errors: throws kIo; then the file is as it was.
void replace_chunk_file(const std::filesystem::path& directory, std::size_t location,
                        std::span<const std::uint8_t> chunk);

/// Writes the chunk files of some locations beside those that are there, and lets them allow at
/// most what those allow. All of this is done, or none of it.
///
/// Shape:  as many chunks as locations; none of these has a file.
/// Errors: throws kIo if the directory cannot be written, writing fails or one of the names appears
///         meanwhile.
void add_chunk_files(const ChunkFiles& files, std::span<const std::size_t> locations,
                     std::span<const std::span<const std::uint8_t>> chunks);

}  // namespace xorloom
