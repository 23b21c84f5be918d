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

/// Generated text of a hardware unit: its design and a testbench that checks it, both Verilog-2005.
/// `memory` is the file from which the design reads its matrices; empty: the design contains them.
struct VerilogText {
  std::string design;
  std::string testbench;
  std::string memory = {};
};

inline constexpr std::size_t kMostLanes = 4096;

/// Throws kInvalidArgument, with `name` and the bounds, unless least <= value <= most.
void check_bound(const char* name, std::size_t value, std::size_t least, std::size_t most);

/// Throws kUnsupported unless XOR engines can compute a program: it consists of XORs and is no
/// update.
void check_engine_program(const Program& program);

/// Prefix of the names in a Verilog file: "xl_" and the given name, or a name made of the code.
///
/// Errors: throws kInvalidArgument for a name that check_name refuses, and for a keyword of
///         Verilog-2005 or, as tools read both, of SystemVerilog.
std::string verilog_prefix(const Code& code, const std::optional<std::string>& name);

/// Name of an element of a program: "e17", and temporaries by their letters.
std::string verilog_name(const Program& program, Element element);

/// A comment of wrapped paragraphs: each line begins with "// ", and an empty line separates two.
std::string verilog_comment(std::initializer_list<std::string> paragraphs);

/// Start of a design's head comment: `about`, the spec of the code and an empty line.
std::string design_head(const std::string& about, const Code& code);

/// For Verilator's lint: a file may hold several modules, whatever its name is.
inline constexpr const char* kVerilogPragma = "/* verilator lint_off DECLFILENAME */\n";

/// A name in a template, and the text that replaces it.
struct Filling {
  Filling(std::string_view of, std::string with) : name(of), text(std::move(with)) {}
  Filling(std::string_view of, std::size_t number) : Filling(of, std::to_string(number)) {}
  Filling(std::string_view of, std::same_as<bool> auto is_so) : Filling(of, is_so ? "yes" : "") {}

  std::string_view name;
  std::string text;
};

/// Returns a template with each @name@ replaced. A part between @?name@ and @.@ is left out if the
/// text of `name` is empty or false, a part between @!name@ and @.@ if it is not. Parts do not
/// nest.
///
/// Errors: throws kInternal for a name without a value.
std::string filled(std::string_view text, std::initializer_list<Filling> values);

/// A statement that assigns a sum, such as "wire a = b ^ c;", with its newline. Lines are wrapped.
/// `zero` stands for a sum without terms.
std::string verilog_sum(const std::string& head, std::span<const std::string> terms,
                        const char* zero, const char* indent);

/// A statement with a comma-separated list, and its newline. Lines are wrapped.
std::string verilog_list(const std::string& head, std::vector<std::string> items, const char* end,
                         const char* indent = "      ");

/// A sum without terms, for all lanes.
inline constexpr const char* kZeroBits = "{LANES{1'b0}}";

/// Bits of the numbers below `bound`, at least 1.
std::size_t bits_below(std::size_t bound);

/// `value` as a number of `bits` bits: "3'd5".
std::string verilog_number(std::size_t bits, std::size_t value);

/// Numbers in the given order, with runs abbreviated: "0-3,5" if `between` is a comma.
std::string runs_text(std::span<const std::uint32_t> numbers, std::string_view between);

/// Symbols of w bits side by side as a hexadecimal number, the first in its lowest bits.
std::string hexadecimal(const std::vector<Field::Symbol>& symbols, std::size_t w);

}  // namespace xorloom
