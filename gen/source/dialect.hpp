#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "codes/code.hpp"
#include "equations/ir/program.hpp"
#include "gen/source/language.hpp"
#include "gen/source/source_parts.hpp"
#include "gen/source/word_forms.hpp"
#include "gen/text/lines.hpp"

namespace xorloom {

/// A program to be written as functions.
struct SourceFunction {
  std::string name;
  std::string comment;
  Program program;
  SourceParts split;
};

/// Contents of a source file.
struct SourceFile {
  const Code& code;
  const Language& language;
  std::string name;  ///< prefix of all names, or the namespace
  std::vector<SourceFunction> functions{};

  bool has_parts() const;  ///< true if a function is split into several
  std::size_t most_slots() const;
  /// Chunks of the code and, in an update, those behind them that hold differences, old and new
  /// values: the most of any function.
  std::size_t num_chunks() const;
};

/// Writes programs for one way in which elements lie in memory, and reads back what it wrote.
/// gen/source/emit.cpp writes what all dialects share: names, includes, declarations and the order
/// of the parts.
///
///   comment, includes
///   open        outside of namespaces
///   declarations
///   define      types, constants, and functions for the parts of the programs
///   enter       for each program the inside of its public function
///   close       after everything
struct Dialect {
  /// Most operands of a function, for the number that the options ask for.
  std::size_t (*part_operands)(const Code& code, std::size_t asked);
  std::string (*open)(const SourceFile& file);
  std::string (*define)(const SourceFile& file);
  std::string (*enter)(const SourceFile& file, const SourceFunction& function);
  std::string (*close)(const SourceFile& file);
};

extern const Dialect kPacketDialect;
extern const Dialect kWordDialect;

inline constexpr std::size_t kMaxKeptBytes = 128 * 1024;  ///< limit of temporaries on the stack

// Functions that dialects share. `form` is null on packets.

/// Writes the functions that compute the parts of a program. Their lines are read back and compared
/// with the program.
std::string define_parts(const SourceFile& file, const SourceFunction& function,
                         const WordForm* form, const LineConstants& constants);

/// Lines that call the functions of the parts, for the vectors from byte `at` on.
std::string call_parts(const SourceFunction& function, const WordForm* form, const char* at,
                       const std::string& indent);

/// Macro that keeps compilers from joining parts; empty if there are none.
std::string define_separate(const SourceFile& file);
std::string undefine_separate(const SourceFile& file);

}  // namespace xorloom
