#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "gen/vector/instruction_schedule.hpp"
#include "gen/vector/tile_places.hpp"

namespace xorloom {

/// What a kernel of machine code is called with: the pointer of each stream at the first tile, and
/// how many tiles follow one another at the stride. A tile is a turn of the kernel's loop, or two.
using TileKernel = void (*)(std::uint8_t* const* streams, std::size_t tile_count);

struct MachineCodeOptions {
  std::size_t stride = 0;          ///< bytes from a tile to the next
  std::size_t prefetch_bytes = 0;  ///< how far ahead lines are prefetched; 0: not at all
  /// Past the caches: outputs have to be aligned to the vector. Narrow vectors are kept on the
  /// stack until the end of a tile, so that those of one cache line are stored one after the other.
  bool non_temporal = false;
  /// Tiles are lines of 64 bytes, and vectors are half as wide: one turn computes all first halves,
  /// the next all second ones. Such code is half as long as that of whole lines.
  bool is_by_halves = false;
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

/// Whether this build can write machine code: on x86-64 it can.
bool can_write_machine_code();

/// A function of type TileKernel for the schedule of a tile, as position-independent bytes to be
/// placed at a multiple of 64. AVX2 code for vectors of 32 bytes, AVX-512 for those of 64, with
/// GFNI where it multiplies by matrices. It follows the calling convention of System V.
///
/// Only loads, stores, register moves, XORs of two and three operands, multiplications, prefetches,
/// a fence, pointer arithmetic, jumps forward, the loop, entry and return are ever written.
/// Multiplications by tables have shuffles, masks and shifts.
///
/// Answer: nothing if it would take more than most_bytes.
/// Shape:  the schedule agrees with a tile (find_disagreement) whose vectors lie at these places;
///         products has each coefficient of it.
/// Errors: throws kUnsupported where can_write_machine_code() is false.
std::vector<std::uint8_t> machine_code(const TilePlaces& places,
                                       const InstructionSchedule& schedule,
                                       const MachineFacts& machine,
                                       const MachineCodeOptions& options);

}  // namespace xorloom
