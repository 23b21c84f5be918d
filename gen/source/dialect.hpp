#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "codes/code.hpp"
#include "equations/ir/program.hpp"
#include "gen/source/language.hpp"
#include "gen/source/source_parts.hpp"

namespace xorloom {

/// A program ready to be written.
struct SourceFunction {
  std::string name;
  std::string public_name;  ///< as it is called from outside
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

// What dialects share.

/// The name of the function for a part of a program, a suffix included: "encode_columns_2".
std::string part_name(const SourceFunction& function, std::size_t part,
                      const std::string& suffix = "");

/// A list of parameters or arguments, each with its comma, and what ends it in place of the last
/// one: those for parts that touch chunks, and the one for temporaries that are kept.
std::vector<std::string> part_list(const SourcePart& part, std::vector<std::string> for_chunks,
                                   const std::string& for_kept, const std::string& end);

/// The macro that keeps parts apart, empty if there are none.
std::string define_separate(const SourceFile& file);
std::string undefine_separate(const SourceFile& file);

}  // namespace xorloom
