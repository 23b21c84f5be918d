#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codes/code.hpp"
#include "equations/ir/program.hpp"

namespace xorloom {

/// What is written of a unit of hardware: its design and a testbench that checks it, both of them
/// Verilog-2005. `memory` is the file that the design reads its matrices from; empty: it has them.
struct VerilogText {
  std::string design;
  std::string testbench;
  std::string memory = {};
};

inline constexpr std::size_t kMostLanes = 4096;

/// Throws kInvalidArgument, naming it and the bounds, unless a value is within them.
void check_bound(const char* name, std::size_t value, std::size_t least, std::size_t most);

/// Throws kUnsupported unless XOR engines can compute a program: it has XORs, and is no update.
void check_engine_program(const Program& program);

/// What the names of a Verilog file begin with: "xl_" and the given name, or one made of the code.
///
/// Errors: throws kInvalidArgument for a name that check_name refuses, and for a keyword of
///         Verilog-2005 or, as tools read both, of SystemVerilog.
std::string verilog_prefix(const Code& code, const std::optional<std::string>& name);

/// What an element of a program is called: "e17", and temporaries by their letters.
std::string verilog_name(const Program& program, Element element);

/// A comment of paragraphs, wrapped: each begins with "// ", and an empty line stands between two.
std::string verilog_comment(std::initializer_list<std::string> paragraphs);

/// The comment that a design begins with, as far as the spec of its code and the empty line after.
std::string design_head(const std::string& about, const Code& code);

/// A file may hold several modules, whatever it is called: for Verilator's lint.
inline constexpr const char* kVerilogPragma = "/* verilator lint_off DECLFILENAME */\n";

/// A name in a text, and what stands for it.
struct Filling {
  Filling(std::string_view of, std::string with) : name(of), text(std::move(with)) {}
  Filling(std::string_view of, std::size_t number) : Filling(of, std::to_string(number)) {}
  Filling(std::string_view of, std::same_as<bool> auto is_so) : Filling(of, is_so ? "yes" : "") {}

  std::string_view name;
  std::string text;
};

/// A text with what stands for each @name@ in it. What stands between @?name@ and @.@ is left out
/// if the value is empty or false, and what stands between @!name@ and @.@ if it is not. Neither of
/// them holds another.
///
/// Errors: throws kInternal for a name without a value.
std::string filled(std::string_view text, std::initializer_list<Filling> values);

/// A statement with a sum, such as "wire a = b ^ c;", and its newline. Lines are wrapped.
/// `zero` stands for a sum of no terms.
std::string verilog_sum(const std::string& head, std::span<const std::string> terms,
                        const char* zero, const char* indent);

/// A statement with items that commas part, and its newline. Lines are wrapped.
std::string verilog_list(const std::string& head, std::vector<std::string> items, const char* end,
                         const char* indent = "      ");

/// A sum of no bits, per lane.
inline constexpr const char* kZeroBits = "{LANES{1'b0}}";

/// Bits of a number below a bound, at least 1.
std::size_t bits_below(std::size_t bound);

/// A number of that many bits: "3'd5".
std::string verilog_number(std::size_t bits, std::size_t value);

/// Numbers in their order, runs of them written short: "0-3,5" with a comma between them.
std::string runs_text(std::span<const std::uint32_t> numbers, std::string_view between);

/// Symbols of w bits side by side as a hexadecimal number, the first in its lowest bits.
std::string hexadecimal(const std::vector<Field::Symbol>& symbols, std::size_t w);

}  // namespace xorloom
