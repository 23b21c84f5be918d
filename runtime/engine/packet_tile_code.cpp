#include "runtime/engine/packet_tile_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "gen/vector/lower.hpp"
#include "runtime/engine/cost_model.hpp"
#include "runtime/machine/cache_sizes.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kWidestPacket = 4096;
constexpr std::size_t kMostStreams = 256;

/// How far ahead of a tile along wide packets.
constexpr std::size_t kPrefetchAlong = 512;

/// Of the columns that all parts compute before the next: a share of the second cache, in which the
/// code of the parts stays, too.
constexpr std::size_t kBlockBytes = std::size_t{128} << 10;

}  // namespace

std::optional<std::string> PacketTileCode::why_none(const Code& code, const Program& program,
                                                    Isa isa, const JitOptions& options) {
  if (auto why = why_no_code(isa, options)) return why;
  if (code.packet_bytes > kWidestPacket) {
    return fmt::format("packets of {} bytes exceed {}", code.packet_bytes, kWidestPacket);
  }
  constexpr std::size_t kNarrowestVector = kTwoWayMachine.vector_bytes;
  if (code.packet_bytes % kNarrowestVector != 0) {
    return fmt::format("packets of {} bytes are not a multiple of {}", code.packet_bytes,
                       kNarrowestVector);
  }
  if (program.equations.empty()) return "there is nothing to compute";
  const std::size_t streams = locations_in_use(program).size();
  if (streams > kMostStreams) return fmt::format("{} locations exceed {}", streams, kMostStreams);
  return std::nullopt;
}

std::optional<MachineFacts> PacketTileCode::machine(const Code& code, Isa isa) {
  std::optional<MachineFacts> machine = vector_machine(isa);
  // Packets that are no multiple of its vectors are one of half as wide vectors.
  if (machine && code.packet_bytes % machine->vector_bytes != 0) machine = kTwoWayMachine;
  return machine;
}

std::optional<PacketTileCode> PacketTileCode::make(const Code& code, const Program& program,
                                                   Isa isa, const JitOptions& options) {
  if (why_none(code, program, isa, options)) return std::nullopt;
  const MachineFacts machine = *PacketTileCode::machine(code, isa);
  PacketTileCode result;
  result.rows_ = code.rows();
  result.packet_bytes_ = code.packet_bytes;
  result.tile_bytes_ = code.packet_bytes % kLineBytes == 0 ? kLineBytes : machine.vector_bytes;
  const bool is_narrow = result.packet_bytes_ == result.tile_bytes_;
  result.stride_ = is_narrow ? code.rows() * code.packet_bytes : result.tile_bytes_;
  const std::size_t ahead = is_narrow ? result.stride_ : kPrefetchAlong;
  // Halves of narrow packets are next to one another. Those of wide packets are prefetched twice,
  // which pays only where whole tiles are too long.
  PacketTiles tiles{code.packet_bytes, result.tile_bytes_, result.tile_bytes_, result.stride_,
                    ahead};
  if (is_narrow) tiles.turn_bytes = machine.vector_bytes;
  // Halves of lines touch a line twice as often.
  const bool takes_lines = machine.vector_bytes == kLineBytes;
  tiles.has_crowded =
      !takes_lines || wants_crowded_kernel(this_machine(), locations_read(program).size());
  auto parts = lower_in_parts(program, tiles, machine, options);
  if (parts.empty() && tiles.turn_bytes != machine.vector_bytes) {
    tiles.turn_bytes = machine.vector_bytes;
    parts = lower_in_parts(program, tiles, machine, options);
  }
  if (parts.empty()) return std::nullopt;
  for (const LoweredPart& part : parts) {
    result.parts_.push_back({TileCode(part.kernels, machine), locations_in_use(part.program)});
    add(result.counts_, result.parts_.back().tiles.counts());
  }
  const std::size_t vectors = tiles.turn_bytes / machine.vector_bytes;
  result.counts_.vectors_read = program.inputs.size() * vectors;
  const std::size_t tile = (program.inputs.size() + program.outputs.size()) * result.tile_bytes_;
  result.block_tiles_ = std::max<std::size_t>(1, kBlockBytes / tile);
  return result;
}

bool PacketTileCode::looks_at_addresses() const noexcept {
  return std::ranges::any_of(parts_,
                             [](const Part& part) { return part.tiles.looks_at_addresses(); });
}

bool PacketTileCode::are_crowded(std::uint8_t* const* chunks, std::size_t) const noexcept {
  std::array<std::uint8_t*, kMostStreams> streams;
  return std::ranges::any_of(parts_, [&](const Part& part) {
    if (!part.tiles.looks_at_addresses()) return false;
    for (std::size_t s = 0; s < part.locations.size(); ++s) streams[s] = chunks[part.locations[s]];
    return part.tiles.are_crowded(streams.data());
  });
}

std::size_t PacketTileCode::code_bytes() const noexcept {
  std::size_t bytes = 0;
  for (const Part& part : parts_) bytes += part.tiles.code_bytes();
  return bytes;
}

ColumnRange PacketTileCode::whole_tiles(std::size_t begin, std::size_t end) const noexcept {
  const std::size_t in_tile = tile_bytes_ - 1;  // a power of two
  const std::size_t first = (begin + in_tile) & ~in_tile;
  const std::size_t last = end & ~in_tile;
  return first < last ? ColumnRange{first, last} : ColumnRange{begin, begin};
}

void PacketTileCode::run_tiles(std::uint8_t* const* chunks, std::size_t offset, std::size_t tiles,
                               Stores stores, Looks looks) const noexcept {
  std::array<std::uint8_t*, kMostStreams> streams;
  const std::size_t block = parts_.size() == 1 ? tiles : block_tiles_;
  while (tiles != 0) {
    const std::size_t now = std::min(block, tiles);
    for (const Part& part : parts_) {
      for (std::size_t s = 0; s < part.locations.size(); ++s) {
        streams[s] = chunks[part.locations[s]] + offset;
      }
      part.tiles.run(streams.data(), now, stores, looks);
    }
    tiles -= now;
    offset += now * stride_;
  }
}

void PacketTileCode::run(std::uint8_t* const* chunks, std::size_t, ColumnRange range, Stores stores,
                         Looks looks) const noexcept {
  const std::size_t super_block = rows_ * packet_bytes_;
  if (packet_bytes_ == tile_bytes_) {
    // Of whole tiles, each a packet wide: nothing is divided.
    run_tiles(chunks, range.begin * rows_,
              (range.end - range.begin) >> std::countr_zero(tile_bytes_), stores, looks);
    return;
  }
  for (std::size_t column = range.begin; column < range.end;) {
    const std::size_t in_packet = column % packet_bytes_;
    const std::size_t width = std::min(packet_bytes_ - in_packet, range.end - column);
    run_tiles(chunks, column / packet_bytes_ * super_block + in_packet, width / tile_bytes_, stores,
              looks);
    column += width;
  }
}

}  // namespace xorloom
