#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codes/code.hpp"
#include "equations/ir/program.hpp"
#include "runtime/engine/column_blocks.hpp"
#include "runtime/engine/tile_code.hpp"
#include "runtime/machine/isa.hpp"
#include "runtime/machine/stores.hpp"

namespace xorloom {

/// A program over symbols of 4 or 8 bits as machine code: a tile is one or two vectors of each
/// cell. Past the caches the outputs of one cache line are always stored one after the other.
class WordJit {
 public:
  /// None where there is no machine code for this: it is not wanted, symbols are wider, the
  /// instruction set does not multiply by matrices of bits or has no code, or it would be too long.
  /// If the options have orders, it is the code of the one for the instruction set.
  ///
  /// Shape:  the program is over the symbols of the code.
  /// Errors: throws kInternal if a matrix of a coefficient is not what shift and add say, kDamaged
  ///         if an order is not one of the program.
  static std::optional<WordJit> make(const Code& code, const Program& program, Isa isa,
                                     const JitOptions& options);

  /// The instructions of a program's code on some machine, per vector written; none where there is
  /// no code, or it would be too long by an estimate. The answer is the same on every host.
  ///
  /// Errors: throws kInternal if a step is not proved.
  static std::optional<double> instructions_per_vector(const Program& program,
                                                       const VectorMachine& machine);

  /// The same of this code.
  double instructions_per_vector() const noexcept;

  /// Bytes of a tile: of each cell.
  std::size_t tile_bytes() const noexcept { return tile_bytes_; }

  /// Computes whole tiles from a column on.
  ///
  /// Shape: the range is a multiple of tile_bytes() long.
  void run(std::uint8_t* const* chunks, std::size_t subchunk_bytes, ColumnRange range,
           Stores stores) const noexcept;

  std::size_t code_bytes() const noexcept { return tiles_.code_bytes(); }
  const TileCounts& counts() const noexcept { return tiles_.counts(); }

 private:
  static constexpr std::size_t kMostStreams = 1536;

  /// How many vectors of each cell a tile has; none where the program is too large for code.
  static std::optional<std::size_t> vectors_of_tile(const Program& program);

  explicit WordJit(TileCode tiles) : tiles_(std::move(tiles)) {}

  TileCode tiles_;
  std::vector<Cell> cells_;  ///< of the streams: the inputs, then the outputs
  std::size_t num_inputs_ = 0;
  std::size_t subchunks_ = 1;
  std::size_t vector_bytes_ = 0;
  std::size_t tile_bytes_ = 0;
};

}  // namespace xorloom
