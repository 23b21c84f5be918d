#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "codes/field/field.hpp"
#include "gen/verilog/zigzag_unit_plan.hpp"

namespace xorloom {

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
