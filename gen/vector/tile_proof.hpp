#pragma once

#include <cstddef>

#include "equations/ir/program.hpp"
#include "gen/vector/tile_program.hpp"

namespace xorloom {

/// How the vectors of a tile lie in packets: copies of one tile, each some bytes after the one before.
struct TileCopies {
  std::size_t packet_bytes;
  std::size_t copies;
  std::size_t bytes;
};

// Each output of each copy has to be the same sum of the inputs of its own copy as the program says, and
// every vector has to lie where its element does. All throw kInternal if that is not so.

/// The tile of an XOR program.
void prove_packets(const TileProgram& tile, const Program& program, const TileCopies& copies);

/// The tile of a program over symbols, whose cells are a stream each: inputs, then outputs.
void prove_symbols(const TileProgram& tile, const Program& program, std::size_t copies,
                   std::size_t bytes);

/// What a tile computes as a program: input i is element i, output o is element inputs + o.
Program program_of(const TileProgram& tile);

}  // namespace xorloom
