#include <fmt/format.h>

#include <array>

#include "gen/source/dialect.hpp"
#include "gen/source/language.hpp"
#include "gen/source/wrap.hpp"

// C++17: the file's name is a namespace, and what is its own is in a nameless one.

namespace xorloom {
namespace {

std::string include(std::span<const char* const> headers) {
  std::string text;
  for (const char* header : headers) text += fmt::format("#include <c{}>\n", header);
  return text;
}

std::string public_name(const std::string& name, const std::string& function) {
  return name + "::" + function;
}

std::string signature(const std::string& /*name*/, const std::string& function,
                      const std::string& tail) {
  return wrap(fmt::format("int {}(", function),
              {"std::uint8_t *const chunks[],", "std::size_t chunk_bytes) noexcept" + tail},
              "    ");
}

std::string open(const std::string& name) { return fmt::format("namespace {} {{\n\n", name); }

std::string close(const std::string& name) { return fmt::format("}}  // namespace {}\n", name); }

std::string header(const HeaderText& header) {
  const std::string guard = in_capitals(header.name + "_hpp");
  std::string text = header.comment;
  text += fmt::format("\n\n#ifndef {0}\n#define {0}\n\n{1}\n", guard,
                      include(std::array{"stddef", "stdint"}));
  text += open(header.name);
  text += "// The number of chunks per stripe, and the multiple that chunk_bytes must be.\n";
  text += fmt::format(
      "inline constexpr std::size_t num_chunks = {};\n"
      "inline constexpr std::size_t chunk_multiple = {};\n\n",
      header.num_chunks, header.chunk_multiple);
  for (const HeaderText::Function& function : header.functions) {
    text += function.comment + signature(header.name, function.name, ";") + "\n\n";
  }
  return text + close(header.name) + "\n#endif\n";
}

}  // namespace

extern constexpr Language kCpp = {
    .target = "c++",
    .name = "C++17",
    .restrict_word = "__restrict",
    .constant = "constexpr",
    .function = "",
    .inline_function = "inline",
    .std = "std::",
    .include = include,
    .public_name = public_name,
    .signature = signature,
    .open = open,
    .close = close,
    .open_own = "namespace {\n\nusing std::size_t;\nusing std::uint64_t;\nusing std::uint8_t;\n\n",
    .close_own = "}  // namespace\n\n",
    .header = header,
    .packets = &kPacketDialect,
    .words = &kWordDialect};

}  // namespace xorloom
