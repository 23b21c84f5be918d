#include "gen/source/emit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "codes/text/error.hpp"
#include "equations/passes/drop_equations.hpp"
#include "equations/passes/gate_trees.hpp"
#include "gen/source/dialect.hpp"
#include "gen/text/code_comment.hpp"
#include "gen/text/wrap.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kMostOperands = 256;  ///< most operands of an equation

const char* const kPacketEnd =
    "Vectors are as wide as the target (-march=native) and the packets allow. Where the compiler "
    "has no vectors, words of 8 bytes take their place, with the same results.";

const char* const kWordEnd =
    "The equations stand here in several forms, of which the functions take the fastest that the "
    "processor has. All give the same results. Form 0 is for any processor and compiler. Form 1 "
    "looks products of half bytes up in tables, with AVX2. Form 2 multiplies by matrices of bits, "
    "with GFNI and AVX-512. To compile form 0 and one other alone, and to take that without asking "
    "the processor, define XL_FORM as its number.";

/// Head comment of a file: the code, its layout in memory, and the parameters of its functions.
/// `example` names one of the functions, and `most_chunks` is the most pointers that one takes.
std::string write_source_comment(const Code& code, const std::string& language,
                                 const std::string& example, std::size_t most_chunks) {
  const bool in_packets = code.arrangement == Arrangement::kPacket;
  CommentWriter comment;
  describe_code(comment, code,
                language +
                    " that needs only the standard library. Compile it as a file of its "
                    "own, with optimization, and declare its functions where you call them.");
  comment.paragraph("Each function takes");
  comment.parameter("chunks",
                    fmt::format("{} pointers, one per chunk, in order. No alignment is needed. A "
                                "pointer to a chunk that a function neither reads nor writes may "
                                "be null.{}",
                                code.locations,
                                most_chunks == code.locations
                                    ? ""
                                    : fmt::format(" A function that updates takes more, {} at "
                                                  "most: the comment above it describes those "
                                                  "behind the {} chunks.",
                                                  most_chunks, code.locations)));
  const std::size_t multiple = chunk_multiple(code);
  comment.parameter("chunk_bytes",
                    multiple == 1 ? "any number" : fmt::format("any multiple of {}", multiple));
  comment.blank();
  comment.paragraph(fmt::format(
      "and returns 0. {}The caller provides all memory, including the room for the results. A "
      "written chunk must "
      "not overlap another. No state is kept: threads may call at once{}.",
      multiple == 1 ? ""
                    : "If chunk_bytes is not such a multiple, it returns 1 and touches nothing. ",
      in_packets ? ", also on ranges of one stripe, since no super-block depends on another"
      : code.subchunks == 1 ? ", also on ranges of one stripe, since no place depends on another"
                            : ""));
  comment.line(fmt::format("uint8_t *chunks[{}];  // chunk_bytes bytes each", code.locations));
  comment.line(fmt::format("if ({}(chunks, chunk_bytes) != 0) ...", example));
  comment.blank();
  comment.end(in_packets ? kPacketEnd : kWordEnd);
  return std::move(comment).text();
}

bool may_stand_in_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string default_name(const Code& code) {
  std::string family = code.family;
  std::ranges::replace(family, '-', '_');
  return fmt::format("{}_k{}_m{}_w{}", family, code.k, code.m, code.w);
}

/// Refuses programs for which no source is written.
void check_is_written(const Code& code, const Program& program) {
  if (code.arrangement == Arrangement::kWord && code.plane_bytes != 0) {
    fail(Status::kUnsupported,
         "{} lays the bytes of its symbols out in planes of {}, for which no source is written; "
         "arrangement=packet has source",
         code.name(), code.plane_bytes);
  }
  check_program_of(code, program, "source");
}

SourceFunction function_of(const NamedProgram& named, std::size_t part_operands) {
  SourceFunction function;
  function.name = named.name;
  function.comment = write_function_comment(named.program);
  function.program = limit_operands(drop_unread(named.program), kMostOperands);
  function.split = split_into_parts(function.program, part_operands);
  constexpr std::size_t kMostSlots = kMaxKeptBytes / 8;
  if (function.split.slots > kMostSlots) {
    fail(Status::kUnsupported,
         "{} keeps {} temporaries at once, more than the {} that are kept on the stack", named.name,
         function.split.slots, kMostSlots);
  }
  return function;
}

}  // namespace

void check_name(const std::string& name) {
  const bool good = !name.empty() && name.front() != '_' && name.back() != '_' &&
                    name.find("__") == std::string::npos &&
                    std::ranges::all_of(name, may_stand_in_name);
  if (!good) {
    fail(Status::kInvalidArgument,
         "name = '{}' is not letters and digits with single underscores between them",
         excerpt(name));
  }
}

void check_names(std::span<const NamedProgram> programs, const std::optional<std::string>& name,
                 const char* what) {
  if (programs.empty()) fail(Status::kInvalidArgument, "there is no program to write");
  if (name) check_name(*name);
  std::set<std::string> names;
  for (const NamedProgram& program : programs) {
    check_name(program.name);
    if (names.insert(program.name).second) continue;
    fail(Status::kInvalidArgument, "two {} are named {}", what, program.name);
  }
}

std::string file_prefix(const Code& code, const std::optional<std::string>& name) {
  return "xl_" + name.value_or(default_name(code));
}

std::string decoding_name(const std::vector<std::size_t>& lost,
                          const std::vector<std::size_t>& wanted) {
  std::string name = fmt::format("decode_{}", fmt::join(lost, "_"));
  if (!wanted.empty()) name += fmt::format("_want_{}", fmt::join(wanted, "_"));
  return name;
}

void check_program_of(const Code& code, const Program& program, const std::string& what) {
  if (code.arrangement == Arrangement::kPacket) {
    return require_xors(program, (what + " on packets").c_str());
  }
  if (program.field == code.field) return;
  fail(Status::kInvalidArgument,
       "{} lays out words, and {} for them needs a program over its symbols", code.name(), what);
}

std::string emit_source(const Code& code, std::span<const NamedProgram> programs,
                        const SourceOptions& options) {
  check_names(programs, options.name, "functions");
  for (const NamedProgram& named : programs) check_is_written(code, named.program);
  const Language& language = language_of(options.target);
  const Dialect& dialect = code.arrangement == Arrangement::kPacket ? kPacketDialect : kWordDialect;
  const std::size_t part_operands = dialect.part_operands(code, options.part_operands);
  SourceFile file{code, language, file_prefix(code, options.name)};
  for (const NamedProgram& named : programs) {
    file.functions.push_back(function_of(named, part_operands));
  }

  std::string text = write_source_comment(
      code, language.name, framed(language.public_name, file.name, programs.front().name),
      file.num_chunks());
  text += language.includes({"stddef", "stdint", "string"}) + "\n";
  text += dialect.open(file) + framed(language.open, file.name);
  for (const SourceFunction& function : file.functions) {
    text += function.comment;
    text += language.signature(file.name, function.name, ";") + "\n\n";
  }
  text += language.open_own + dialect.define(file) + language.close_own;
  for (const SourceFunction& function : file.functions) {
    text += language.signature(file.name, function.name, " {") + "\n";
    text += dialect.enter(file, function) + "}\n\n";
  }
  return text + framed(language.close, file.name) + dialect.close(file);
}

std::string emit_header(const Code& code, std::span<const NamedProgram> programs,
                        const SourceOptions& options) {
  check_names(programs, options.name, "functions");
  const Language& language = language_of(options.target);
  const std::string name = file_prefix(code, options.name);
  std::string guard = name + language.header_suffix;
  std::ranges::transform(guard, guard.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  std::string text =
      wrap_text("// ",
                fmt::format("Erasure coding {}, generated by xorloom emit: functions "
                            "that the source beside this file defines and describes.",
                            how_it_codes(code)),
                "// ");
  text += fmt::format("\n\n#ifndef {0}\n#define {0}\n\n{1}\n", guard,
                      language.includes({"stddef", "stdint"}));
  text += framed(language.header_open, name);
  text += "// The number of chunks per stripe, and the multiple that chunk_bytes must be.\n";
  text += fmt::format(fmt::runtime(language.constants), fmt::arg("name", name),
                      fmt::arg("num_chunks", code.locations),
                      fmt::arg("chunk_multiple", chunk_multiple(code))) +
          "\n";
  for (const NamedProgram& program : programs) {
    text += write_function_comment(program.program) + language.signature(name, program.name, ";") +
            "\n\n";
  }
  return text + framed(language.header_close, name) + "#endif\n";
}

}  // namespace xorloom
