#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "equations/files/equation_file.hpp"
#include "equations/ir/core_schedule.hpp"
#include "equations/ir/program.hpp"
#include "equations/passes/gate_prices.hpp"
#include "gen/vector/machine_program.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

// A record of the store holds one searched program. docs/store.md has the format.

/// Key of a program in the store.
struct ProgramKey {
  std::uint64_t map = 0;  ///< checksum of the direct equations, without the places of their cells
  /// Operands of an XOR of the target machine: 2 (AVX2) or 3 (AVX-512). kFewXors: equations with
  /// few XORs, for any machine.
  std::uint32_t operands = 0;
  friend auto operator<=>(const ProgramKey&, const ProgramKey&) = default;
};
inline constexpr std::uint32_t kFewXors = 0;

/// The key of a program for machine code that computes `direct`.
ProgramKey program_key(const Program& direct, std::uint32_t operands);

/// Gates that equations are to have few of, instead of XORs.
struct FewGates {
  GatePrices prices;
  std::size_t levels = 0;  ///< wanted levels of gates; 0: any
};

/// The key of equations with few XORs that compute the same as `program` and, if `cores` is not 0,
/// have a plan for `cores` cores, or are of few `gates`. nullopt: `program` has more than
/// kMostKeyedOperands operands, too many for a record.
std::optional<ProgramKey> few_xors_key(const Program& program, std::size_t cores,
                                       const std::optional<FewGates>& gates = std::nullopt);
inline constexpr std::size_t kMostKeyedOperands = std::size_t{1} << 22;

/// Equations with few XORs, without places (see without_places()), and the effort of their search.
struct FewXors {
  Program program;
  std::optional<CoreSchedule> plan{};
  SearchRecord search{};
};

/// The first record of `bytes`; nullopt if they do not begin with a record of a known version. The
/// checksum is not verified.
struct ProgramRecord {
  ProgramKey key;
  Effort effort;
  std::span<const std::uint8_t> bytes;
};
std::optional<ProgramRecord> first_record(std::span<const std::uint8_t> bytes);

/// Convert a program for machine code, which has an order, to a record and back. nullopt: the
/// record is damaged or holds another kind of program.
std::vector<std::uint8_t> record_bytes(const ProgramKey& key, const OrderedProgram& program);
std::optional<OrderedProgram> machine_program_of(const ProgramRecord& record);

/// Convert equations with few XORs over `field` to a record and back. A plan must have one step per
/// equation of two operands. nullopt: the record is damaged or holds another kind of program.
std::vector<std::uint8_t> record_bytes(const ProgramKey& key, const FewXors& equations);
std::optional<FewXors> few_xors_of(const ProgramRecord& record, const Field& field = gf2());

}  // namespace xorloom
