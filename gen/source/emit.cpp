#include "gen/source/emit.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <set>
#include <utility>

#include "codes/text/error.hpp"
#include "equations/passes/drop_equations.hpp"
#include "equations/passes/gate_trees.hpp"
#include "gen/source/dialect.hpp"
#include "gen/source/source_comment.hpp"
#include "gen/source/source_names.hpp"
#include "gen/source/wrap.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kMostOperands = 256;  ///< of an equation

const Dialect& dialect_of(const Language& language, const Code& code) {
  const bool in_packets = code.arrangement == Arrangement::kPacket;
  const Dialect* dialect = in_packets ? language.packets : language.words;
  if (dialect != nullptr) return *dialect;
  fail(Status::kUnsupported, fmt::format("no {} is written for codes on {}", language.name,
                                         in_packets ? "packets" : "words"));
}

void check_names(std::span<const NamedProgram> programs, const SourceOptions& options) {
  if (programs.empty()) fail(Status::kInvalidArgument, "there is no program to write");
  if (options.name) check_name(*options.name);
  std::set<std::string> names;
  for (const NamedProgram& program : programs) {
    check_name(program.name);
    if (!names.insert(program.name).second) {
      fail(Status::kInvalidArgument, fmt::format("two functions are named {}", program.name));
    }
  }
}

/// The elements of a program have to be what lies in the memory of its code: bits in packets,
/// symbols in words.
void check_program_of(const Code& code, const Program& program) {
  if (code.arrangement == Arrangement::kPacket) return require_xors(program, "source on packets");
  if (!program.virtuals.empty()) {
    fail(Status::kUnsupported, "updates are not written as source for words");
  }
  if (code.plane_bytes != 0) {
    fail(Status::kUnsupported,
         fmt::format("{} lays the bytes of its symbols out in planes of {}, for which no source is "
                     "written; arrangement=packet has source",
                     code.name(), code.plane_bytes));
  }
  if (program.field == code.field) return;
  fail(Status::kInvalidArgument,
       fmt::format("{} lays out words, and source for them needs a program over its symbols",
                   code.name()));
}

SourceFunction function_of(const SourceFile& file, const NamedProgram& named,
                           std::size_t part_operands) {
  SourceFunction function;
  function.name = named.name;
  function.public_name = file.language.public_name(file.name, named.name);
  function.comment = write_function_comment(named.program);
  function.program = limit_operands(drop_unread(named.program), kMostOperands);
  function.split = split_into_parts(function.program, part_operands);
  constexpr std::size_t kMostSlots = kMaxKeptBytes / 8;
  if (function.split.slots > kMostSlots) {
    fail(Status::kUnsupported,
         fmt::format("{} keeps {} temporaries at once, more than the {} that are kept on the stack",
                     named.name, function.split.slots, kMostSlots));
  }
  return function;
}

}  // namespace

std::string emit_source(const Code& code, std::span<const NamedProgram> programs,
                        const SourceOptions& options) {
  check_names(programs, options);
  for (const NamedProgram& named : programs) check_program_of(code, named.program);
  const Language& language = language_of(options.target);
  const Dialect& dialect = dialect_of(language, code);
  const std::size_t part_operands = dialect.part_operands(code, options.part_operands);
  SourceFile file{code, language, file_prefix(code, options.name)};
  for (const NamedProgram& named : programs) {
    file.functions.push_back(function_of(file, named, part_operands));
  }

  std::string text = write_source_comment(code, language.name, file.functions.front().public_name);
  text += language.include(std::array{"stddef", "stdint", "string"}) + "\n";
  text += dialect.open(file) + language.open(file.name);
  for (const SourceFunction& function : file.functions) {
    text += function.comment;
    text += language.signature(file.name, function.name, ";") + "\n\n";
  }
  text += language.open_own + dialect.define(file) + language.close_own;
  for (const SourceFunction& function : file.functions) {
    text += language.signature(file.name, function.name, " {") + "\n";
    text += dialect.enter(file, function) + "}\n\n";
  }
  return text + language.close(file.name) + dialect.close(file);
}

std::string emit_header(const Code& code, std::span<const NamedProgram> programs,
                        const SourceOptions& options) {
  check_names(programs, options);
  const Language& language = language_of(options.target);
  if (language.header == nullptr) {
    fail(Status::kUnsupported, fmt::format("{} has no headers", language.name));
  }
  HeaderText header{.name = file_prefix(code, options.name),
                    .comment = wrap_text("// ",
                                         fmt::format("Erasure coding {}, generated by xorloom "
                                                     "emit: functions that the source beside this "
                                                     "file defines and describes.",
                                                     how_it_codes(code)),
                                         "// "),
                    .num_chunks = code.locations,
                    .chunk_multiple = chunk_multiple(code)};
  for (const NamedProgram& program : programs) {
    header.functions.push_back({program.name, write_function_comment(program.program)});
  }
  return language.header(header);
}

}  // namespace xorloom
