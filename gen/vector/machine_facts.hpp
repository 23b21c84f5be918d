#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace xorloom {

struct InstructionSchedule;
struct MachineCodeOptions;
struct MachineFacts;
struct TilePlaces;

/// Gives a function of type TileKernel (gen/vector/lower.hpp) for the schedule of a tile, as
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
using TileEncoder = std::vector<std::uint8_t> (*)(const TilePlaces&, const InstructionSchedule&,
                                                  const MachineFacts&, const MachineCodeOptions&);

/// What instructions add to the work of a core. Only their proportions matter.
struct InstructionWork {
  std::size_t load;
  std::size_t operation;
  std::size_t store;
  std::size_t copy;

  friend bool operator==(const InstructionWork&, const InstructionWork&) = default;
};

/// The work where an instruction adds three operands, of AVX-512. Zen 4 computes two vectors per
/// cycle, loads one and stores one in two; what is in the second cache lets it store sooner than it
/// computes. Of 30 kernels of 10 + 4 and 28 + 4, cut in many ways, these proportions put those of
/// one code into the order of their times, but for a few whose times are within 5 %.
inline constexpr InstructionWork kThreeWayWork{2, 1, 2, 1};

/// The work where it adds two, of AVX2, in about 25ths of a cycle. Fitted on Zen 3 to the time of
/// 36 kernels each of five codes, from 6 + 3 to 28 + 4: none was more than 4 % off, with a constant
/// for each code. Such a core loads two vectors a cycle, and that is what its kernels wait for.
inline constexpr InstructionWork kTwoWayWork{10, 1, 3, 1};

/// Bytes of a line of the first cache.
inline constexpr std::size_t kCacheLine = 64;

// About what instructions take of machine code, in bytes: what a program takes at the least, an XOR
// with what it loads and stores, one whose operands lie far from their pointers, and a product by
// tables, which is six instructions.
inline constexpr std::size_t kLeastBytesOfXor = 6;
inline constexpr std::size_t kBytesOfXor = 7;
inline constexpr std::size_t kBytesOfFarXor = 10;
inline constexpr std::size_t kBytesOfTables = 30;

/// What is known of the processor that a program is lowered for. All limits of its kernels follow
/// from these facts.
struct MachineFacts {
  std::size_t vector_bytes = 64;
  std::size_t registers = 32;    ///< that hold a vector and that a schedule may name
  std::size_t xor_operands = 3;  ///< that one instruction adds up, 2 or 3
  /// Whether one instruction multiplies by a matrix of bits. Otherwise products are looked up in
  /// two tables, by the low and by the high nibbles of bytes.
  bool has_matrix_products = true;
  InstructionWork work = xor_operands == 3 ? kThreeWayWork : kTwoWayWork;
  std::size_t cache_sets = 64;  ///< of the first cache, in lines of kCacheLine bytes
  std::size_t cache_ways = 8;   ///< lines that a set holds of those that compete for it
  /// Code, matrices included, that stays in the first cache for code. What is longer runs no faster
  /// than what it would replace.
  std::size_t code_bytes = std::size_t{24} << 10;
  /// The registers that products by tables take, the last ones of the machine: the nibbles, a mask
  /// of low ones, and what is looked up.
  std::size_t table_registers = xor_operands + 2;
  /// Of table_registers, pairs that keep tables for the products that follow.
  std::size_t held_tables = 0;
  /// Vectors of each cell that a turn computes on words.
  std::size_t word_vectors = 2;
  /// Whether an XOR or a product may read memory; otherwise that takes a load of its own.
  bool reads_memory = true;
  /// Whether kernels prefetch, and store past the caches.
  bool has_cache_hints = true;
  TileEncoder encode = nullptr;  ///< none: no machine code is written
  /// The same processor with shorter vectors, for packets that these do not divide; null: none.
  const MachineFacts* narrower = nullptr;

  bool has_three_way_xor() const { return xor_operands == 3; }
  /// Operands that one instruction adds to a sum.
  std::size_t added_operands() const { return xor_operands - 1; }
  bool holds_lines() const { return vector_bytes == kCacheLine; }
  std::size_t cache_bytes() const { return cache_sets * cache_ways * kCacheLine; }
  /// Equations of a tile. More take more than code_bytes: each takes an instruction of four bytes
  /// or more.
  std::size_t most_equations() const { return code_bytes / 4; }
  /// Instructions of a kernel, about: those of long code take at least so much, with addresses.
  std::size_t most_instructions() const {
    if (!reads_memory) return code_bytes / 4;
    return code_bytes / (has_three_way_xor() ? 12 : 9);
  }
  friend bool operator==(const MachineFacts&, const MachineFacts&) = default;
};

/// The code bytes of most machines.
inline constexpr std::size_t kMostCodeBytes = MachineFacts{}.code_bytes;

}  // namespace xorloom
