#include <fmt/format.h>

#include <array>

#include "gen/source/dialect.hpp"
#include "gen/source/language.hpp"
#include "gen/source/wrap.hpp"

// C++17: the file's name is a namespace, and what is its own is in a nameless one.

namespace xorloom {
namespace {

std::string cpp_include(std::span<const char* const> headers) {
  std::string text;
  for (const char* header : headers) text += fmt::format("#include <c{}>\n", header);
  return text;
}

std::string cpp_public_name(const std::string& name, const std::string& function) {
  return name + "::" + function;
}

std::string cpp_signature(const std::string& /*name*/, const std::string& function,
                          const std::string& tail) {
  return wrap(fmt::format("int {}(", function),
              {"std::uint8_t *const chunks[],", "std::size_t chunk_bytes) noexcept" + tail},
              "    ");
}

std::string cpp_open(const std::string& name) { return fmt::format("namespace {} {{\n\n", name); }

std::string cpp_close(const std::string& name) {
  return fmt::format("}}  // namespace {}\n", name);
}

std::string cpp_header(const HeaderText& header) {
  const std::string guard = in_capitals(header.name + "_hpp");
  std::string text = header.comment;
  text += fmt::format("\n\n#ifndef {0}\n#define {0}\n\n{1}\n", guard,
                      cpp_include(std::array{"stddef", "stdint"}));
  text += cpp_open(header.name);
  text += "// The number of chunks per stripe, and the multiple that chunk_bytes must be.\n";
  text += fmt::format(
      "inline constexpr std::size_t num_chunks = {};\n"
      "inline constexpr std::size_t chunk_multiple = {};\n\n",
      header.num_chunks, header.chunk_multiple);
  for (const HeaderText::Function& function : header.functions) {
    text += function.comment + cpp_signature(header.name, function.name, ";") + "\n\n";
  }
  return text + cpp_close(header.name) + "\n#endif\n";
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
    .include = cpp_include,
    .public_name = cpp_public_name,
    .signature = cpp_signature,
    .open = cpp_open,
    .close = cpp_close,
    .open_own = "namespace {\n\nusing std::size_t;\nusing std::uint64_t;\nusing std::uint8_t;\n\n",
    .close_own = "}  // namespace\n\n",
    .header = cpp_header,
    .packets = &kPacketDialect,
    .words = &kWordDialect};

}  // namespace xorloom
