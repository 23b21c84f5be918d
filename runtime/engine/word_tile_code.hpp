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
#include "runtime/kernels/isa.hpp"
#include "runtime/machine/stores.hpp"

namespace xorloom {

/// A program over symbols of 4 or 8 bits as machine code: the whole tiles of a range of columns. A
/// tile is one or two vectors of each cell. Past the caches the outputs of one cache line are
/// always stored one after the other.
class WordTileCode {
 public:
  /// Why there is no machine code for a program, as a phrase. Nothing if there is some, unless it
  /// would be too long.
  static std::optional<std::string> why_none(const Program& program, Isa isa,
                                             const JitOptions& options);

  /// The work_per_vector of a program's code on some machine. None if there is no
  /// code, or if it would be too long by an estimate. The answer is the same on every host.
  ///
  /// Errors: throws kInternal if a step is not proved.
  static std::optional<double> work_per_vector(const Program& program, const MachineFacts& machine);

  /// None if why_none has a reason, or if the code would exceed kMostCodeBytes. If the options have
  /// orders, it is the code of the one for the instruction set.
  ///
  /// Shape:  the program is over the symbols of the code.
  /// Errors: throws what proved_order, lower_symbols and TileCode throw, and kInternal if a matrix
  ///         of a coefficient is not what shift and add say.
  static std::optional<WordTileCode> make(const Code& code, const Program& program, Isa isa,
                                          const JitOptions& options);

  /// The part of a range of columns that is whole tiles, which begin where the range does.
  ColumnRange whole_tiles(std::size_t begin, std::size_t end) const noexcept;

  /// Shape: a range as whole_tiles makes it.
  void run(std::uint8_t* const* chunks, std::size_t chunk_bytes, ColumnRange range, Stores stores,
           Looks looks = Looks::kYes) const noexcept;

  std::size_t tile_bytes() const noexcept { return tile_bytes_; }
  bool are_crowded(std::uint8_t* const* chunks, std::size_t chunk_bytes) const noexcept;
  bool looks_at_addresses() const noexcept { return tiles_.looks_at_addresses(); }
  std::size_t code_bytes() const noexcept { return tiles_.code_bytes(); }
  CodeMemory code_memory() const noexcept { return tiles_.code_memory(); }
  const TileCounts& counts() const noexcept { return tiles_.counts(); }

 private:
  explicit WordTileCode(TileCode tiles) : tiles_(std::move(tiles)) {}

  /// The streams of a tile that begins at a column.
  void place(std::uint8_t** streams, std::uint8_t* const* chunks, std::size_t chunk_bytes,
             std::size_t column) const noexcept;

  TileCode tiles_;
  struct Stream {
    std::uint32_t location;
    std::uint32_t subchunk;
  };
  std::vector<Stream> streams_;  ///< the inputs, then the outputs
  std::size_t subchunks_ = 1;
  std::size_t tile_bytes_ = 0;  ///< of a cell
};

}  // namespace xorloom
