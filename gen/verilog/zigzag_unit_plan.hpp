#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "codes/code.hpp"
#include "codes/field/field.hpp"

namespace xorloom {

// What a processing unit with one memory bank per data location does. A bank delivers one element
// per clock, so an output adds at most one element of each bank:
//
//   memory unit ──> bank 0 ──> × factor ──┐
//               ──> bank 1 ──> × factor ──┼──> sum ──> memory unit
//               ──> …                     │
//               ──> bank k-1 ─> × factor ─┘
//
// A task first loads all elements that it needs, each once, and then computes output by output.
//
// Source: Qin et al., A generic FPGA accelerator for minimum storage regenerating codes, 2019,
//         section III.

/// An element that is read, and where it is kept: the slots of a bank hold an element each.
struct UnitLoad {
  std::size_t location;
  std::size_t row;
  std::size_t bank;
  std::size_t slot;

  friend bool operator==(const UnitLoad&, const UnitLoad&) = default;
};

/// What an output takes from a bank. Factor 0: nothing.
struct UnitTerm {
  std::size_t slot = 0;
  Field::Symbol factor = 0;

  friend bool operator==(const UnitTerm&, const UnitTerm&) = default;
};

struct UnitOutput {
  std::size_t location;
  std::size_t row;
  std::vector<UnitTerm> terms;  ///< one per bank

  friend bool operator==(const UnitOutput&, const UnitOutput&) = default;
};

/// Encoding, or a rebuild of lost locations.
struct UnitOperation {
  std::vector<std::size_t> lost;  ///< empty: encoding
  std::vector<UnitLoad> loads;
  std::vector<UnitOutput> outputs;

  /// "encode", "rebuild 3".
  std::string name() const;
};

struct UnitPlan {
  Field field;
  std::size_t banks;
  std::size_t locations;
  std::size_t rows;  ///< elements of a location, and slots of a bank
  std::vector<UnitOperation> operations;
};

inline constexpr std::size_t kMostUnitBanks = 32;
inline constexpr std::size_t kMostUnitLoads = std::size_t{1} << 16;

/// The plan for encoding and then for each set of lost locations; without sets, for every loss of
/// one location. Equations are direct, and read the least where that fits the banks.
///
/// A bank belongs to a data location. What is read of a redundant location goes into the bank of a
/// data location that is lost, or of one that no equation adds to it.
///
/// Errors: throws kUnsupported for a code that is not on words of 4, 8, 16 or 32 bits without
///         planes, whose locations mix data with redundancy, or where an output takes two elements
///         of a bank; kInvalidArgument for more than kMostUnitBanks data locations, for more loads
///         than kMostUnitLoads, and for locations that are out of range or named twice; kDamaged
///         if a set cannot be rebuilt.
UnitPlan unit_plan(const Code& code, std::span<const std::vector<std::size_t>> losses = {});

/// What a bank's multiplier can multiply by. Few factors have a number each, and a case for each
/// number. For more the factor itself stands in the table, and the multiplier takes any.
struct UnitFactors {
  std::vector<Field::Symbol> symbols;  ///< ascending; 0 is among them where an output takes nothing
  bool is_general = false;
  std::size_t bits = 0;  ///< in the table; 0 where there is one factor

  /// What the table holds for a factor.
  std::size_t number_of(Field::Symbol factor) const;
};

/// Where the loads and outputs of an operation stand in the tables, first and last.
struct UnitRange {
  std::size_t first_load;
  std::size_t last_load;
  std::size_t first_output;
  std::size_t last_output;
};

/// The tables of all operations, one after the other. Operations that read or compute the same, as
/// encoding and the rebuild of a redundant location do, share lines.
struct UnitTables {
  std::vector<UnitLoad> loads;
  std::vector<UnitOutput> outputs;
  std::vector<UnitRange> operations;
  std::vector<UnitFactors> factors;  ///< by bank

  // Widths of numbers, at least 1.
  std::size_t location_bits;
  std::size_t row_bits;  ///< of slots, too
  std::size_t bank_bits;
  std::size_t load_bits;
  std::size_t output_bits;
  std::size_t operation_bits;

  /// Of what an entry says of all banks: their factors and slots.
  std::size_t term_bits() const;
};

UnitTables unit_tables(const UnitPlan& plan);

/// The product of a constant and a symbol a as Verilog: "{a[6], a[5], a[4], a[3] ^ a[7], …}".
std::string verilog_product(const Field& field, Field::Symbol factor);

}  // namespace xorloom
