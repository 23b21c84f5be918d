#include "gen/source/emit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include "codes/text/error.hpp"
#include "equations/passes/drop_unread.hpp"
#include "equations/passes/limit_operands.hpp"
#include "gen/source/source_body.hpp"
#include "gen/source/source_check.hpp"
#include "gen/source/source_comment.hpp"
#include "gen/source/source_parts.hpp"
#include "gen/source/wrap.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kMostOperands = 256;  ///< of an equation
constexpr std::size_t kMaxKeptBytes = 128 * 1024;

/// A width of vectors, and when a target has it.
struct Width {
  std::size_t bytes;
  const char* condition;
};
constexpr std::array kWidths = {
    Width{64, "defined(__AVX512F__)"}, Width{32, "defined(__AVX__)"},
    Width{16, "defined(__SSE2__) || defined(__ARM_NEON) || defined(__VSX__)"}};

/// A program ready to be written.
struct Function {
  std::string name;
  std::string public_name;  ///< as it is called from outside
  std::string comment;
  Program program;
  SourceParts split;
  std::vector<std::string> part_names;
  std::vector<std::string> bodies;
};

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// Names that stay good whatever they are joined with by an underscore, in C and in C++.
void check_name(const std::string& name) {
  bool good = !name.empty() && name.front() != '_' && name.back() != '_';
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool is_joint = name[i] == '_' && i > 0 && name[i - 1] != '_';
    good = good && (is_joint || is_letter_or_digit(name[i]));
  }
  if (!good) {
    fail(Status::kInvalidArgument,
         fmt::format("name = '{}' is not letters and digits with single underscores between them",
                     excerpt(name)));
  }
}

std::string default_name(const Code& code) {
  std::string family = code.family;
  std::ranges::replace(family, '-', '_');
  return fmt::format("{}_k{}_m{}_w{}", family, code.k, code.m, code.w);
}

/// What the names of a file begin with, or its namespace.
std::string prefix(const Code& code, const SourceOptions& options) {
  return "xl_" + options.name.value_or(default_name(code));
}

/// The head of a function, with what follows it.
std::string signature(bool in_c, const std::string& prefix, const std::string& name,
                      const std::string& tail) {
  return in_c ? wrap(fmt::format("int {}_{}(", prefix, name),
                     {"uint8_t *const chunks[],", "size_t chunk_bytes)" + tail}, "    ")
              : wrap(fmt::format("int {}(", name),
                     {"std::uint8_t *const chunks[],", "std::size_t chunk_bytes) noexcept" + tail},
                     "    ");
}

std::string includes(bool in_c, std::span<const char* const> headers) {
  std::string text;
  for (const char* header : headers) {
    text +=
        in_c ? fmt::format("#include <{}.h>\n", header) : fmt::format("#include <c{}>\n", header);
  }
  return text;
}

void check_emitted(const Code& code, std::span<const NamedProgram> programs,
                   const SourceOptions& options) {
  if (code.arrangement != Arrangement::kPacket) {
    fail(Status::kUnsupported,
         fmt::format("{} lays out words, and source is written only for packets: "
                     "arrangement=packet puts its matrix on packets",
                     code.name()));
  }
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

class SourceWriter {
 public:
  SourceWriter(const Code& code, std::span<const NamedProgram> programs,
               const SourceOptions& options)
      : code_(code),
        part_operands_(options.part_operands),
        in_c_(options.language == Language::kC),
        name_(prefix(code, options)) {
    while (vector_bytes_ > code.packet_bytes) vector_bytes_ /= 2;
    for (const NamedProgram& program : programs) add(program);
  }

  std::string text() {
    const std::string language = in_c_ ? "C11" : "C++17";
    text_ = write_source_comment(code_, language, functions_.front().public_name);
    declare();
    if (!in_c_)
      text_ += "namespace {\n\nusing std::size_t;\nusing std::uint64_t;\nusing std::uint8_t;\n\n";
    define_vectors();
    text_ +=
        "// Each of these computes sizeof(vec) bytes of every packet of a super-block;\n"
        "// those of its first packet begin at byte `at` of a chunk.\n\n";
    for (const Function& function : functions_) define_parts(function);
    if (!in_c_) text_ += "}  // namespace\n\n";
    for (const Function& function : functions_) define(function);
    if (!in_c_) text_ += fmt::format("}}  // namespace {}\n", name_);
    if (has_parts()) text_ += "\n#undef SEPARATE\n";
    return std::move(text_);
  }

 private:
  /// Whether the last vector of a packet may have to begin within the one before it.
  bool has_rest() const { return code_.packet_bytes % vector_bytes_ != 0; }
  bool has_parts() const {
    return std::ranges::any_of(
        functions_, [](const Function& function) { return function.split.parts.size() > 1; });
  }

  void add(const NamedProgram& named) {
    Function function;
    function.name = named.name;
    function.public_name = name_ + (in_c_ ? "_" : "::") + named.name;
    function.comment = write_function_comment(named.program);
    function.program = limit_operands(drop_unread(named.program), kMostOperands);
    function.split = split_into_parts(function.program, part_operands_);
    const std::size_t slots = function.split.slots;
    while (vector_bytes_ > 8 && slots * vector_bytes_ > kMaxKeptBytes) vector_bytes_ /= 2;
    if (slots * vector_bytes_ > kMaxKeptBytes) {
      fail(Status::kUnsupported,
           fmt::format("{} keeps {} temporaries at once, more than the {} that are kept on the "
                       "stack",
                       named.name, slots, kMaxKeptBytes / 8));
    }
    const std::vector<SourcePart>& parts = function.split.parts;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      function.part_names.push_back(named.name + "_columns" +
                                    (parts.size() > 1 ? fmt::format("_{}", p + 1) : ""));
      function.bodies.push_back(
          write_part(function.program, parts[p], in_c_ ? "restrict" : "__restrict"));
    }
    check_source(function.program, function.bodies);
    functions_.push_back(std::move(function));
  }

  void declare() {
    text_ += includes(in_c_, std::array{"stddef", "stdint", "string"}) + "\n";
    if (!in_c_) text_ += fmt::format("namespace {} {{\n\n", name_);
    for (const Function& function : functions_) {
      text_ += function.comment;
      text_ += signature(in_c_, name_, function.name, ";") + "\n\n";
    }
  }

  void define_vectors() {
    const char* inline_word = in_c_ ? "static inline" : "inline";
    text_ += fmt::format(
        "{0} size_t packet_bytes = {1};\n"
        "{0} size_t super_block_bytes = {2};\n\n",
        in_c_ ? "static const" : "constexpr", code_.packet_bytes, chunk_multiple(code_));
    if (vector_bytes_ > 8) {
      text_ += "#if !defined(__GNUC__) && !defined(__clang__)\n";
      text_ += "typedef uint64_t vec;\n";
      for (const Width& width : kWidths) {
        if (width.bytes > vector_bytes_) continue;
        text_ += fmt::format("#elif {}\ntypedef uint64_t vec __attribute__((vector_size({})));\n",
                             width.condition, width.bytes);
      }
      text_ += "#else\ntypedef uint64_t vec;\n#endif\n\n";
    } else {
      text_ += "typedef uint64_t vec;\n\n";
    }
    const char* memcpy = in_c_ ? "memcpy" : "std::memcpy";
    text_ += fmt::format(
        "{0} vec get(const uint8_t *chunk, size_t row) {{\n"
        "  vec value;\n"
        "  {1}(&value, chunk + row * packet_bytes, sizeof value);\n"
        "  return value;\n"
        "}}\n\n"
        "{0} void put(uint8_t *chunk, size_t row, vec value) {{\n"
        "  {1}(chunk + row * packet_bytes, &value, sizeof value);\n"
        "}}\n\n",
        inline_word, memcpy);
    if (has_rest()) {
      text_ += fmt::format(
          "// The last vector of a packet ends with it and may cover bytes already done.\n"
          "{} size_t within_packet(size_t column) {{\n"
          "  const size_t last = packet_bytes - sizeof(vec);\n"
          "  return column < last ? column : last;\n"
          "}}\n\n",
          inline_word);
    }
    if (has_parts()) {
      text_ +=
          "// One function is split into several, which compilers translate in less time.\n"
          "#if defined(__GNUC__) || defined(__clang__)\n"
          "#define SEPARATE __attribute__((noinline))\n"
          "#else\n"
          "#define SEPARATE\n"
          "#endif\n\n";
    }
  }

  void define_parts(const Function& function) {
    const char* separate = function.bodies.size() > 1 ? "SEPARATE " : "";
    for (std::size_t p = 0; p < function.bodies.size(); ++p) {
      std::vector<std::string> parameters;
      if (function.split.parts[p].touches_chunks()) {
        parameters = {"uint8_t *const chunks[],", "size_t at,"};
      }
      if (function.split.parts[p].touches_kept()) parameters.emplace_back("vec kept[],");
      parameters.back().back() = ')';
      parameters.back() += " {";
      text_ += wrap(
          fmt::format("{}{}void {}(", separate, in_c_ ? "static " : "", function.part_names[p]),
          parameters, "    ");
      text_ += "\n" + function.bodies[p] + "}\n\n";
    }
  }

  void define(const Function& function) {
    text_ += signature(in_c_, name_, function.name, " {") + "\n";
    text_ += "  if (chunk_bytes % super_block_bytes != 0) return 1;\n";
    if (function.split.slots != 0) {
      text_ += fmt::format("  vec kept[{}];\n", function.split.slots);
    }
    text_ +=
        "  for (size_t block = 0; block < chunk_bytes; block += super_block_bytes) {\n"
        "    for (size_t column = 0; column < packet_bytes; column += sizeof(vec)) {\n";
    text_ += fmt::format("      const size_t at = block + {};\n",
                         has_rest() ? "within_packet(column)" : "column");
    for (std::size_t p = 0; p < function.bodies.size(); ++p) {
      std::vector<std::string> arguments;
      if (function.split.parts[p].touches_chunks()) arguments = {"chunks,", "at,"};
      if (function.split.parts[p].touches_kept()) arguments.emplace_back("kept,");
      arguments.back().back() = ')';
      arguments.back() += ';';
      text_ += wrap(fmt::format("      {}(", function.part_names[p]), arguments, "          ");
      text_ += '\n';
    }
    text_ +=
        "    }\n"
        "  }\n"
        "  return 0;\n"
        "}\n\n";
  }

  const Code& code_;
  std::size_t part_operands_;
  bool in_c_;
  std::string name_;               ///< what all names begin with, or the namespace
  std::size_t vector_bytes_ = 64;  ///< of the widest vectors
  std::vector<Function> functions_;
  std::string text_;
};

}  // namespace

std::string emit_source(const Code& code, std::span<const NamedProgram> programs,
                        const SourceOptions& options) {
  for (const NamedProgram& named : programs) require_xors(named.program, "generated source");
  check_emitted(code, programs, options);
  return SourceWriter(code, programs, options).text();
}

std::string emit_header(const Code& code, std::span<const NamedProgram> programs,
                        const SourceOptions& options) {
  check_emitted(code, programs, options);
  const bool in_c = options.language == Language::kC;
  const std::string name = prefix(code, options);
  std::string guard = name + (in_c ? "_H" : "_HPP");
  std::ranges::transform(guard, guard.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  std::string text = fmt::format(
      "// Erasure coding by XOR, generated by xorloom emit: functions that the source\n"
      "// beside this file defines and describes.\n\n#ifndef {0}\n#define {0}\n\n{1}\n",
      guard, includes(in_c, std::array{"stddef", "stdint"}));
  text += in_c ? "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
               : fmt::format("namespace {} {{\n\n", name);
  text += "// The number of chunks per stripe, and the multiple that chunk_bytes must be.\n";
  text += in_c ? fmt::format("enum {{ {0}_num_chunks = {1}, {0}_chunk_multiple = {2} }};\n\n", name,
                             code.locations, chunk_multiple(code))
               : fmt::format(
                     "inline constexpr std::size_t num_chunks = {};\n"
                     "inline constexpr std::size_t chunk_multiple = {};\n\n",
                     code.locations, chunk_multiple(code));
  for (const NamedProgram& program : programs) {
    text += write_function_comment(program.program);
    text += signature(in_c, name, program.name, ";") + "\n\n";
  }
  text += in_c ? "#ifdef __cplusplus\n}\n#endif\n" : fmt::format("}}  // namespace {}\n", name);
  return text + "\n#endif\n";
}

}  // namespace xorloom
