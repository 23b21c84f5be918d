#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "equations/ir/program.hpp"
#include "gen/vector/instruction_schedule.hpp"
#include "gen/vector/machine_code.hpp"
#include "gen/vector/tile_places.hpp"
#include "gen/vector/tile_program.hpp"

namespace xorloom {

// From a proved program to the bytes of its kernels. lower.cpp reads like a table of contents: a
// line per step, and its proof beside it.

/// A program twice more, as machine code is to compute it: fused for what an instruction adds, and
/// in the order in which its values wait least. For machines that add two operands at once, and
/// three. Over symbols they are any programs that compute the same.
struct ProgramOrders {
  Program two_way;
  Program three_way;
};

/// How machine code is made: not at all, in a greedy order, or in one that some iterations of a
/// search were spent on.
struct JitOptions {
  bool is_wanted = true;
  std::uint64_t iterations = 0;
  /// Of a quick search instead: the instructions of all orders together that are tried. Some ten
  /// nanoseconds each.
  std::uint64_t quick_instructions = 0;
  std::function<bool()> stop_requested{};  ///< asked while they are
  /// Where there are some, code is made in that order, and no other is looked for.
  std::shared_ptr<const ProgramOrders> orders{};
};

/// The two kernels of a program as position-independent bytes, to be placed at a multiple of 64.
struct LoweredKernels {
  TileProgram tile;
  TilePlaces places;
  InstructionSchedule schedule;     ///< of the kernel with ordinary stores
  std::size_t code_bytes = 0;       ///< of that kernel, which comes first
  std::size_t non_temporal_at = 0;  ///< where the kernel with non-temporal stores begins
  std::vector<std::uint8_t> bytes;
};

/// Where the vectors of an XOR program's tile lie: packets of packet_bytes, of which a tile takes
/// in tile_bytes, a multiple of the machine's vector. Tiles follow one another at a stride.
struct PacketTiles {
  std::size_t packet_bytes = 0;
  std::size_t tile_bytes = 0;
  std::size_t stride = 0;
  std::size_t prefetch_bytes = 0;
};

/// The kernels of an XOR program on packets, or none if they would take more than kMostCodeBytes.
///
/// Shape:  the program is one that check_program passes, without virtual elements; its locations
///         are the streams, as locations_in_use has them.
/// Errors: throws kInternal if a step is not proved, kDamaged if an order that is given is not one
///         of the program.
std::optional<LoweredKernels> lower_packets(const Program& program, const PacketTiles& tiles,
                                            const VectorMachine& machine,
                                            const JitOptions& options);

/// The tile of a program over symbols, proved: `vectors` vectors of each cell, which is a stream of
/// its own.
///
/// Shape:  check_program passes the program, whose cells are all inputs or outputs.
/// Errors: throws kInternal if the tile is not proved.
TileProgram symbols_tile(const Program& program, std::size_t vectors, const VectorMachine& machine);

/// The kernels of that tile.
///
/// Shape:  as symbols_tile. matrix_of gives the matrix of bits that multiplies by a coefficient:
///         see MachineCodeOptions.
/// Errors: throws kInternal if a step is not proved.
std::optional<LoweredKernels> lower_symbols(
    const Program& program, std::size_t vectors, std::size_t prefetch_bytes,
    const VectorMachine& machine, const std::function<std::uint64_t(Field::Symbol)>& matrix_of);

/// The program that a machine computes where orders of it were found before, which may come from
/// anyone; the program itself where there are none.
///
/// Errors: throws kDamaged if the order is not one of the program.
const Program& proved_order(const Program& program, const ProgramOrders* orders,
                            const VectorMachine& machine);

/// The tile of an XOR program as a machine is to compute it: fused for its instructions and in an
/// order that is greedy, or that a search was spent on; all of it proved. One of too many
/// equations for machine code comes as it is, and unproved: nothing is lowered from it.
TileProgram ordered_tile(const Program& program, const VectorMachine& machine,
                         const JitOptions& options);

/// What a turn of an XOR program's loop costs in a greedy order: the price by which programs are
/// compared of which one is to become machine code.
///
/// Cost: that of greedy_steps.
std::size_t greedy_price(const Program& program, const VectorMachine& machine);

}  // namespace xorloom
