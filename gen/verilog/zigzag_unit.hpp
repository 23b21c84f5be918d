#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "codes/code.hpp"
#include "gen/verilog/zigzag_unit_plan.hpp"

namespace xorloom {

struct ZigzagUnitOptions {
  std::size_t lanes = 8;              ///< symbols of a word, 1 … kMostUnitLanes
  std::size_t slice_words = 64;       ///< a power of two, 2 … kMostSliceWords
  std::size_t buffers = 1;            ///< 2: the next slice is loaded while one is computed
  std::optional<std::string> name{};  ///< none: by the code
};

/// A sum of the tree adds up to this many: with a register behind it, one LUT per bit.
inline constexpr std::size_t kUnitTreeOperands = 4;

inline constexpr std::size_t kMostUnitLanes = 128;
inline constexpr std::size_t kMostSliceWords = 4096;
inline constexpr std::size_t kMostBankBytes = std::size_t{1} << 20;

/// Errors: throws kInvalidArgument for options out of bounds, for a bank of more than
///         kMostBankBytes, and for a name that is no identifier.
void check_unit_options(const Code& code, const UnitPlan& plan, const ZigzagUnitOptions& options);

/// "xl_NAME_zigzag_unit", as the module is called.
std::string zigzag_unit_module(const Code& code, const ZigzagUnitOptions& options);

/// A module of Verilog-2005 that executes the operations of a plan: banks of two ports, a table of
/// what is read, a table of indices and coefficients for each output, multipliers for the
/// coefficients in that table, a pipelined tree of sums, and the controller of addresses. The
/// comment at the top of the file says how it is used.
///
/// What was written is read back (check_zigzag_unit).
///
/// Errors: as check_unit_options; kInternal if what was written is not the plan.
std::string write_zigzag_unit(const Code& code, const UnitPlan& plan,
                              const ZigzagUnitOptions& options);

}  // namespace xorloom
