#include "runtime/engine/packet_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "codes/text/error.hpp"
#include "equations/ir/proof.hpp"
#include "equations/passes/fuse.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kLine = 64;

/// An instruction takes four bytes at the least.
constexpr std::size_t kMostEquations = kMostCodeBytes / 4;

/// How far ahead of a tile along wide packets.
constexpr std::size_t kPrefetchAlong = 512;

/// The machine whose vectors divide the packets: the one given, or one of half as wide vectors.
std::optional<VectorMachine> machine_for(std::size_t packet_bytes, Isa isa) {
  std::optional<VectorMachine> machine = vector_machine(isa);
  if (machine && packet_bytes % machine->vector_bytes != 0) machine = vector_machine(Isa::kAvx2);
  if (machine && packet_bytes % machine->vector_bytes != 0) return std::nullopt;
  return machine;
}

/// The program with its temporaries as the machine's instructions want them, proved to be the same.
Program fused(const Program& program, const VectorMachine& machine) {
  if (!machine.has_three_way_xor) return fuse_single_use(program);
  Program fused = fuse_three_way(program);
  prove(fused, evaluate_symbolically(program));
  return fused;
}

/// The same in an order that was found before, proved too.
TileProgram tile_in_order(const Program& program, const ProgramOrders& orders,
                          std::size_t packet_bytes, const VectorMachine& machine) {
  const Program& ordered = machine.has_three_way_xor ? orders.three_way : orders.two_way;
  if (ordered.inputs != program.inputs || ordered.outputs != program.outputs) {
    fail(Status::kDamaged, "a reordered program has other cells than the program");
  }
  try {
    check_program(ordered);
    prove(ordered, evaluate_symbolically(program));
  } catch (const Error& error) {  // of orders that come from outside
    fail(Status::kDamaged, fmt::format("a reordered program does not hold: {}", error.what()));
  }
  return tile_of(ordered, packet_bytes);
}

}  // namespace

TileProgram ordered_tile(const Program& program, std::size_t packet_bytes,
                         const VectorMachine& machine, std::uint64_t moves,
                         const std::function<bool()>& stop_requested) {
  TileProgram tile = tile_of(fused(program, machine), packet_bytes);
  if (tile.equations.size() > kMostEquations) return tile;
  tile = reordered(tile, greedy_order(tile, machine));
  if (moves != 0) tile = annealed(tile, machine, {1, moves, stop_requested});
  return tile;
}

std::optional<PacketCode> PacketCode::make(const Code& code, const Program& program, Isa isa,
                                           const CodeMaking& making) {
  if (!making.is_wanted) return std::nullopt;
  const std::size_t packet_bytes = code.packet_bytes;
  const std::optional<VectorMachine> machine = machine_for(packet_bytes, isa);
  if (!machine || packet_bytes > kWidestPacket || program.equations.empty()) return std::nullopt;
  const std::vector<std::size_t> locations = locations_in_use(program);
  if (locations.size() > kMostStreams) return std::nullopt;

  const std::size_t vector_bytes = machine->vector_bytes;
  const std::size_t tile_bytes = packet_bytes % kLine == 0 ? kLine : vector_bytes;
  TileProgram tile = making.orders ? tile_in_order(program, *making.orders, packet_bytes, *machine)
                                   : ordered_tile(program, packet_bytes, *machine, making.moves,
                                                  making.stop_requested);
  if (tile.equations.size() > kMostEquations) return std::nullopt;
  if (tile_bytes != vector_bytes) {
    tile = side_by_side(tile, tile_bytes / vector_bytes, vector_bytes);
  }
  const bool is_narrow = packet_bytes == tile_bytes;
  const std::size_t stride = is_narrow ? code.rows() * packet_bytes : tile_bytes;
  auto tiles = TileCode::make(tile, *machine, {stride, is_narrow ? stride : kPrefetchAlong});
  if (!tiles) return std::nullopt;

  PacketCode result(std::move(*tiles));
  result.locations_ = locations;
  result.is_written_.resize(locations.size());
  for (const TileProgram::Cell cell : tile.outputs) result.is_written_[cell.stream] = true;
  result.vector_bytes_ = vector_bytes;
  result.tile_bytes_ = tile_bytes;
  result.packet_bytes_ = packet_bytes;
  result.rows_ = code.rows();
  return result;
}

ColumnRange PacketCode::whole_tiles(std::size_t begin, std::size_t end) const noexcept {
  const std::size_t first = (begin + tile_bytes_ - 1) / tile_bytes_ * tile_bytes_;
  const std::size_t last = end / tile_bytes_ * tile_bytes_;
  return first < last ? ColumnRange{first, last} : ColumnRange{begin, begin};
}

void PacketCode::run(std::uint8_t* const* chunks, ColumnRange range, Stores stores) const noexcept {
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
