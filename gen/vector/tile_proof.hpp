#pragma once

#include <cstddef>

#include "codes/field/bitmatrix.hpp"
#include "equations/ir/program.hpp"
#include "gen/vector/tile_places.hpp"
#include "gen/vector/tile_program.hpp"

namespace xorloom {

// All throw kInternal if what they prove is not so.

/// Each output of each copy is the same sum of the inputs of its own copy as the program says.
void prove_tile(const TileProgram& tile, const Program& program, std::size_t copies);

/// Every vector of a tile of an XOR program lies where its element's packet does.
void prove_packets(const TilePlaces& places, const Program& program, std::size_t copies,
                   const PacketDistances& distances);

/// Every cell of a tile over symbols is a stream: inputs, then outputs.
void prove_words(const TilePlaces& places, const Program& program, std::size_t copies,
                 std::size_t copy_bytes);

/// The inputs that each output of a tile of XORs adds up: a row for each output.
BitMatrix sums_of(const TileProgram& tile);

/// What a tile computes as a program: input i is element i, output o is element inputs + o.
Program program_of(const TileProgram& tile);

}  // namespace xorloom
