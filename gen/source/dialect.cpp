#include "gen/source/dialect.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gen/text/wrap.hpp"

namespace xorloom {
namespace {

/// The name of the function for a part of a program: "encode_columns_2".
std::string part_name(const SourceFunction& function, std::size_t part, const WordForm* form) {
  const bool is_one = function.split.parts.size() == 1;
  return function.name + "_columns" + (is_one ? "" : fmt::format("_{}", part + 1)) +
         (form != nullptr ? form->suffix : "");
}

/// Parameters or arguments of the function of a part.
struct PartItems {
  std::string chunks;
  std::string at;
  std::string sub;  ///< if a part touches cells behind the first sub-chunk of a chunk
  std::string kept;
};

/// A function call or head, with the items that a part needs.
std::string with_items(const std::string& head, const SourceFunction& function,
                       const SourcePart& part, const WordForm* form, const PartItems& items,
                       const char* end, const std::string& indent) {
  const auto is_behind = [&](Element element) { return element % function.program.rows != 0; };
  std::vector<std::string> list;
  if (part.touches_chunks()) list = {items.chunks, items.at};
  if (form != nullptr && (std::ranges::any_of(part.loaded, is_behind) ||
                          std::ranges::any_of(part.stored, is_behind))) {
    list.push_back(items.sub);
  }
  if (part.touches_kept()) list.push_back(items.kept);
  return wrap(head, list_words(list, ",", end), indent) + "\n";
}

}  // namespace

bool SourceFile::has_parts() const {
  return std::ranges::any_of(
      functions, [](const SourceFunction& function) { return function.split.parts.size() > 1; });
}

std::size_t SourceFile::most_slots() const {
  std::size_t most = 0;
  for (const SourceFunction& function : functions) most = std::max(most, function.split.slots);
  return most;
}

std::size_t SourceFile::num_chunks() const {
  std::size_t most = code.locations;
  for (const SourceFunction& function : functions) {
    const Program& program = function.program;
    const std::size_t elements = program.num_cells() + program.virtuals.size();
    most = std::max(most, (elements + program.rows - 1) / program.rows);
  }
  return most;
}

std::string define_parts(const SourceFile& file, const SourceFunction& function,
                         const WordForm* form, const LineConstants& constants) {
  const std::vector<SourcePart>& parts = function.split.parts;
  const LineWords words = line_words(form, file.language);
  const PartItems parameters{"uint8_t *const chunks[]", "size_t at", "size_t sub",
                             fmt::format("{} kept[]", words.vec)};
  std::vector<std::string> bodies;
  std::string text;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    bodies.push_back(write_part(function.program, parts[p], form, file.language));
    const std::string head = fmt::format("{}{}{}void {}(", parts.size() > 1 ? "SEPARATE " : "",
                                         form != nullptr ? form->target() : "",
                                         file.language.function, part_name(function, p, form));
    text += with_items(head, function, parts[p], form, parameters, ") {", "    ");
    text += bodies.back() + "}\n\n";
  }
  check_lines({words, function.program}, bodies, constants);
  return text;
}

std::string call_parts(const SourceFunction& function, const WordForm* form, const char* at,
                       const std::string& indent) {
  std::string text;
  for (std::size_t p = 0; p < function.split.parts.size(); ++p) {
    const std::string head = fmt::format("{}{}(", indent, part_name(function, p, form));
    text += with_items(head, function, function.split.parts[p], form, {"chunks", at, "sub", "kept"},
                       ");", indent + "    ");
  }
  return text;
}

std::string define_separate(const SourceFile& file) {
  if (!file.has_parts()) return "";
  return "// One function is split into several, which compilers translate in less time.\n"
         "#if defined(__GNUC__) || defined(__clang__)\n"
         "#define SEPARATE __attribute__((noinline))\n"
         "#else\n"
         "#define SEPARATE\n"
         "#endif\n\n";
}

std::string undefine_separate(const SourceFile& file) {
  return file.has_parts() ? "\n#undef SEPARATE\n" : "";
}

}  // namespace xorloom
