#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "equations/ir/dense_program.hpp"
#include "equations/ir/program.hpp"
#include "gen/vector/budget.hpp"
#include "gen/vector/instruction_schedule.hpp"
#include "gen/vector/machine_facts.hpp"
#include "gen/vector/tile_places.hpp"

namespace xorloom {

// From a proved program to the bytes of its kernels. lower.cpp reads like a table of contents: a
// line per step, and its proof beside it.

/// What a kernel of machine code is called with: the pointer of each stream at the first tile, and
/// how many tiles follow one another at the stride. A tile is a turn of the kernel's loop, or several.
using TileKernel = void (*)(std::uint8_t* const* streams, std::size_t tile_count);

/// How an encoder writes a kernel.
struct MachineCodeOptions {
  std::size_t stride = 0;          ///< bytes from a tile to the next
  std::size_t prefetch_bytes = 0;  ///< how far ahead lines are prefetched; 0: not at all
  /// Past the caches: outputs have to be aligned to the vector. Narrow vectors are kept on the
  /// stack until the end of a tile, so that those of one cache line are stored one after the other.
  bool non_temporal = false;
  /// Where it is not 1, tiles are lines of 64 bytes, and each turn computes a vector of each line:
  /// the first turn all first halves or quarters, the next all second ones. Such code is shorter
  /// than that of whole lines by as much.
  std::size_t turns_of_tile = 1;
  /// Through the caches, outputs are prefetched as inputs are.
  bool prefetches_outputs = true;
  /// Where the lines begin that are prefetched; nothing: all of inputs, and of outputs where these
  /// are prefetched.
  std::optional<std::vector<TilePlaces::Place>> prefetched{};
  /// Of each coefficient that is multiplied by, the map of bytes that does so, as
  /// codes/field/byte_maps.hpp writes it: bits where the machine has products by matrices, else
  /// nibbles.
  std::map<Field::Symbol, std::vector<std::uint8_t>> products{};
  std::size_t most_bytes = kMostCodeBytes;  ///< of a kernel, its matrices included
};

/// XORs of a program that is cut into parts: more would take seconds to lower and to prove.
inline constexpr std::size_t kMostXorsOfParts = 8192;

/// The kernels of a program as position-independent bytes, to be placed at a multiple of 64.
struct LoweredKernels {
  Program tile;  ///< what a turn of the loop computes
  TilePlaces places;
  InstructionSchedule schedule;     ///< of the kernel with ordinary stores
  std::size_t tile_bytes = 0;       ///< of each packet or each cell, of a turn or several
  std::size_t stride = 0;           ///< bytes from a tile to the next
  std::size_t code_bytes = 0;       ///< of the kernel with ordinary stores, which comes first
  std::size_t non_temporal_at = 0;  ///< where one with non-temporal stores begins; 0: there is none
  std::size_t crowded_at = 0;       ///< where that of a CrowdedSchedule begins; 0: there is none
  std::size_t near_at = 0;          ///< where one that prefetches nothing begins; 0: there is none
  std::vector<std::uint8_t> bytes;
};

/// The kernels of an XOR program on packets, in as many parts as it takes, one after the other. A
/// program is cut only where no value waits. None if a part that cannot be cut exceeds
/// MachineFacts::code_bytes, or if the program has more than kMostXorsOfParts.
///
/// `order`, if not null, is the program as it is to be computed: fused for what an instruction
/// adds, and in an order that was found before. It may come from anyone. The budget makes another
/// one.
///
/// Shape:  the program is one that check_program passes, without virtual elements. Streams are its
///         locations in use. packet_bytes is a multiple of the machine's vector.
/// Errors: throws kInternal if a step is not proved, kDamaged if `order` is not one of the program,
///         kUnsupported if the build has no encoder for the machine.
std::vector<LoweredKernels> lower_packets(const Program& program, std::size_t packet_bytes,
                                          const MachineFacts& machine, const Budget& budget = {},
                                          const Program* order = nullptr);

/// Vectors of each cell that a tile of a program over symbols has; none if the code would be too
/// long. If tables stay for several vectors, as many as keep their sums in registers.
std::optional<std::size_t> vectors_of_tile(const Program& program, const MachineFacts& machine);

/// The tile of a program over symbols, proved: `vectors` vectors of each cell, which is a stream of
/// its own.
///
/// Shape:  check_program passes the program, whose cells are all inputs or outputs.
/// Errors: throws kInternal if the tile is not proved.
Program symbols_tile(const Program& program, std::size_t vectors, const MachineFacts& machine);

/// The kernels of that tile, of all kinds. None if they would be too long.
///
/// Shape:  as symbols_tile. map_of gives the map of bytes that multiplies by a coefficient: see
///         MachineCodeOptions.
/// Errors: throws kInternal if a step is not proved.
std::optional<LoweredKernels> lower_symbols(
    const Program& program, std::size_t vectors, const MachineFacts& machine,
    const std::function<std::vector<std::uint8_t>(Field::Symbol)>& map_of);

/// The order of a program, which may come from anyone; the program itself if it is null. Over
/// symbols an order is any program that computes the same.
///
/// Errors: throws kDamaged if the order is not one of the program.
const Program& proved_order(const Program& program, const Program* order,
                            const MachineFacts& machine);

}  // namespace xorloom
