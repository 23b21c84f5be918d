#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codes/code.hpp"
#include "codes/field/field.hpp"
#include "gen/verilog/verilog_text.hpp"

namespace xorloom {

// The work of a processing unit with one memory bank per data location. A bank delivers one element
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

/// An element to read, and the slot of a bank that keeps it. A slot holds one element.
struct UnitLoad {
  std::size_t location;
  std::size_t row;
  std::size_t bank;
  std::size_t slot;

  friend bool operator==(const UnitLoad&, const UnitLoad&) = default;
};

/// Term of an output from a bank: factor times slot. Factor 0: no term.
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
/// one location. Equations are direct, and read the fewest elements if these fit the banks.
///
/// A bank belongs to a data location. Elements of a redundant location go into the bank of a data
/// location that is lost, or of one that no equation adds to the redundant location.
///
/// Errors: throws kUnsupported for a code that is not on words of 4, 8, 16 or 32 bits without
///         planes, for a code whose locations mix data with redundancy, and if an output takes two
///         elements of a bank; kInvalidArgument for more than kMostUnitBanks data locations, for
///         more loads than kMostUnitLoads, and for locations that are out of range or named twice;
///         kDamaged if a set cannot be rebuilt.
UnitPlan unit_plan(const Code& code, std::span<const std::vector<std::size_t>> losses = {});

struct ZigzagUnitOptions {
  std::size_t lanes = 8;              ///< symbols of a word, 1 … kMostUnitLanes
  std::size_t slice_words = 64;       ///< a power of two, 2 … kMostSliceWords
  std::size_t buffers = 1;            ///< 2: the next slice is loaded while one is computed
  std::optional<std::string> name{};  ///< nullopt: named after the code
};

struct UnitTestOptions {
  /// Words of an element; nullopt: two slices and a half, less for a code of many elements.
  std::optional<std::size_t> element_words{};
  std::size_t stripes = 2;
  std::size_t latency = 8;  ///< clocks until the memory unit delivers a word, at least 1
};

/// Most operands of a sum of the tree: with a register behind it, one LUT per bit.
inline constexpr std::size_t kUnitTreeOperands = 4;

inline constexpr std::size_t kMostUnitLanes = 128;
inline constexpr std::size_t kMostSliceWords = 4096;
inline constexpr std::size_t kMostBankBytes = std::size_t{1} << 20;

/// Checks the options of a unit.
///
/// Errors: throws kInvalidArgument for options out of bounds, for a bank of more than
///         kMostBankBytes, and for a name that is no identifier.
void check_unit_options(const Code& code, const UnitPlan& plan, const ZigzagUnitOptions& options);

/// Writes the Zigzag unit for encoding and for sets of lost locations, or for every loss of one
/// location, and its testbench.
///
/// Errors: as unit_plan and check_unit_options; kInternal if the text does not agree with the plan.
VerilogText write_zigzag(const Code& code, std::span<const std::vector<std::size_t>> losses,
                         const ZigzagUnitOptions& options, const UnitTestOptions& test = {});

// The parts of write_zigzag.

/// Factors of a bank's multiplier. A few factors are numbered, and the multiplier has a case for
/// each number. If there are many, the table holds the factor itself, and the multiplier takes any
/// factor.
struct UnitFactors {
  std::vector<Field::Symbol> symbols;  ///< ascending; with 0 if an output takes nothing
  bool is_general = false;
  std::size_t bits = 0;  ///< bits of a factor in the table; 0 if there is one factor

  /// Number that the table holds for a factor.
  std::size_t number_of(Field::Symbol factor) const;
};

/// First load and first output of an operation in the tables.
struct UnitRange {
  std::size_t first_load;
  std::size_t first_output;
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
  std::size_t row_bits;  ///< for rows, and for slots
  std::size_t bank_bits;
  std::size_t load_bits;
  std::size_t output_bits;
  std::size_t operation_bits;

  /// Bits of an output's entry for all banks: their factors and slots.
  std::size_t term_bits() const;
};

UnitTables unit_tables(const UnitPlan& plan);

/// The product of a constant and a symbol a as Verilog: "{a[6], a[5], a[4], a[3] ^ a[7], …}".
std::string verilog_product(const Field& field, Field::Symbol factor);

/// A module, xl_NAME_zigzag_unit, that executes the operations of a plan: banks of two ports, a
/// table of loads, a table of indices and coefficients for each output, multipliers for the
/// coefficients in that table, a pipelined tree of sums, and the controller of addresses. The
/// comment at the top of the file says how to use it.
///
/// The text is read back (check_zigzag_unit).
std::string write_zigzag_unit(const Code& code, const UnitPlan& plan,
                              const ZigzagUnitOptions& options);

/// The part of a unit that all plans share. It follows the localparams and tables, which name
/// widths and bounds. Its steps:
///
///   starting a task, the first address of each row, and the slices one after the other
///   asking the memory unit for the words of a slice, and taking them as they arrive
///   walking the outputs of a slice, up to the operands
extern const char* const kUnitBody;

/// Reads the tables, the multipliers and the slices of table entries back from a written unit, and
/// compares them with the plan: the same loads and outputs of each operation in the same order, and
/// for each factor every bit of the product.
///
/// Errors: throws kInternal, with the difference.
void check_zigzag_unit(std::string_view text, const UnitPlan& plan);

/// A testbench with a memory unit of random data. Each operation runs twice: once without waiting,
/// and once while the memory unit makes the unit wait at random. It compares all words of the
/// memory unit with the bits of the oracle, and checks that no word was read twice. It ends with
/// PASS and $finish, or with FAIL and $stop. The lines before give the clocks of each run.
std::string write_zigzag_unit_testbench(const Code& code, const UnitPlan& plan,
                                        const ZigzagUnitOptions& options,
                                        const UnitTestOptions& test = {});

}  // namespace xorloom
