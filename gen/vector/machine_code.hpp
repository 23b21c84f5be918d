#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "gen/vector/instruction_schedule.hpp"
#include "gen/vector/machine_facts.hpp"
#include "gen/vector/tile_places.hpp"

namespace xorloom {

/// Signature of a kernel of machine code: the pointer of each stream at the first tile, and the
/// number of tiles, which lie one stride apart. The kernel's loop computes a tile in one turn or in
/// several.
using TileKernel = void (*)(std::uint8_t* const* streams, std::size_t tile_count);

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
  /// Start of each line to prefetch; nullopt: all lines of inputs, and of outputs if these are
  /// prefetched.
  std::optional<std::vector<TilePlaces::Place>> prefetched{};
  /// Byte map of each coefficient other than 1, in the format of codes/field/byte_maps.hpp: bits if
  /// the machine has products by matrices, else nibbles.
  std::map<Field::Symbol, std::vector<std::uint8_t>> products{};
  std::size_t most_bytes = kMostCodeBytes;  ///< limit of the code of a kernel, matrices included
};

/// Most XORs of a program that is cut into parts: more would take seconds to lower and to prove.
inline constexpr std::size_t kMostXorsOfParts = 8192;

/// A TileEncoder returns a function of type TileKernel for the schedule of a tile:
/// position-independent bytes to be placed at a multiple of 64, which follow the usual calling
/// convention of the processor.
///
/// The code consists only of loads, stores, register moves, XORs, multiplications, prefetches, a
/// fence, pointer arithmetic, forward jumps, the loop, entry and return. Multiplications by tables
/// add shuffles, masks and shifts.
///
/// Answer: empty if the code would exceed most_bytes.
/// Shape:  the schedule agrees with a tile (find_disagreement) whose vectors lie at these places;
///         products has each coefficient of the schedule.

}  // namespace xorloom
