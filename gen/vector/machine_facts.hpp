#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace xorloom {

struct InstructionSchedule;
struct MachineCodeOptions;
struct MachineFacts;
struct TilePlaces;

/// Encodes the schedule of a tile as a function of type TileKernel (gen/vector/lower.hpp), which
/// follows the usual calling convention of the processor. The bytes are position-independent, to be
/// placed at a multiple of 64.
///
/// The code consists only of loads, stores, register moves, XORs, multiplications, prefetches, a
/// fence, pointer arithmetic, forward jumps, the loop, entry and return. Multiplications by tables
/// add shuffles, masks and shifts.
///
/// Answer: empty if the code would exceed most_bytes.
/// Shape:  the schedule agrees with a tile (find_disagreement) whose vectors lie at these places;
///         products has each coefficient of the schedule.
using TileEncoder = std::vector<std::uint8_t> (*)(const TilePlaces&, const InstructionSchedule&,
                                                  const MachineFacts&, const MachineCodeOptions&);

/// Relative work of a core per instruction. Only the proportions matter.
struct InstructionWork {
  std::size_t load;
  std::size_t operation;
  std::size_t store;
  std::size_t copy;

  friend bool operator==(const InstructionWork&, const InstructionWork&) = default;
};

/// Work with three-operand XOR (AVX-512). Zen 4 computes two vectors per cycle, loads one per cycle
/// and stores one every two cycles; data in L2 let it store sooner than it computes. Tried on 30
/// kernels of 10 + 4 and 28 + 4, cut in many ways: these proportions sort the kernels of one code
/// by time, except for a few whose times differ by less than 5 %.
inline constexpr InstructionWork kThreeWayWork{2, 1, 2, 1};

/// Work with two-operand XOR (AVX2), in about 25ths of a cycle. Fitted on Zen 3 to the times of 36
/// kernels each of five codes, from 6 + 3 to 28 + 4: none was more than 4 % off, with a constant
/// for each code. Such a core loads two vectors a cycle, and its kernels are bound by loads.
inline constexpr InstructionWork kTwoWayWork{10, 1, 3, 1};

/// Bytes of a line of the L1 data cache.
inline constexpr std::size_t kCacheLine = 64;

// Approximate code bytes of an operation: the least that an XOR takes, an XOR with its loads and
// stores, an XOR whose operands lie far from their pointers, and a product by tables (six
// instructions).
inline constexpr std::size_t kLeastBytesOfXor = 6;
inline constexpr std::size_t kBytesOfXor = 7;
inline constexpr std::size_t kBytesOfFarXor = 10;
inline constexpr std::size_t kBytesOfTables = 30;

/// Properties of the processor that a program is lowered for. Registers, the width of vectors and
/// the caches limit its kernels.
struct MachineFacts {
  std::size_t vector_bytes = 64;
  /// Vector registers that a schedule may name: at least 4 besides `table_registers`, at most 64.
  std::size_t registers = 32;
  /// Operands that one instruction XORs into any register: 2 or 3. If the sum replaces an operand,
  /// the encoder adds a move, which the schedule does not count.
  std::size_t xor_operands = 3;
  /// True if one instruction multiplies by a matrix of bits. Otherwise products are looked up in
  /// two tables, by the low and by the high nibbles of bytes.
  bool has_matrix_products = true;
  InstructionWork work = xor_operands == 3 ? kThreeWayWork : kTwoWayWork;
  std::size_t cache_sets = 64;  ///< sets of the L1 data cache
  std::size_t cache_ways = 8;   ///< lines that a set holds
  /// Code bytes, matrices included, that stay in the L1 instruction cache. A longer kernel runs no
  /// faster than the code that it would replace.
  std::size_t code_bytes = std::size_t{24} << 10;
  /// Registers reserved for products by tables, the last ones of the machine: for nibbles, a mask
  /// of low nibbles, and looked-up products.
  std::size_t table_registers = xor_operands + 2;
  /// Register pairs, among `table_registers`, that keep tables for later products.
  std::size_t held_tables = 0;
  /// Vectors of each cell that a turn of a kernel on words computes.
  std::size_t word_vectors = 2;
  /// True if an XOR or a product may read memory; otherwise that takes a load of its own.
  bool reads_memory = true;
  /// True if kernels prefetch, and store past the caches.
  bool has_cache_hints = true;
  TileEncoder encode = nullptr;  ///< null: no machine code is written
  /// This processor with shorter vectors, for packets that `vector_bytes` does not divide; null:
  /// none.
  const MachineFacts* narrower = nullptr;

  bool has_three_way_xor() const { return xor_operands == 3; }
  /// Operands that one instruction adds to a sum.
  std::size_t added_operands() const { return xor_operands - 1; }
  bool holds_lines() const { return vector_bytes == kCacheLine; }
  std::size_t cache_bytes() const { return cache_sets * cache_ways * kCacheLine; }
  /// Most equations of a tile whose code fits `code_bytes`: an equation takes an instruction of
  /// four bytes or more.
  std::size_t most_equations() const { return code_bytes / 4; }
  /// Approximate limit of the instructions of a kernel. In long code an instruction with its
  /// address takes at least 12 bytes (three-operand XOR) or 9; 4 on machines whose XORs read no
  /// memory.
  std::size_t most_instructions() const {
    if (!reads_memory) return code_bytes / 4;
    return code_bytes / (has_three_way_xor() ? 12 : 9);
  }
  friend bool operator==(const MachineFacts&, const MachineFacts&) = default;
};

/// Default of `code_bytes`, which most machines use.
inline constexpr std::size_t kMostCodeBytes = MachineFacts{}.code_bytes;

}  // namespace xorloom
