#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "equations/ir/program.hpp"
#include "gen/vector/budget.hpp"
#include "gen/vector/instruction_schedule.hpp"
#include "gen/vector/machine_facts.hpp"

namespace xorloom {

// From a proved program to the bytes of its kernels. lower.cpp reads like a table of contents: a
// line per step, and its proof beside it.

/// Signature of a kernel of machine code: the pointer of each stream at the first tile, and the
/// number of tiles, which lie one stride apart. The kernel's loop computes a tile in one turn or in
/// several.
using TileKernel = void (*)(std::uint8_t* const* streams, std::size_t tile_count);

/// Options of an encoder for one kernel.
struct MachineCodeOptions {
  std::size_t stride = 0;  ///< bytes from a tile to the next
  /// Distance in bytes at which lines are prefetched; 0: no prefetches.
  std::size_t prefetch_bytes = 0;
  /// True if stores bypass the caches; outputs must then be aligned to the vector. Vectors shorter
  /// than a line are kept on the stack until the end of a tile, so that those of one cache line are
  /// stored one after the other.
  bool non_temporal = false;
  /// Turns of the loop per tile. If not 1, tiles are lines of 64 bytes, and each turn computes a
  /// vector of each line: the first turn all first halves or quarters, the next all second ones.
  /// The code is shorter than that of whole lines by this factor.
  std::size_t turns_of_tile = 1;
  /// True if kernels with ordinary stores prefetch outputs as well as inputs.
  bool prefetches_outputs = true;
  /// Byte map of each coefficient other than 1, in the format of codes/field/byte_maps.hpp: bits if
  /// the machine has products by matrices, else nibbles.
  std::map<Field::Symbol, std::vector<std::uint8_t>> products{};
  std::size_t most_bytes = kMostCodeBytes;  ///< limit of the code of a kernel, matrices included
};

/// Most XORs of a program that is cut into parts: more would take seconds to lower and to prove.
inline constexpr std::size_t kMostXorsOfParts = 8192;

/// The kernels of a program as position-independent bytes, to be placed at a multiple of 64.
struct LoweredKernels {
  Program tile;  ///< program that one turn of the loop computes
  TilePlaces places;
  InstructionSchedule schedule;     ///< schedule of the kernel with ordinary stores
  std::size_t tile_bytes = 0;       ///< bytes of each packet or cell in a tile
  std::size_t stride = 0;           ///< bytes from a tile to the next
  std::size_t code_bytes = 0;       ///< size of the first kernel, with ordinary stores
  std::size_t non_temporal_at = 0;  ///< start of the kernel with non-temporal stores; 0: none
  std::size_t crowded_at = 0;       ///< start of the kernel for crowded sets of L1; 0: none
  std::size_t near_at = 0;          ///< start of the kernel that prefetches nothing; 0: none
  std::vector<std::uint8_t> bytes;
};

/// Lowers an XOR program on packets to kernels, one for each part; parts run one after the other. A
/// program is cut only into parts that share no temporaries. The result is empty if a part that
/// cannot be cut exceeds MachineFacts::code_bytes, or above kMostXorsOfParts XORs.
///
/// `order`, if not null, is the program in an order that was found before, fused for the machine's
/// instructions. It may come from an untrusted source. If it is null, an order is made within
/// `budget`.
///
/// Shape:  check_program passes the program, which has no virtual elements. Streams are its
///         locations in use. packet_bytes is a multiple of the machine's vector.
/// Errors: throws kInternal if a step is not proved, kDamaged if `order` is not an order of the
///         program, kUnsupported if the build has no encoder for the machine.
std::vector<LoweredKernels> lower_packets(const Program& program, std::size_t packet_bytes,
                                          const MachineFacts& machine, const Budget& budget = {},
                                          const Program* order = nullptr);

/// Vectors of each cell in a tile of a program over symbols; nullopt if the code would be too long.
/// If tables are held for several vectors, at most the vectors whose sums stay in registers.
std::optional<std::size_t> vectors_of_tile(const Program& program, const MachineFacts& machine);

/// The tile of a program over symbols, proved. It has `vectors` vectors of each cell, and each cell
/// is a stream.
///
/// Shape:  check_program passes the program, whose cells are all inputs or outputs.
/// Errors: throws kInternal if the tile is not proved.
Program symbols_tile(const Program& program, std::size_t vectors, const MachineFacts& machine);

/// Kernels of all kinds for symbols_tile(); nullopt if they would be too long.
///
/// Shape:  as symbols_tile. map_of(c) is the byte map that multiplies by coefficient c: see
///         MachineCodeOptions.
/// Errors: throws kInternal if a step is not proved.
std::optional<LoweredKernels> lower_symbols(
    const Program& program, std::size_t vectors, const MachineFacts& machine,
    const std::function<std::vector<std::uint8_t>(Field::Symbol)>& map_of);

/// Returns `order` once it is proved, or `program` if `order` is null. `order` may come from an
/// untrusted source. Over symbols an order is any program that computes the same.
///
/// Errors: throws kDamaged if `order` is not an order of the program.
const Program& proved_order(const Program& program, const Program* order,
                            const MachineFacts& machine);

}  // namespace xorloom
