#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codes/code.hpp"
#include "equations/core_plan.hpp"
#include "equations/program.hpp"

namespace xorloom {

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
  std::optional<CorePlan> plan;

  friend bool operator==(const EquationFile&, const EquationFile&) = default;
};

EquationFile::CodeName name_of(const Code& code);

/// Reads either form: JSON if the text begins with '{', else text. The program comes back with its
/// invariants checked and in an order where each equation follows those it reads; if the file names
/// a code, the program is proved against it, and a plan is checked against the program.
///
/// Text that is bare equations, as the paper prints them, lacks a layout: `code` supplies it, and its
/// redundant elements are the outputs. Without one, inputs are the numbers that are only read,
/// outputs those that are assigned, and the layout is one row.
///
/// Errors: throws kParse with the line or the JSON key, kInvalidArgument for a bad code spec.
EquationFile read_equations(std::string_view text, const Code* code = nullptr);

/// Bounds on what is read from outside.
inline constexpr std::size_t kMaxElements = std::size_t{1} << 24;

}  // namespace xorloom
