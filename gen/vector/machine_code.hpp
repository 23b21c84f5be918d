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

/// What a kernel of machine code is called with: the pointer of each stream at the first tile, and
/// how many tiles follow one another at the stride. A tile is a turn of the kernel's loop, or several.
using TileKernel = void (*)(std::uint8_t* const* streams, std::size_t tile_count);

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

/// A TileEncoder gives a function of type TileKernel for the schedule of a tile, as
/// position-independent bytes to be placed at a multiple of 64, which follow the usual calling
/// convention of the processor.
///
/// Only loads, stores, register moves, XORs, multiplications, prefetches, a fence, pointer
/// arithmetic, jumps forward, the loop, entry and return are ever written. Multiplications by
/// tables have shuffles, masks and shifts.
///
/// Answer: nothing if it would take more than most_bytes.
/// Shape:  the schedule agrees with a tile (find_disagreement) whose vectors lie at these places;
///         products has each coefficient of it.

}  // namespace xorloom
