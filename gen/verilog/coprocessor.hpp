#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"
#include "gen/verilog/verilog_bench.hpp"
#include "gen/verilog/verilog_text.hpp"

namespace xorloom {

inline constexpr std::size_t kMostArraySide = 64;
inline constexpr std::size_t kMostTileBits = 32'768;
inline constexpr std::size_t kMostTiles = 65'536;
inline constexpr std::size_t kMostRowTiles = 256;
inline constexpr std::size_t kMostCoprocessorLanes = 64;

/// Size of a coprocessor.
struct CoprocessorShape {
  std::size_t rows = 8;     ///< rows of multipliers: elements computed at a time
  std::size_t columns = 8;  ///< columns of multipliers: elements read at a time
  std::size_t tiles = 256;  ///< tiles that the matrix memory holds
  std::size_t lanes = 1;    ///< words at a time, each with its own multipliers
};

struct CoprocessorRequest {
  const Code& code;
  std::vector<std::vector<std::size_t>> erasures{};  ///< sets of lost locations, each ascending
  std::vector<std::size_t> wanted{};                 ///< lost locations to rebuild; empty: all
  CoprocessorShape shape{};
  /// File for the matrices; nullopt: they are in the design.
  std::optional<std::string> memory_file{};
  std::optional<std::string> name{};  ///< nullopt: named after the code
};

/// Writes a coprocessor with the matrices for encoding and for rebuilding each lost set, and its
/// testbench.
///
/// Errors: throws kInvalidArgument for a shape out of its bounds, for matrices that take more tiles
///         than the memory has, or more rows of tiles than kMostRowTiles, and for invalid names;
///         kDamaged for lost locations that cannot be rebuilt; and kInternal if the text does not
///         agree with the matrices and the field.
/// Source: the paper on erasure-tolerant coding in systems on chips, section 3.2 and figure 4.
VerilogText write_coprocessor(const CoprocessorRequest& request);

// The parts of write_coprocessor.

/// A matrix cut into tiles of the size of the array, which lie one after the other in the matrix
/// memory, column by column. Tiles at the edge are filled up with 0.
struct TiledMatrix {
  std::string name;  ///< "encode", "decode_0_3"
  LinearMap map;
  std::size_t first_tile = 0;
  std::size_t row_tiles = 1;
  std::size_t column_tiles = 1;
};

/// A coprocessor with the contents of its matrix memory.
struct Coprocessor {
  std::string module;
  Field field;
  CoprocessorShape shape;
  std::size_t row_tiles = 1;  ///< most rows of tiles of a matrix
  std::vector<TiledMatrix> matrices;

  std::size_t used_tiles() const {
    return matrices.back().first_tile + matrices.back().row_tiles * matrices.back().column_tiles;
  }
};

/// Cuts the matrices of a request into tiles. Errors: as write_coprocessor.
Coprocessor tiled_coprocessor(const CoprocessorRequest& request);

/// Clocks from the last slice of a word to its first results.
inline constexpr std::size_t kCoprocessorLatency = 6;

/// Tiles in use, in the order of the memory, each row by row. Coefficients are polynomials.
std::vector<std::vector<Field::Symbol>> tiles_of(const Coprocessor& coprocessor);

/// tiles_of(), each as a hexadecimal number: the coefficient of row r and column c begins at bit
/// (r·columns + c)·w.
std::vector<std::string> tile_words(const Coprocessor& coprocessor);

/// Reads tile_words() back. Errors: throws kInternal if they are not the matrices.
void check_tile_words(const Coprocessor& coprocessor, std::span<const std::string> words);

/// Writes the function `product` of two polynomials: bit i is the coefficient of x^i. For a field
/// whose symbols are coordinates in another basis also `polynomial_of` and `symbol_of`. The
/// functions use the localparam W of their module. The text is read back (check_field_functions).
std::string write_field_functions(const Field& field);

/// Reads such functions back, and proves each of their bits.
///
/// Errors: throws kInternal, with the difference.
void check_field_functions(const Field& field, std::string_view text);

/// Words for a testbench, a stripe each; the oracle computes the outputs of `map`. The first
/// `units` words have one bit that is 1, for all bits of the inputs or for evenly spread ones, and
/// so show the bits of coefficients. The others are seeded random words.
///
/// Shape: no more units than bits of inputs.
BenchStripes bench_words(const Code& code, const LinearMap& map, std::size_t units,
                         std::size_t words, std::uint64_t seed);

/// A testbench that checks a coprocessor clock by clock.
///
/// It holds words of each matrix, whose outputs the oracle computed (bench_words). It computes each
/// word once, without a gap, and compares the clocks with the formula: rows times columns of tiles
/// per word. Then it clears the matrix memory through the port, expects 0, loads the matrices
/// again, and goes on with words in random order with gaps. At the first wrong bit, or if results
/// come at another clock, it says FAIL and stops by $stop; else it says PASS, and ends by $finish.
/// Parameter CLOCKS is the least number of clocks.
std::string write_coprocessor_testbench(const Code& code, const Coprocessor& coprocessor);

}  // namespace xorloom
