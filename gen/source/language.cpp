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
    // The file's name is a namespace, and what is its own is in a nameless one.
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
             .header = R"({comment}

#ifndef {guard}
#define {guard}

{includes}
namespace {name} {{

// The number of chunks per stripe, and the multiple that chunk_bytes must be.
inline constexpr std::size_t num_chunks = {num_chunks};
inline constexpr std::size_t chunk_multiple = {chunk_multiple};

{functions}}}  // namespace {name}

#endif
)",
             .header_suffix = "_hpp"},
    // Names begin with the file's, and what is its own is static.
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
             .header = R"({comment}

#ifndef {guard}
#define {guard}

{includes}
#ifdef __cplusplus
extern "C" {{
#endif

// The number of chunks per stripe, and the multiple that chunk_bytes must be.
enum {{ {name}_num_chunks = {num_chunks}, {name}_chunk_multiple = {chunk_multiple} }};

{functions}#ifdef __cplusplus
}}
#endif

#endif
)",
             .header_suffix = "_h"}};

std::string function_name(const char* frame, const std::string& file, const std::string& function) {
  return fmt::format(fmt::runtime(frame), fmt::arg("name", file), fmt::arg("function", function));
}

}  // namespace

std::string Language::includes(std::initializer_list<const char*> headers) const {
  std::string text;
  for (const char* one : headers) {
    text += fmt::format(fmt::runtime(include), fmt::arg("header", one));
  }
  return text;
}

std::string Language::public_name_of(const std::string& file, const std::string& called) const {
  return function_name(public_name, file, called);
}

std::string Language::signature(const std::string& file, const std::string& called,
                                const std::string& tail) const {
  return wrap(fmt::format("int {}(", function_name(declared_name, file, called)),
              {fmt::format("{}uint8_t *const chunks[],", std),
               fmt::format("{}size_t chunk_bytes){}{}", std, after_parameters, tail)},
              "    ");
}

std::string Language::framed(const char* frame, const std::string& file) const {
  return fmt::format(fmt::runtime(frame), fmt::arg("name", file));
}

std::span<const Language> languages() { return kLanguages; }

const Language& language_of(std::string_view target) {
  std::vector<std::string_view> targets;
  for (const Language& language : kLanguages) {
    if (language.target == target) return language;
    targets.emplace_back(language.target);
  }
  fail(Status::kInvalidArgument,
       fmt::format("target = '{}' is not {}", excerpt(target), fmt::join(targets, " or ")));
}

}  // namespace xorloom
