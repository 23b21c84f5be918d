#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "equations/ir/dense_program.hpp"
#include "equations/ir/program.hpp"
#include "gen/vector/instruction_schedule.hpp"
#include "gen/vector/machine_code.hpp"
#include "gen/vector/tile_order.hpp"
#include "gen/vector/tile_places.hpp"

namespace xorloom {

// From a proved program to the bytes of its kernels. lower.cpp reads like a table of contents: a
// line per step, and its proof beside it.

/// The kernels of a program as position-independent bytes, to be placed at a multiple of 64.
struct LoweredKernels {
  Program tile;
  TilePlaces places;
  InstructionSchedule schedule;     ///< of the kernel with ordinary stores
  std::size_t code_bytes = 0;       ///< of that kernel, which comes first
  std::size_t non_temporal_at = 0;  ///< where one with non-temporal stores begins; 0: there is none
  std::size_t near_at = 0;          ///< where one that prefetches nothing begins; 0: there is none
  std::size_t crowded_at = 0;       ///< where that of a CrowdedSchedule begins; 0: there is none
  std::vector<std::uint8_t> bytes;
};

/// Where the vectors of an XOR program's tile lie: packets of packet_bytes, of which a tile takes
/// in tile_bytes, a multiple of the machine's vector. Tiles follow one another at a stride. A turn
/// of a kernel's loop computes turn_bytes of them, all or half of a tile.
struct PacketTiles {
  std::size_t packet_bytes = 0;
  std::size_t tile_bytes = 0;
  std::size_t turn_bytes = 0;
  std::size_t stride = 0;
  std::size_t prefetch_bytes = 0;
  bool has_crowded = true;  ///< whether there is a kernel for streams that crowd sets
};

/// The kernels of an XOR program on packets, or none if they would take more than kMostCodeBytes.
///
/// Shape:  the program is one that check_program passes, without virtual elements; its locations
///         are the streams, as locations_in_use has them.
/// Errors: throws kInternal if a step is not proved, kDamaged if an order that is given is not one
///         of the program.
std::optional<LoweredKernels> lower_packets(const Program& program, const PacketTiles& tiles,
                                            const MachineFacts& machine, const JitOptions& options);

/// A part of a program, of some of its outputs, and its kernels.
struct LoweredPart {
  Program program;
  LoweredKernels kernels;
};

/// The kernels of an XOR program in as many parts as it takes, one after the other. A program is
/// cut only where no value waits. None if a part that cannot be cut exceeds kMostCodeBytes, or if
/// the program has more than kMostXorsOfParts.
///
/// Shape, errors: as lower_packets.
std::vector<LoweredPart> lower_in_parts(const Program& program, const PacketTiles& tiles,
                                        const MachineFacts& machine, const JitOptions& options);

/// The tile of a program over symbols, proved: `vectors` vectors of each cell, which is a stream of
/// its own.
///
/// Shape:  check_program passes the program, whose cells are all inputs or outputs.
/// Errors: throws kInternal if the tile is not proved.
Program symbols_tile(const Program& program, std::size_t vectors, const MachineFacts& machine);

/// The kernels of that tile. One of them prefetches nothing: multiplying, a core waits for all that
/// it loads.
///
/// Shape:  as symbols_tile. map_of gives the map of bytes that multiplies by a coefficient: see
///         MachineCodeOptions.
/// Errors: throws kInternal if a step is not proved.
std::optional<LoweredKernels> lower_symbols(
    const Program& program, std::size_t vectors, std::size_t prefetch_bytes,
    const MachineFacts& machine,
    const std::function<std::vector<std::uint8_t>(Field::Symbol)>& map_of);

/// The program in the order that the options give, which may come from anyone. If they give none,
/// it is the program itself.
///
/// Errors: throws kDamaged if the order is not one of the program.
const Program& proved_order(const Program& program, const JitOptions& options,
                            const MachineFacts& machine);

}  // namespace xorloom
