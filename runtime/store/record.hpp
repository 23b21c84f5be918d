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
#include "gen/vector/machine_program.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

// A record of the store is one program that was searched, as bytes: docs/store.md has the format.

/// What a program is looked for by.
struct ProgramKey {
  std::uint64_t map = 0;  ///< a checksum of the direct equations, wherever their cells lie
  /// 2 (AVX2) or 3 (AVX-512): operands of an XOR of the machine whose code it is for.
  /// kFewXors: it has few XORs, for any machine.
  std::uint32_t operands = 0;
  friend auto operator<=>(const ProgramKey&, const ProgramKey&) = default;
};
inline constexpr std::uint32_t kFewXors = 0;

/// The key of direct equations.
ProgramKey program_key(const Program& direct, std::uint32_t operands);

/// The key of equations of few XORs for what a program computes; with `cores`, of equations that
/// have a plan for as many cores. None if they have more than kMostKeyedOperands operands, which is
/// too much for a record.
std::optional<ProgramKey> few_xors_key(const Program& program, std::size_t cores);
inline constexpr std::size_t kMostKeyedOperands = std::size_t{1} << 22;

/// Equations of few XORs without places (without_places), and what was spent on them.
struct FewXors {
  Program program;
  std::optional<CoreSchedule> plan{};
  SearchRecord search{};
};

/// The bytes that a record begins with, if they are one of a known version. Its checksum is not
/// compared.
struct ProgramRecord {
  ProgramKey key;
  Effort effort;
  std::span<const std::uint8_t> bytes;
};
std::optional<ProgramRecord> first_record(std::span<const std::uint8_t> bytes);

/// A program for machine code, as a record, and back; none if the record is damaged or holds
/// another kind of program.
std::vector<std::uint8_t> record_bytes(const ProgramKey& key, const OrderedProgram& program);
std::optional<OrderedProgram> machine_program_of(const ProgramRecord& record);

/// The same for equations of few XORs, which are over a field. A plan has one step for each equation
/// of two operands.
std::vector<std::uint8_t> record_bytes(const ProgramKey& key, const FewXors& equations);
std::optional<FewXors> few_xors_of(const ProgramRecord& record, const Field& field = gf2());

}  // namespace xorloom
