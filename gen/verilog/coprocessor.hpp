#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"

namespace xorloom {

/// A map of a code and what it is called: "encode", "decode_0_3".
struct NamedMap {
  std::string name;
  LinearMap map;
};

inline constexpr std::size_t kMostArraySide = 64;
inline constexpr std::size_t kMostTileBits = 32'768;
inline constexpr std::size_t kMostTiles = 65'536;
inline constexpr std::size_t kMostRowTiles = 256;
inline constexpr std::size_t kMostCoprocessorLanes = 64;

/// The size of a coprocessor.
struct CoprocessorShape {
  std::size_t rows = 8;     ///< of the array of multipliers: elements that are computed at a time
  std::size_t columns = 8;  ///< elements that are read at a time
  std::size_t tiles = 256;  ///< that the matrix memory holds
  std::size_t lanes = 1;    ///< words at a time, each with multipliers of its own
};

/// A matrix that is cut into tiles as large as the array, which lie one after the other in the
/// matrix memory, column by column. What is left of a tile at the edge is 0.
struct TiledMatrix {
  std::string name;
  LinearMap map;
  std::size_t first_tile = 0;
  std::size_t row_tiles = 1;
  std::size_t column_tiles = 1;
};

/// A coprocessor for Reed-Solomon codes, with what lies in its matrix memory.
///
/// Source: the paper on erasure-tolerant coding in systems on chips, section 3.2 and figure 4.
struct Coprocessor {
  std::string module;
  Field field;
  CoprocessorShape shape;
  std::size_t row_tiles = 1;  ///< the most that a matrix has
  std::vector<TiledMatrix> matrices;

  std::size_t used_tiles() const {
    return matrices.back().first_tile + matrices.back().row_tiles * matrices.back().column_tiles;
  }
};

/// Errors: throws kInvalidArgument for a shape out of its bounds, and for matrices that take more
///         tiles than the memory has, or more rows of tiles than kMostRowTiles.
/// Shape:  at least one map.
Coprocessor tiled_coprocessor(std::string module, const Code& code, std::span<const NamedMap> maps,
                              const CoprocessorShape& shape);

/// Clocks from the first slice of a word to its first results.
inline constexpr std::size_t kCoprocessorLatency = 6;

/// The tiles in use as they lie in the memory, each row by row. Coefficients are polynomials.
std::vector<std::vector<Field::Symbol>> tiles_of(const Coprocessor& coprocessor);

/// The same, each as a hexadecimal number: the coefficient of row r and column c begins at bit
/// (r·columns + c)·w.
std::vector<std::string> tile_words(const Coprocessor& coprocessor);

/// Reads such numbers back. Errors: throws kInternal where they are not the matrices.
void check_tile_words(const Coprocessor& coprocessor, std::span<const std::string> words);

}  // namespace xorloom
