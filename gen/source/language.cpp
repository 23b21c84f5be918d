#include "gen/source/language.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <vector>

#include "codes/text/error.hpp"
#include "gen/text/wrap.hpp"

namespace xorloom {
namespace {

constexpr std::array kLanguages = {
    // The file's name is a namespace, and private names are in a nameless one.
    Language{.target = "c++",
             .name = "C++17",
             .restrict_word = "__restrict",
             .constant = "constexpr",
             .function = "",
             .inline_function = "inline",
             .std = "std::",
             .include = "#include <c{header}>\n",
             .public_name = "{name}::{function}",
             .declared_name = "{function}",
             .after_parameters = " noexcept",
             .open = "namespace {name} {{\n\n",
             .close = "}}  // namespace {name}\n",
             .open_own = "namespace {\n\nusing std::size_t;\nusing std::uint64_t;\n"
                         "using std::uint8_t;\n\n",
             .close_own = "}  // namespace\n\n",
             .constants = "inline constexpr std::size_t num_chunks = {num_chunks};\n"
                          "inline constexpr std::size_t chunk_multiple = {chunk_multiple};\n",
             .header_open = "namespace {name} {{\n\n",
             .header_close = "}}  // namespace {name}\n\n",
             .header_suffix = "_hpp"},
    // Names begin with the file's, and private ones are static.
    Language{.target = "c",
             .name = "C11",
             .restrict_word = "restrict",
             .constant = "static const",
             .function = "static ",
             .inline_function = "static inline",
             .std = "",
             .include = "#include <{header}.h>\n",
             .public_name = "{name}_{function}",
             .declared_name = "{name}_{function}",
             .after_parameters = "",
             .open = "",
             .close = "",
             .open_own = "",
             .close_own = "",
             .constants = "enum {{ {name}_num_chunks = {num_chunks}, "
                          "{name}_chunk_multiple = {chunk_multiple} }};\n",
             .header_open = "#ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n",
             .header_close = "#ifdef __cplusplus\n}}\n#endif\n\n",
             .header_suffix = "_h"}};

}  // namespace

std::string Language::includes(std::initializer_list<const char*> headers) const {
  std::string text;
  for (const char* one : headers) {
    text += fmt::format(fmt::runtime(include), fmt::arg("header", one));
  }
  return text;
}

std::string Language::signature(const std::string& file, const std::string& called,
                                const std::string& tail) const {
  return wrap(fmt::format("int {}(", framed(declared_name, file, called)),
              {fmt::format("{}uint8_t *const chunks[],", std),
               fmt::format("{}size_t chunk_bytes){}{}", std, after_parameters, tail)},
              "    ");
}

std::string framed(const char* frame, const std::string& file, const std::string& function) {
  return fmt::format(fmt::runtime(frame), fmt::arg("name", file), fmt::arg("function", function));
}

std::span<const Language> languages() { return kLanguages; }

const Language& language_of(std::string_view target) {
  std::vector<std::string_view> targets;
  for (const Language& language : kLanguages) {
    if (language.target == target) return language;
    targets.emplace_back(language.target);
  }
  fail(Status::kInvalidArgument, "target = '{}' is not {}", excerpt(target),
       fmt::join(targets, " or "));
}

}  // namespace xorloom
