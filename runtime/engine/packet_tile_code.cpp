#include "runtime/engine/packet_tile_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "gen/vector/lower.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kLine = 64;
constexpr std::size_t kWidestPacket = 4096;
constexpr std::size_t kMostStreams = 256;

/// How far ahead of a tile along wide packets.
constexpr std::size_t kPrefetchAlong = 512;

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

std::optional<VectorMachine> PacketTileCode::machine(const Code& code, Isa isa) {
  std::optional<VectorMachine> machine = vector_machine(isa);
  // Packets that are no multiple of its vectors are one of half as wide vectors.
  if (machine && code.packet_bytes % machine->vector_bytes != 0) machine = kTwoWayMachine;
  return machine;
}

std::optional<PacketTileCode> PacketTileCode::make(const Code& code, const Program& program,
                                                   Isa isa, const JitOptions& options) {
  if (why_none(code, program, isa, options)) return std::nullopt;
  const std::size_t packet_bytes = code.packet_bytes;
  const VectorMachine machine = *PacketTileCode::machine(code, isa);
  const std::size_t tile_bytes = packet_bytes % kLine == 0 ? kLine : machine.vector_bytes;
  const bool is_narrow = packet_bytes == tile_bytes;
  const std::size_t stride = is_narrow ? code.rows() * packet_bytes : tile_bytes;
  const std::size_t ahead = is_narrow ? stride : kPrefetchAlong;
  const auto kernels =
      lower_packets(program, {packet_bytes, tile_bytes, stride, ahead}, machine, options);
  if (!kernels) return std::nullopt;

  PacketTileCode result(TileCode(*kernels, machine));
  result.locations_ = locations_in_use(program);
  result.tile_bytes_ = tile_bytes;
  result.packet_bytes_ = packet_bytes;
  result.rows_ = code.rows();
  return result;
}

ColumnRange PacketTileCode::whole_tiles(std::size_t begin, std::size_t end) const noexcept {
  const std::size_t first = (begin + tile_bytes_ - 1) / tile_bytes_ * tile_bytes_;
  const std::size_t last = end / tile_bytes_ * tile_bytes_;
  return first < last ? ColumnRange{first, last} : ColumnRange{begin, begin};
}

void PacketTileCode::run(std::uint8_t* const* chunks, std::size_t, ColumnRange range,
                         Stores stores) const noexcept {
  std::array<std::uint8_t*, kMostStreams> streams;
  const auto run_tiles = [&](std::size_t offset, std::size_t tiles) {
    for (std::size_t s = 0; s < locations_.size(); ++s) {
      streams[s] = chunks[locations_[s]] + offset;
    }
    tiles_.run(streams.data(), tiles, stores);
  };
  const std::size_t super_block = rows_ * packet_bytes_;
  if (packet_bytes_ == tile_bytes_) {
    if (range.begin == range.end) return;
    run_tiles(range.begin / packet_bytes_ * super_block, (range.end - range.begin) / packet_bytes_);
    return;
  }
  for (std::size_t column = range.begin; column < range.end;) {
    const std::size_t in_packet = column % packet_bytes_;
    const std::size_t width = std::min(packet_bytes_ - in_packet, range.end - column);
    run_tiles(column / packet_bytes_ * super_block + in_packet, width / tile_bytes_);
    column += width;
  }
}

}  // namespace xorloom
