#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codes/code.hpp"
#include "equations/ir/core_schedule.hpp"
#include "equations/ir/program.hpp"
#include "equations/request/request.hpp"

namespace xorloom {

/// What was spent on a search for iterative equations, as it was asked for. Only effort max has an
/// end to state: moves, seconds, or the more of either where it was searched again.
struct SearchRecord {
  std::string effort = "normal";  ///< fast, normal or max
  std::optional<std::size_t> steps{};
  std::optional<std::size_t> seconds{};
  std::size_t seed = 1;

  friend bool operator==(const SearchRecord&, const SearchRecord&) = default;
};

/// What an equations file says: a program, the code it is for and how it was made.
struct EquationFile {
  struct CodeName {
    std::string family;
    std::string spec;
    std::size_t k = 0;
    std::size_t m = 0;
    std::size_t w = 0;
    friend bool operator==(const CodeName&, const CodeName&) = default;
  };
  std::optional<CodeName> code;  ///< none for a bare matrix or hand-written equations
  std::string style = "direct";
  Program program;
  std::optional<CoreSchedule> plan;
  std::optional<RepairReads> reads;  ///< where it rebuilds and that was asked for; not read back
  bool proved = false;               ///< the program was compared with its code, and agreed
  std::optional<SearchRecord> search{};  ///< where it was kept with what was spent on it

  friend bool operator==(const EquationFile&, const EquationFile&) = default;
};

/// A program of a code as a file, proved, with a plan if `cores` is not 0.
///
/// Errors: throws kInternal if the program does not hold, kInvalidArgument for too many cores.
EquationFile proved_equations(const Code& code, Program program, std::string style,
                              std::size_t cores = 0);

/// Equations with shared temporaries in place of a bare matrix's direct ones, compared with them.
///
/// Errors: as above.
EquationFile proved_equations(const Program& direct, Program program);

/// Reads either form: JSON if the text begins with '{', else text. The program comes back with its
/// invariants checked and in an order where each equation follows those it reads; if the file names
/// a code, the program is proved against it, and a plan is checked against the program.
///
/// Text may be bare equations, as the paper prints them. Then `code` says what they are for;
/// without it, each number is a location of one row. Inputs are the cells that are only read,
/// outputs those that are assigned; with a code, all redundant ones unless the equations assign
/// data.
///
/// Errors: throws kParse with the line or the JSON key, kInvalidArgument for a bad code spec.
EquationFile read_equations(std::string_view text, const Code* code = nullptr);

/// Bound on element numbers that are read from outside.
inline constexpr std::size_t kMaxElements = std::size_t{1} << 24;

/// Throws kParse if a layout with its temporaries exceeds kMaxElements.
void check_size(const Program& program);

}  // namespace xorloom
