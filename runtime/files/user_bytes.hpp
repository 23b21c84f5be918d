#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codes/code.hpp"

namespace xorloom {

// Layout of the user's bytes in a stripe. Data cells that follow one another in Code::data and in
// their location are a run. Runs take the user's bytes one after the other, chunk_bytes / subchunks
// for each cell; a run has them at ascending addresses:
//
//     packets   | 0 1 . | 2 3 . |        two of three rows of a location hold data: a run takes the
//               super-blocks             packets of both in the first super-block, then in the next
//
// So if all of a location is data, data location i holds bytes [i·chunk_bytes, (i+1)·chunk_bytes).
//
// Buffers of spread_user_bytes() and collect_user_bytes(): `chunks` has one pointer per location;
// only those of data cells are used.

/// The user's bytes that fit one stripe. Errors: throws kInvalidArgument if that exceeds 2^62.
std::size_t data_capacity(const Code& code, std::size_t chunk_bytes);

/// The smallest valid chunk size for `data_bytes` bytes of the user in a stripe; at least one
/// chunk_multiple.
std::size_t chunk_bytes_for(const Code& code, std::size_t data_bytes);

/// Locations that hold any of the first `user_bytes` bytes of the user, ascending.
std::vector<std::size_t> data_locations(const Code& code, std::size_t chunk_bytes,
                                        std::size_t user_bytes);

/// Copies the user's bytes to the data cells and fills the rest of the data cells with zeros.
///
/// Shape: `user_bytes` holds at most data_capacity(code, chunk_bytes) bytes.
void spread_user_bytes(const Code& code, std::span<const std::uint8_t> user_bytes,
                       std::uint8_t* const* chunks, std::size_t chunk_bytes);

/// Copies the first user_bytes.size() bytes of the user out of the data cells. Pointers to chunks
/// that hold none of these bytes may be null.
void collect_user_bytes(const Code& code, const std::uint8_t* const* chunks,
                        std::size_t chunk_bytes, std::span<std::uint8_t> user_bytes);

/// A part of the user's bytes that is contiguous in a chunk.
struct UserPart {
  std::size_t location;
  std::size_t offset;
  std::size_t bytes;

  bool operator==(const UserPart&) const = default;
};

/// The parts of chunks that hold the user's bytes `begin` to `end` - 1, in the order of the bytes.
///
/// Shape: begin <= end <= data_capacity(code, chunk_bytes).
std::vector<UserPart> user_parts(const Code& code, std::size_t chunk_bytes, std::size_t begin,
                                 std::size_t end);

}  // namespace xorloom
