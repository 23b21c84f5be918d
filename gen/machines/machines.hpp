#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "gen/vector/lower.hpp"
#include "gen/vector/machine_facts.hpp"

namespace xorloom {

// Machines that code is written for: their facts, and the encoders of their instructions. A build
// has the encoder of its own processor.

/// Writes AVX2 code for vectors of 32 bytes, AVX-512 code for vectors of 64 bytes, with GFNI if it
/// multiplies by matrices. The code follows the calling convention of System V.
///
/// Answer, shape: see TileEncoder.
std::vector<std::uint8_t> x86_64_code(const TilePlaces& places, const InstructionSchedule& schedule,
                                      const MachineFacts& machine,
                                      const MachineCodeOptions& options);

/// Writes code of AArch64: NEON, with XORs of three vectors by SHA3 if the machine adds three
/// operands.
///
/// Answer, shape: see TileEncoder.
std::vector<std::uint8_t> aarch64_code(const TilePlaces& places,
                                       const InstructionSchedule& schedule,
                                       const MachineFacts& machine,
                                       const MachineCodeOptions& options);

/// Writes code of RISC-V: the V extension with vectors of the facts' length, at most that of the
/// machine.
///
/// Answer, shape: see TileEncoder.
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

/// AVX2 and AVX-512, with GFNI.
inline constexpr MachineFacts kTwoWayMachine{
    .vector_bytes = 32, .registers = 16, .xor_operands = 2, .encode = kX86Encoder};
inline constexpr MachineFacts kThreeWayMachine{.encode = kX86Encoder, .narrower = &kTwoWayMachine};

/// Work of machines that have not been timed: every instruction counts the same.
inline constexpr InstructionWork kEvenWork{1, 1, 1, 1};

/// NEON. Of 32 registers one is for operands in memory. Products by tables take thirteen: two for
/// nibbles, two for looked-up products, four pairs of tables that serve the products of several
/// vectors, and a mask.
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

/// The V extension of RISC-V with vectors of `vector_bytes`. Its other facts are those of NEON.
constexpr MachineFacts rvv_facts(std::size_t vector_bytes, const MachineFacts* narrower) {
  MachineFacts machine = kNeonMachine;
  machine.vector_bytes = vector_bytes;
  machine.encode = kRiscvEncoder;
  machine.narrower = narrower;
  return machine;
}
inline constexpr MachineFacts kRvv16Machine = rvv_facts(16, nullptr);
inline constexpr MachineFacts kRvv32Machine = rvv_facts(32, &kRvv16Machine);
inline constexpr MachineFacts kRvv64Machine = rvv_facts(64, &kRvv32Machine);

/// Returns the facts for a processor with vectors of `vector_bytes`. A tile is a cache line, so
/// longer vectors are not used whole.
constexpr const MachineFacts& rvv_machine(std::size_t vector_bytes) {
  if (vector_bytes >= kCacheLine) return kRvv64Machine;
  return vector_bytes >= 32 ? kRvv32Machine : kRvv16Machine;
}

/// Returns the machine for packets of `packet_bytes`: the given one, or the next narrower one whose
/// vectors divide the packets. It has the encoder of the given one. nullopt if no vectors divide
/// the packets.
constexpr std::optional<MachineFacts> machine_for_packets(const MachineFacts& machine,
                                                          std::size_t packet_bytes) {
  for (const MachineFacts* facts = &machine; facts != nullptr; facts = facts->narrower) {
    if (packet_bytes % facts->vector_bytes != 0) continue;
    MachineFacts result = *facts;
    result.encode = machine.encode;
    return result;
  }
  return std::nullopt;
}

}  // namespace xorloom
