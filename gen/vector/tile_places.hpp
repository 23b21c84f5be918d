#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "equations/ir/program.hpp"
#include "gen/vector/machine_facts.hpp"

namespace xorloom {

/// Where the vectors of a tile lie. A kernel walks through `streams`, each a pointer that moves on
/// by the same stride after a turn. A vector lies at a fixed distance from one of those pointers.
///
///     stream 0   | input 0 | input 1 | …
///     stream 1   | input 8 | …
///     stream 2   | output 0 | …
struct TilePlaces {
  /// What a pointer points to in a chunk: its begin, or on words a sub-chunk.
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
  std::vector<Place> inputs{};   ///< of each input of the tile
  std::vector<Place> outputs{};  ///< of each output
};

/// Where the line of a place begins, or the block of so many bytes.
constexpr TilePlaces::Place line_of(TilePlaces::Place place, std::size_t bytes = kCacheLine) {
  return {place.stream, static_cast<std::uint32_t>(place.offset / bytes * bytes)};
}

/// The places of copies of a program on packets. Copies lie so many bytes apart. Streams are the
/// locations in use, ascending.
///
/// Shape: packet_bytes times rows is less than 2^31.
TilePlaces packet_places(const Program& program, std::size_t copies, std::size_t packet_bytes,
                         std::size_t copy_bytes);

/// The places of copies of a program on words: each cell is a stream of its own, the inputs first,
/// then the outputs, and one copy follows the other.
TilePlaces word_places(const Program& program, std::size_t copies, std::size_t copy_bytes);

/// The locations that a program reads, ascending.
std::vector<std::size_t> locations_read(const Program& program);

/// The locations that a program reads or writes, ascending.
std::vector<std::size_t> locations_in_use(const Program& program);

}  // namespace xorloom
