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

/// The size of a coprocessor.
struct CoprocessorShape {
  std::size_t rows = 8;     ///< of the array of multipliers: elements that are computed at a time
  std::size_t columns = 8;  ///< elements that are read at a time
  std::size_t tiles = 256;  ///< that the matrix memory holds
  std::size_t lanes = 1;    ///< words at a time, each with multipliers of its own
};

struct CoprocessorRequest {
  const Code& code;
  std::vector<std::vector<std::size_t>> erasures{};  ///< each ascending
  std::vector<std::size_t> wanted{};                 ///< of what is lost; none are all
  CoprocessorShape shape{};
  std::optional<std::string> memory_file{};  ///< that the design reads its matrices from
  std::optional<std::string> name{};         ///< none: by the code
};

/// A coprocessor with the matrices for encoding and for each set that is lost, and its testbench.
///
/// Errors: throws kInvalidArgument for a shape out of its bounds, for matrices that take more tiles
///         than the memory has, or more rows of tiles than kMostRowTiles, and for names that cannot
///         stand; kDamaged for lost locations that cannot be rebuilt; and kInternal if what was
///         written is not what the matrices and the field say.
/// Source: the paper on erasure-tolerant coding in systems on chips, section 3.2 and figure 4.
VerilogText write_coprocessor(const CoprocessorRequest& request);

// The parts of write_coprocessor.

/// A matrix that is cut into tiles as large as the array, which lie one after the other in the
/// matrix memory, column by column. What is left of a tile at the edge is 0.
struct TiledMatrix {
  std::string name;  ///< "encode", "decode_0_3"
  LinearMap map;
  std::size_t first_tile = 0;
  std::size_t row_tiles = 1;
  std::size_t column_tiles = 1;
};

/// A coprocessor with what lies in its matrix memory.
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

/// Errors: as write_coprocessor.
Coprocessor tiled_coprocessor(const CoprocessorRequest& request);

/// Clocks from the first slice of a word to its first results.
inline constexpr std::size_t kCoprocessorLatency = 6;

/// The tiles in use as they lie in the memory, each row by row. Coefficients are polynomials.
std::vector<std::vector<Field::Symbol>> tiles_of(const Coprocessor& coprocessor);

/// The same, each as a hexadecimal number: the coefficient of row r and column c begins at bit
/// (r·columns + c)·w.
std::vector<std::string> tile_words(const Coprocessor& coprocessor);

/// Reads such numbers back. Errors: throws kInternal where they are not the matrices.
void check_tile_words(const Coprocessor& coprocessor, std::span<const std::string> words);

/// `product`, of two polynomials: bit i is the coefficient of x^i. In a field whose symbols are
/// coordinates in another basis also `polynomial_of` and `symbol_of`. These functions use the
/// localparam W of their module. What was written is read back (check_field_functions).
std::string write_field_functions(const Field& field);

/// Reads such functions back, and proves each of their bits.
///
/// Errors: throws kInternal, saying where they differ.
void check_field_functions(const Field& field, std::string_view text);

/// Words for a testbench, a stripe each, of which the oracle computes the outputs of a map. First
/// `units` words with one bit that is 1, which tell the bits of coefficients, or a spread of them,
/// and then seeded random words.
///
/// Shape: no more units than bits of inputs.
BenchStripes bench_words(const Code& code, const LinearMap& map, std::size_t units,
                         std::size_t words, std::uint64_t seed);

/// A testbench that checks a coprocessor clock by clock.
///
/// It holds words whose outputs are the oracle's (bench_words), for each matrix. It computes
/// each of them once, without a gap, and compares the clocks that this takes with the formula: rows
/// times columns of tiles per word. Then it clears the matrix memory through the port, expects 0,
/// loads the matrices again, and goes on with words in random order with gaps. At the first wrong
/// bit, or where results come at another clock, it says FAIL and stops by $stop; else it says PASS,
/// and ends by $finish. Parameter CLOCKS says how many clocks it takes at least.
std::string write_coprocessor_testbench(const Code& code, const Coprocessor& coprocessor);

}  // namespace xorloom
