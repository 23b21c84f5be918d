#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codes/code.hpp"
#include "gen/verilog/verilog_text.hpp"
#include "gen/verilog/zigzag_unit_plan.hpp"

namespace xorloom {

struct ZigzagUnitOptions {
  std::size_t lanes = 8;              ///< symbols of a word, 1 … kMostUnitLanes
  std::size_t slice_words = 64;       ///< a power of two, 2 … kMostSliceWords
  std::size_t buffers = 1;            ///< 2: the next slice is loaded while one is computed
  std::optional<std::string> name{};  ///< none: by the code
};

struct UnitTestOptions {
  /// Words of an element; none: two slices and a half, less for a code of many elements.
  std::optional<std::size_t> element_words{};
  std::size_t stripes = 2;
  std::size_t latency = 8;  ///< clocks until the memory unit delivers a word, at least 1
};

/// A sum of the tree adds up to this many: with a register behind it, one LUT per bit.
inline constexpr std::size_t kUnitTreeOperands = 4;

inline constexpr std::size_t kMostUnitLanes = 128;
inline constexpr std::size_t kMostSliceWords = 4096;
inline constexpr std::size_t kMostBankBytes = std::size_t{1} << 20;

/// Errors: throws kInvalidArgument for options out of bounds, for a bank of more than
///         kMostBankBytes, and for a name that is no identifier.
void check_unit_options(const Code& code, const UnitPlan& plan, const ZigzagUnitOptions& options);

/// The Zigzag unit for encoding and for sets of lost locations, or for every loss of one location,
/// and its testbench.
///
/// Errors: as unit_plan and check_unit_options; kInternal if what was written is not the plan.
VerilogText write_zigzag(const Code& code, std::span<const std::vector<std::size_t>> losses,
                         const ZigzagUnitOptions& options, const UnitTestOptions& test = {});

// The parts of write_zigzag.

/// A module, xl_NAME_zigzag_unit, that executes the operations of a plan: banks of two ports, a
/// table of what is read, a table of indices and coefficients for each output, multipliers for the
/// coefficients in that table, a pipelined tree of sums, and the controller of addresses. The
/// comment at the top of the file says how it is used.
///
/// What was written is read back (check_zigzag_unit).
std::string write_zigzag_unit(const Code& code, const UnitPlan& plan,
                              const ZigzagUnitOptions& options);

/// The part of a unit that is the same for every plan. It follows the localparams and tables, which
/// give widths and bounds their names:
///
///   starting a task, the first address of each row, and the slices one after the other
///   asking the memory unit for the words of a slice, and taking them as they arrive
///   walking the outputs of a slice, up to the operands
extern const char* const kUnitBody;

/// Reads the tables, the multipliers and the slices of table entries back from a unit that was
/// written, and compares what they say with the plan: the same loads and outputs of each operation
/// in the same order, and for each factor every bit of the product.
///
/// Errors: throws kInternal, saying where they differ.
void check_zigzag_unit(std::string_view text, const UnitPlan& plan);

/// A testbench: a memory unit with random data, and for every operation a run without waiting, and
/// one in which the memory unit makes the unit wait at random. It compares all words of the memory
/// unit with the bits of the oracle, and checks that each word was read once. It ends with PASS and
/// $finish, or with FAIL and $stop. The lines before give the clocks of each run.
std::string write_zigzag_unit_testbench(const Code& code, const UnitPlan& plan,
                                        const ZigzagUnitOptions& options,
                                        const UnitTestOptions& test = {});

}  // namespace xorloom
