#include "runtime/engine/packet_jit.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "gen/vector/lower.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kLine = 64;

/// How far ahead of a tile along wide packets.
constexpr std::size_t kPrefetchAlong = 512;

/// The machine whose vectors divide the packets: the one given, or one of half as wide vectors.
std::optional<VectorMachine> machine_for(std::size_t packet_bytes, Isa isa) {
  std::optional<VectorMachine> machine = vector_machine(isa);
  if (machine && packet_bytes % machine->vector_bytes != 0) machine = vector_machine(Isa::kAvx2);
  if (machine && packet_bytes % machine->vector_bytes != 0) return std::nullopt;
  return machine;
}

}  // namespace

std::optional<PacketJit> PacketJit::make(const Code& code, const Program& program, Isa isa,
                                         const JitOptions& options) {
  if (!options.is_wanted) return std::nullopt;
  const std::size_t packet_bytes = code.packet_bytes;
  const std::optional<VectorMachine> machine = machine_for(packet_bytes, isa);
  if (!machine || packet_bytes > kWidestPacket || program.equations.empty()) return std::nullopt;
  const std::vector<std::size_t> locations = locations_in_use(program);
  if (locations.size() > kMostStreams) return std::nullopt;

  const std::size_t vector_bytes = machine->vector_bytes;
  const std::size_t tile_bytes = packet_bytes % kLine == 0 ? kLine : vector_bytes;
  const bool is_narrow = packet_bytes == tile_bytes;
  const std::size_t stride = is_narrow ? code.rows() * packet_bytes : tile_bytes;
  const std::size_t ahead = is_narrow ? stride : kPrefetchAlong;
  const auto kernels =
      lower_packets(program, {packet_bytes, tile_bytes, stride, ahead}, *machine, options);
  if (!kernels) return std::nullopt;

  PacketJit result(TileCode(*kernels, *machine));
  result.locations_ = locations;
  result.is_written_.resize(locations.size());
  for (const auto& [stream, offset] : kernels->places.outputs) result.is_written_[stream] = true;
  result.vector_bytes_ = vector_bytes;
  result.tile_bytes_ = tile_bytes;
  result.packet_bytes_ = packet_bytes;
  result.rows_ = code.rows();
  return result;
}

ColumnRange PacketJit::whole_tiles(std::size_t begin, std::size_t end) const noexcept {
  const std::size_t first = (begin + tile_bytes_ - 1) / tile_bytes_ * tile_bytes_;
  const std::size_t last = end / tile_bytes_ * tile_bytes_;
  return first < last ? ColumnRange{first, last} : ColumnRange{begin, begin};
}

void PacketJit::run(std::uint8_t* const* chunks, ColumnRange range, Stores stores) const noexcept {
  std::array<std::uint8_t*, kMostStreams> streams;
  const auto run_tiles = [&](std::size_t offset, std::size_t tiles) {
    for (std::size_t s = 0; s < locations_.size(); ++s) {
      streams[s] = chunks[locations_[s]] + offset;
      if (is_written_[s] && reinterpret_cast<std::uintptr_t>(streams[s]) % vector_bytes_ != 0) {
        stores = Stores::kOrdinary;
      }
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
