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

/// A program ready to be written.
struct SourceFunction {
  std::string name;
  std::string comment;
  Program program;
  SourceParts split;
};

/// What a file is written from.
struct SourceFile {
  const Code& code;
  const Language& language;
  std::string name;  ///< what all names begin with, or the namespace
  std::vector<SourceFunction> functions{};

  bool has_parts() const;  ///< whether any function is split into several
  std::size_t most_slots() const;
  /// The chunks of the code and, in an update, those behind them that hold differences, old and new
  /// values: the most of any function.
  std::size_t num_chunks() const;
};

/// How programs are written for one way in which elements lie in memory. gen/source/emit.cpp writes
/// what is the same for all: names, includes, declarations and the order of things. A dialect
/// writes the rest and reads back what it wrote.
///
///   comment, includes
///   open        outside of namespaces
///   declarations
///   define      types, constants, and functions for the parts of the programs
///   enter       for each program the inside of its public function
///   close       after everything
struct Dialect {
  /// The most operands per function, of those that are asked for.
  std::size_t (*part_operands)(const Code& code, std::size_t asked);
  std::string (*open)(const SourceFile& file);
  std::string (*define)(const SourceFile& file);
  std::string (*enter)(const SourceFile& file, const SourceFunction& function);
  std::string (*close)(const SourceFile& file);
};

extern const Dialect kPacketDialect;
extern const Dialect kWordDialect;

inline constexpr std::size_t kMaxKeptBytes = 128 * 1024;  ///< of temporaries on the stack

// What dialects share. A form is null on packets.

/// The functions that compute the parts of a program. Their lines are read back and compared with
/// the program.
std::string define_parts(const SourceFile& file, const SourceFunction& function,
                         const WordForm* form, const LineConstants& constants);

/// Lines that call them, for the vectors from byte `at` on.
std::string call_parts(const SourceFunction& function, const WordForm* form, const char* at,
                       const std::string& indent);

/// The macro that keeps parts apart, empty if there are none.
std::string define_separate(const SourceFile& file);
std::string undefine_separate(const SourceFile& file);

}  // namespace xorloom
