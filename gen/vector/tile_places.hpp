#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "equations/ir/program.hpp"
#include "gen/vector/machine_facts.hpp"

namespace xorloom {

/// Places of the vectors of a tile. A kernel walks through `streams`: each is a pointer that
/// advances by the same stride after a turn. A vector lies at a fixed distance from one of these
/// pointers.
///
///     stream 0   | input 0 | input 1 | …
///     stream 1   | input 8 | …
///     stream 2   | output 0 | …
struct TilePlaces {
  /// Target of a pointer in a chunk: the start of the chunk, or on words a sub-chunk.
  struct Stream {
    std::uint32_t location;
    std::uint32_t subchunk;
  };
  struct Place {
    std::uint32_t stream;
    std::uint32_t offset;  ///< bytes from the stream's pointer
    friend auto operator<=>(const Place&, const Place&) = default;
  };
  std::vector<Stream> streams{};
  std::vector<Place> inputs{};   ///< by input of the tile
  std::vector<Place> outputs{};  ///< by output of the tile
};

/// Start of the cache line that contains `place`, or of the block of `bytes` bytes.
constexpr TilePlaces::Place line_of(TilePlaces::Place place, std::size_t bytes = kCacheLine) {
  return {place.stream, static_cast<std::uint32_t>(place.offset / bytes * bytes)};
}

/// Places of `copies` copies of a program on packets, which lie `copy_bytes` bytes apart. Streams
/// are the locations in use, ascending.
///
/// Shape: packet_bytes times rows is less than 2^31.
TilePlaces packet_places(const Program& program, std::size_t copies, std::size_t packet_bytes,
                         std::size_t copy_bytes);

/// Places of `copies` copies of a program on words, which lie `copy_bytes` bytes apart. Each cell
/// is a stream of its own, the inputs first, then the outputs.
TilePlaces word_places(const Program& program, std::size_t copies, std::size_t copy_bytes);

/// The locations that a program reads, ascending.
std::vector<std::size_t> locations_read(const Program& program);

/// The locations that a program reads or writes, ascending.
std::vector<std::size_t> locations_in_use(const Program& program);

}  // namespace xorloom
