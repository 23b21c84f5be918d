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

/// An XOR program over packets as machine code: the whole tiles of a range of columns.
///
/// A tile is 64 bytes of each packet of a super-block (32 where packets are an odd number of
/// those). Packets of that size are walked super-block by super-block, wider ones along each
/// super-block:
///
///     packet_bytes 64      | tile 0 | tile 1 | …       a super-block each
///     packet_bytes 4096    | tile 0 … 63 || tile 64 …  64 a super-block
///
/// With AVX2 a tile is two vectors of each packet. The loop computes one of them a turn where packets
/// have 64 bytes, and where both together would be too long.
///
/// Long programs are several parts. Each computes a block of tiles before the next one does.
class PacketTileCode {
 public:
  /// Why there is no machine code for a program, as a phrase. Nothing if there is some, unless it
  /// would be too long.
  static std::optional<std::string> why_none(const Code& code, const Program& program, Isa isa,
                                             const JitOptions& options);

  /// The machine that the packets of a code are computed on, if there is one.
  static std::optional<MachineFacts> machine(const Code& code, Isa isa);

  /// None if why_none has a reason, or if the code would be too long: see lower_in_parts.
  ///
  /// Errors: throws what lower_in_parts and TileCode throw.
  static std::optional<PacketTileCode> make(const Code& code, const Program& program, Isa isa,
                                            const JitOptions& options);

  /// The part of a range of columns that is whole tiles: it begins and ends at multiples of a tile.
  /// Empty ranges begin and end at `begin`.
  ColumnRange whole_tiles(std::size_t begin, std::size_t end) const noexcept;

  /// Shape: a range as whole_tiles makes it.
  void run(std::uint8_t* const* chunks, std::size_t chunk_bytes, ColumnRange range, Stores stores,
           Looks looks = Looks::kYes) const noexcept;

  /// Bytes of a tile: of each packet.
  std::size_t tile_bytes() const noexcept { return tile_bytes_; }

  /// See Computation.
  bool looks_at_addresses() const noexcept;
  bool are_crowded(std::uint8_t* const* chunks, std::size_t chunk_bytes) const noexcept;

  std::size_t code_bytes() const noexcept;
  CodeMemory code_memory() const noexcept { return parts_.front().tiles.code_memory(); }
  const TileCounts& counts() const noexcept { return counts_; }

 private:
  struct Part {
    TileCode tiles;
    std::vector<std::size_t> locations;  ///< of the streams
  };

  PacketTileCode() = default;
  void run_tiles(std::uint8_t* const* chunks, std::size_t offset, std::size_t tiles, Stores stores,
                 Looks looks) const noexcept;

  std::vector<Part> parts_;
  TileCounts counts_;
  std::size_t block_tiles_ = 0;  ///< that all parts compute before the next
  std::size_t stride_ = 0;       ///< from a tile to the next
  std::size_t tile_bytes_ = 0;   ///< of a packet, a power of two
  std::size_t packet_bytes_ = 0;
  std::size_t rows_ = 0;
};

}  // namespace xorloom
