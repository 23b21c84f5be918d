#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "codes/code.hpp"
#include "equations/ir/program.hpp"

namespace xorloom {

/// Whether a name is a keyword of Verilog-2005 or, as tools read both, of SystemVerilog.
bool is_verilog_word(std::string_view name);

/// What the names of a Verilog file begin with: "xl_" and the given name, or one made of the code.
///
/// Errors: throws kInvalidArgument for a name that check_name refuses, or that is a Verilog word.
std::string verilog_prefix(const Code& code, const std::optional<std::string>& name);

/// What an element of a program is called: "e17", and temporaries by their letters.
std::string verilog_name(const Program& program, Element element);

/// A comment of paragraphs, wrapped: each begins with "// ", and an empty line stands between two.
std::string verilog_comment(std::initializer_list<std::string> paragraphs);

/// A file may hold several modules, whatever it is called: for Verilator's lint.
inline constexpr const char* kVerilogPragma = "/* verilator lint_off DECLFILENAME */\n";

/// The spec of a code as a line of a comment, or several where it is long.
std::string verilog_spec(const Code& code);

/// How a testbench is run, behind an empty line of a comment: with Icarus Verilog and with
/// Verilator. `design` is what the file of the design is called there: "DESIGN.v".
std::string verilog_run(const std::string& testbench, const char* design);

}  // namespace xorloom
