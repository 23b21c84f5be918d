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

/// What was spent on a search for iterative equations, as it was asked for. Only effort max has an
/// end to state: moves, seconds, or the more of either where it was searched again.
struct SearchRecord {
  std::string effort = "normal";  ///< fast, normal or max
  std::optional<std::size_t> steps{};
  std::optional<std::size_t> seconds{};
  std::size_t seed = 1;
  std::size_t depth = 0;  ///< most levels of XORs that were asked for; 0: any number

  friend bool operator==(const SearchRecord&, const SearchRecord&) = default;
};

class Json;

/// The JSON form of a record.
Json search_json(const SearchRecord& search);

/// What a plan of a program takes on its cores.
struct PlanCost {
  std::size_t makespan = 0;         ///< of the plan
  std::size_t atomic_makespan = 0;  ///< with whole equations on one core
  std::size_t moves = 0;
  friend bool operator==(const PlanCost&, const PlanCost&) = default;
};

/// What an equations file says: a program, the code it is for and how it was made.
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
  std::optional<CodeName> code{};  ///< none for a bare matrix or hand-written equations
  std::string style = "direct";    ///< "iterative" if equations may read the targets of others
  Program program{};
  std::optional<CoreSchedule> plan{};
  std::optional<RepairReads> reads{};  ///< where it rebuilds and that was asked for; in JSON alone
  bool proved = false;                 ///< the program was compared with its code, and agreed
  std::optional<SearchRecord> search{};  ///< what was spent on iterative equations
  std::optional<PlanCost> plan_cost{};   ///< where there is a plan; not read back
  std::optional<GateCount> gates{};      ///< if each equation is a gate with a price; not read back

  friend bool operator==(const EquationFile&, const EquationFile&) = default;
};

/// Names an equation of `program` that reads or computes more than direct equations do, as a part
/// of a sentence; nullopt if all are direct.
std::optional<std::string> why_not_direct(const Program& program);

/// Gives a file a plan of its program, and schedules to know what that costs.
void set_plan(EquationFile& file, CoreSchedule plan);

/// Replaces equations of `part`, and their plan, by those of `whole`, the matrix it is a part of.
///
/// Errors: throws kInternal if the equations do not hold.
void set_whole(EquationFile& file, const UsedPart& part, const BitMatrix& whole);

/// The code that a file names. It may survive less than it promises, and no file is opened.
Code named_code(std::string_view spec);

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
///         kParse if the text is a front of several sets of equations.
EquationFile read_equations(std::string_view text, const Code* code = nullptr);

/// The same of a text that may also be a front, as `--front` writes it: all sets of it, at least
/// one.
std::vector<EquationFile> read_equation_sets(std::string_view text, const Code* code = nullptr);

/// Bound on element numbers that are read from outside.
inline constexpr std::size_t kMaxElements = std::size_t{1} << 24;

/// Throws kParse if a layout with its temporaries exceeds kMaxElements.
void check_size(const Program& program);

/// The versioned JSON form, {"format":"xorloom-equations","version":1,…}; docs/equations.md lists
/// its keys. Programs over symbols are version 2, which adds the field and coefficients. Numbers
/// are those of the elements; makespans and moves are given for the plan's cores.
std::string write_json(const EquationFile& file);

/// Several of these, as {"format":"xorloom-front","version":1,"front":[…]}.
std::string write_front_json(std::span<const EquationFile> front);

/// Reads the form of one or several; read_equation_sets is what to call.
std::vector<EquationFile> parse_json(std::string_view text);

/// The form people read, as the paper prints it, under a few lines that say what it is:
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
/// Over symbols a line `field:` follows the style, and coefficients stand before their elements:
///
///     field:   w=8,poly=0x11d
///     eq. 1: 10 = SUM(0,0x2*1,0x1d*2)
///
/// then the plan as a table of steps by cores, if there is one, the cost and the proof. Lines that
/// begin with '#' are comments.
std::string write_text(const EquationFile& file);

/// "17 = XOR(3,4,8,E,H)", "10 = SUM(0,0x1d*2)".
std::string equation_text(const Program& program, const Equation& equation);

/// Reads that form of one or several sets; headers may be missing. A header that a set has already
/// begins another set. `code` as in read_equation_sets, which is what to call.
std::vector<EquationFile> parse_text(std::string_view text, const Code* code);

}  // namespace xorloom
