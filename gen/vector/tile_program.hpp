#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "equations/ir/program.hpp"

namespace xorloom {

/// What a kernel computes in one turn of its loop, on whole vectors.
///
/// A kernel walks through `streams`, each a pointer that moves on by the same stride after a turn.
/// A tile is what it touches in one turn: vectors at fixed distances from those pointers.
///
///     stream 0   | input 0 | input 1 | …       values 0 … inputs.size()-1 are the inputs,
///     stream 1   | input 8 | …                 value inputs.size() + e is what equation e makes
///     stream 2   | output 0 | …
///
/// A term is a coefficient times a value, as in the Program that the tile is made of. Values are made
/// of earlier ones, and an equation has a value once.
struct TileProgram {
  using Value = std::uint32_t;

  /// Where a vector lies: bytes from a stream's pointer.
  struct Cell {
    std::uint32_t stream;
    std::uint32_t offset;
    friend auto operator<=>(const Cell&, const Cell&) = default;
  };
  struct Term {
    Value value;
    Field::Symbol coefficient = 1;
    friend bool operator==(const Term&, const Term&) = default;
  };
  struct Equation {
    std::vector<Term> terms;
    std::uint32_t output = kNoOutput;  ///< the output that it is, if it is one
  };
  static constexpr std::uint32_t kNoOutput = std::numeric_limits<std::uint32_t>::max();

  std::size_t streams = 0;
  std::vector<Cell> inputs;
  std::vector<Cell> outputs;
  std::vector<Equation> equations;
  Field field = gf2();

  Value value_of(std::size_t equation) const {
    return static_cast<Value>(inputs.size() + equation);
  }
  std::size_t num_values() const { return inputs.size() + equations.size(); }
};

/// The tile of an XOR program: a vector of each packet. Streams are the locations that the program
/// touches, ascending.
///
/// Shape: the program has no virtual elements; packet_bytes times rows is less than 2^31.
TileProgram tile_of(const Program& program, std::size_t packet_bytes);

/// The tile of a program over symbols: a vector of each cell. Each cell is a stream of its own, the
/// inputs first, then the outputs.
TileProgram tile_of_cells(const Program& program);

/// The locations that are the streams of tile_of.
std::vector<std::size_t> locations_in_use(const Program& program);

/// Several tiles side by side as one, each at a fixed distance in bytes after the one before.
TileProgram unrolled(const TileProgram& tile, std::size_t copies, std::size_t bytes);

/// A tile whose sums are taken in steps. Each step adds as many terms as one instruction does.
struct SteppedTile {
  TileProgram tile;
  std::vector<std::uint32_t> chain_of;  ///< by equation: the sum that it is a step of
};

/// Every equation as a chain of steps that add up to `terms` terms to what the one before has made,
/// which is the first term of each but the first.
SteppedTile in_steps(const TileProgram& tile, std::size_t terms);

/// The same equations in another order: a permutation in which each follows those it reads.
TileProgram reordered(const TileProgram& tile, const std::vector<std::uint32_t>& order);

}  // namespace xorloom
