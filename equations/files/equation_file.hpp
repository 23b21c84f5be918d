#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codes/code.hpp"
#include "codes/field/bitmatrix.hpp"
#include "equations/build/used_part.hpp"
#include "equations/ir/core_schedule.hpp"
#include "equations/ir/program.hpp"
#include "equations/passes/gate_prices.hpp"
#include "equations/request/request.hpp"

namespace xorloom {

/// Effort of a search for iterative equations, as requested. Only effort max states an end: steps
/// or seconds; of repeated searches, the larger one.
struct SearchRecord {
  std::string effort = "normal";  ///< fast, normal or max
  std::optional<std::size_t> steps{};
  std::optional<std::size_t> seconds{};
  std::size_t seed = 1;
  std::size_t depth = 0;  ///< most levels of XORs requested; 0: any number

  friend bool operator==(const SearchRecord&, const SearchRecord&) = default;
};

class Json;

/// The JSON form of a search record.
Json search_json(const SearchRecord& search);

/// Cost of a plan of a program.
struct PlanCost {
  std::size_t makespan = 0;         ///< steps of the plan
  std::size_t atomic_makespan = 0;  ///< steps with each equation on one core
  std::size_t moves = 0;
  friend bool operator==(const PlanCost&, const PlanCost&) = default;
};

/// Contents of an equations file: a program, its code, and how it was made.
struct EquationFile {
  struct CodeName {
    std::string family;
    std::string spec;
    std::size_t k = 0;
    std::size_t m = 0;
    std::size_t w = 0;

    static CodeName of(const Code& code) {
      return {code.family, code.spec, code.k, code.m, code.w};
    }
    friend bool operator==(const CodeName&, const CodeName&) = default;
  };
  std::optional<CodeName> code{};  ///< nullopt: a bare matrix or hand-written equations
  std::string style = "direct";    ///< "iterative" if equations may read the targets of others
  Program program{};
  std::optional<CoreSchedule> plan{};
  std::optional<RepairReads> reads{};    ///< of a repair, if requested; read back only from JSON
  bool proved = false;                   ///< the program was proved to agree with its code
  std::optional<SearchRecord> search{};  ///< how iterative equations were found
  std::optional<PlanCost> plan_cost{};   ///< set if there is a plan; not read back
  std::optional<GateCount> gates{};      ///< if each equation is a gate with a price; not read back

  friend bool operator==(const EquationFile&, const EquationFile&) = default;
};

/// Returns why an equation of `program` is not direct, as a part of a sentence; nullopt if all are.
std::optional<std::string> why_not_direct(const Program& program);

/// Sets the plan of a file and computes its cost.
void set_plan(EquationFile& file, CoreSchedule plan);

/// Replaces the equations of `part`, and their plan, by those of the matrix `whole`.
///
/// Errors: throws kInternal if the equations do not hold.
void set_whole(EquationFile& file, const UsedPart& part, const BitMatrix& whole);

/// Makes the code that a file names. It may survive fewer losses than promised; specs that open
/// files are refused.
Code named_code(std::string_view spec);

/// Returns a program of a code as a proved file, with a plan for `cores` cores; 0: no plan.
///
/// Errors: throws kInternal if the program does not hold, kInvalidArgument for too many cores.
EquationFile proved_equations(const Code& code, Program program, std::string style,
                              std::size_t cores = 0);

/// Returns iterative equations of a bare matrix as a file, proved equal to the direct ones.
///
/// Errors: throws kInternal if the equations do not hold.
EquationFile proved_equations(const Program& direct, Program program);

/// Reads either form: JSON if the text begins with '{', else text. The invariants of the program
/// are checked, and its equations are sorted so that each follows those it reads. If the file names
/// a code, the program is proved against it. A plan is checked against the program.
///
/// Text may be bare equations, as the paper prints them. Then they are for `code`; if that is null,
/// each number is a location of one row. Inputs are the cells that are only read, and outputs the
/// cells that are assigned; with a code, all redundant cells unless the equations assign data.
///
/// Errors: throws kParse with the line or the JSON key, also if the text is a front of several sets
///         of equations; kInvalidArgument for a bad code spec.
EquationFile read_equations(std::string_view text, const Code* code = nullptr);

/// As read_equations, for a text that may also be a front, as `--front` writes it. Returns all of
/// its sets, at least one.
std::vector<EquationFile> read_equation_sets(std::string_view text, const Code* code = nullptr);

/// Bound of element numbers in files.
inline constexpr std::size_t kMaxElements = std::size_t{1} << 24;

/// Throws kParse if the layout and temporaries of a program exceed kMaxElements.
void check_size(const Program& program);

/// The versioned JSON form, {"format":"xorloom-equations","version":1,…}; docs/equations.md lists
/// its keys. Programs over symbols are version 2, which adds the field and coefficients. Makespans
/// and moves are given for the plan's cores.
std::string write_json(const EquationFile& file);

/// Several such JSON forms, as {"format":"xorloom-front","version":1,"front":[…]}.
std::string write_front_json(std::span<const EquationFile> front);

/// Parses the JSON form of one or several sets, unchecked; call read_equation_sets instead.
std::vector<EquationFile> parse_json(std::string_view text);

/// The text form for people, as the paper prints equations, below a header:
///
///     code:    cauchy:k=5,m=2,w=3,…
///     style:   direct
///     layout:  7 locations x 3 rows
///     inputs:  0-14
///     outputs: 15-20
///
///     eq. 1: 15 = XOR(2,3,4,5,7,9,11,12)
///     …
///
/// Over symbols, a line `field:` follows the style, and coefficients precede their elements:
///
///     field:   w=8,poly=0x11d
///     eq. 1: 10 = SUM(0,0x2*1,0x1d*2)
///
/// Then come the cost, the plan, if any, as a table of steps by cores, and the proof. Lines that
/// begin with '#' are comments.
std::string write_text(const EquationFile& file);

/// "17 = XOR(3,4,8,E,H)", "10 = SUM(0,0x1d*2)".
std::string equation_text(const Program& program, const Equation& equation);

/// Parses the text form of one or several sets, unchecked; call read_equation_sets instead. Headers
/// may be missing. A repeated header line `code:` or `style:` begins another set.
std::vector<EquationFile> parse_text(std::string_view text, const Code* code);

}  // namespace xorloom
