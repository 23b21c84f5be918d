#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "equations/ir/program.hpp"

namespace xorloom {

/// What a kernel computes in one turn of its loop, on whole vectors: a program once, or several
/// times side by side. Values 0 … inputs.size()-1 are the inputs, value inputs.size() + e is what
/// equation e makes.
///
/// A term is a coefficient times a value, as in the Program that the tile is made of. Values are
/// made of earlier ones, and an equation has a value once. Where vectors lie is said by TilePlaces.
struct TileProgram {
  using Value = std::uint32_t;

  /// What a vector is of: an element of the program, in one of its copies.
  struct Cell {
    Element element;
    std::uint32_t copy = 0;
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

  std::vector<Cell> inputs;
  std::vector<Cell> outputs;
  std::vector<Equation> equations;
  Field field = gf2();

  Value value_of(std::size_t equation) const {
    return static_cast<Value>(inputs.size() + equation);
  }
  std::size_t num_values() const { return inputs.size() + equations.size(); }
};

/// The tile of a program: a vector of each element.
///
/// Shape: the program has no virtual elements.
TileProgram tile_of(const Program& program);

/// Several tiles side by side as one. Shape: the tile is of one copy.
TileProgram unrolled(TileProgram tile, std::size_t copies);

/// A tile whose sums are taken in steps. A step adds as many terms as one instruction does to what
/// the step before it has made, which is its first term unless it is the first of its sum.
struct SteppedTile {
  TileProgram tile;
  std::vector<std::uint32_t> chain_of;  ///< by equation: the sum that it is a step of
};

/// The same equations in another order: a permutation in which each follows those it reads.
TileProgram reordered(const TileProgram& tile, const std::vector<std::uint32_t>& order);

}  // namespace xorloom
