#include <fmt/format.h>

#include <array>

#include "gen/source/dialect.hpp"
#include "gen/source/language.hpp"
#include "gen/source/wrap.hpp"

// C11: names begin with the file's, and what is its own is static.

namespace xorloom {
namespace {

std::string c_include(std::span<const char* const> headers) {
  std::string text;
  for (const char* header : headers) text += fmt::format("#include <{}.h>\n", header);
  return text;
}

std::string c_public_name(const std::string& name, const std::string& function) {
  return name + "_" + function;
}

std::string c_signature(const std::string& name, const std::string& function,
                        const std::string& tail) {
  return wrap(fmt::format("int {}(", c_public_name(name, function)),
              {"uint8_t *const chunks[],", "size_t chunk_bytes)" + tail}, "    ");
}

std::string c_nothing(const std::string& /*name*/) { return ""; }

std::string c_header(const HeaderText& header) {
  const std::string guard = in_capitals(header.name + "_h");
  std::string text = header.comment;
  text += fmt::format("\n\n#ifndef {0}\n#define {0}\n\n{1}\n", guard,
                      c_include(std::array{"stddef", "stdint"}));
  text += "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  text += "// The number of chunks per stripe, and the multiple that chunk_bytes must be.\n";
  text += fmt::format("enum {{ {0}_num_chunks = {1}, {0}_chunk_multiple = {2} }};\n\n", header.name,
                      header.num_chunks, header.chunk_multiple);
  for (const HeaderText::Function& function : header.functions) {
    text += function.comment + c_signature(header.name, function.name, ";") + "\n\n";
  }
  return text + "#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
}

}  // namespace

extern constexpr Language kC = {.target = "c",
                                .name = "C11",
                                .restrict_word = "restrict",
                                .constant = "static const",
                                .function = "static ",
                                .inline_function = "static inline",
                                .std = "",
                                .include = c_include,
                                .public_name = c_public_name,
                                .signature = c_signature,
                                .open = c_nothing,
                                .close = c_nothing,
                                .open_own = "",
                                .close_own = "",
                                .header = c_header,
                                .packets = &kPacketDialect,
                                .words = &kWordDialect};

}  // namespace xorloom
