#pragma once

#include <cstdint>
#include <vector>

#include "gen/vector/machine_code.hpp"
#include "gen/vector/machine_facts.hpp"

namespace xorloom {

// The machines that code is written for: their facts, and the encoders of their instructions. A
// build has the encoder of its own processor.

/// AVX2 code for vectors of 32 bytes, AVX-512 for those of 64, with GFNI where it multiplies by
/// matrices. It follows the calling convention of System V.
///
/// Answer, shape: see TileEncoder in gen/vector/machine_code.hpp.
std::vector<std::uint8_t> x86_64_code(const TilePlaces& places, const InstructionSchedule& schedule,
                                      const MachineFacts& machine,
                                      const MachineCodeOptions& options);

/// Code of AArch64: NEON, with XORs of three vectors by SHA3 where the machine adds three operands.
///
/// Answer, shape: see TileEncoder in gen/vector/machine_code.hpp.
std::vector<std::uint8_t> aarch64_code(const TilePlaces& places,
                                       const InstructionSchedule& schedule,
                                       const MachineFacts& machine,
                                       const MachineCodeOptions& options);

/// Code of RISC-V: the V extension with vectors of the facts' length, at most that of the machine.
///
/// Answer, shape: see TileEncoder in gen/vector/machine_code.hpp.
std::vector<std::uint8_t> riscv64_code(const TilePlaces& places,
                                       const InstructionSchedule& schedule,
                                       const MachineFacts& machine,
                                       const MachineCodeOptions& options);

#if defined(__x86_64__)
inline constexpr TileEncoder kX86Encoder = x86_64_code;
#else
inline constexpr TileEncoder kX86Encoder = nullptr;
#endif
#if defined(__aarch64__) && !defined(__AARCH64EB__)
inline constexpr TileEncoder kArmEncoder = aarch64_code;
#else
inline constexpr TileEncoder kArmEncoder = nullptr;
#endif
#if defined(__riscv) && __riscv_xlen == 64
inline constexpr TileEncoder kRiscvEncoder = riscv64_code;
#else
inline constexpr TileEncoder kRiscvEncoder = nullptr;
#endif

/// AVX-512 and AVX2, with GFNI.
inline constexpr MachineFacts kThreeWayMachine{.encode = kX86Encoder};
inline constexpr MachineFacts kTwoWayMachine{
    .vector_bytes = 32, .registers = 16, .xor_operands = 2, .encode = kX86Encoder};

/// What instructions take where all that is known is that each takes its place: no processor of the
/// kind has been timed.
inline constexpr InstructionWork kEvenWork{1, 1, 1, 1};

/// NEON. Of 32 registers one is for operands in memory. Products by tables take twelve: two of
/// nibbles, two of what is looked up, and four pairs of tables that serve the products of several
/// vectors.
inline constexpr MachineFacts kNeonMachine{.vector_bytes = 16,
                                           .registers = 31,
                                           .xor_operands = 2,
                                           .has_matrix_products = false,
                                           .work = kEvenWork,
                                           .cache_sets = 256,
                                           .cache_ways = 4,
                                           .table_registers = 13,
                                           .held_tables = 4,
                                           .word_vectors = 4,
                                           .reads_memory = false,
                                           .has_cache_hints = false,
                                           .encode = kArmEncoder};

/// NEON with SHA3, which adds three vectors in one instruction.
constexpr MachineFacts neon_sha3_machine() {
  MachineFacts machine = kNeonMachine;
  machine.xor_operands = 3;
  return machine;
}

/// The V extension of RISC-V, of which machines differ in the length of vectors. A tile is a cache
/// line, so longer ones are not used whole. Its facts are those of NEON otherwise.
constexpr MachineFacts rvv_machine(std::size_t vector_bytes) {
  MachineFacts machine = kNeonMachine;
  machine.vector_bytes = vector_bytes < kCacheLine ? vector_bytes : kCacheLine;
  machine.encode = kRiscvEncoder;
  return machine;
}

}  // namespace xorloom
