#include "gen/source/language.hpp"

#include <fmt/format.h>

namespace xorloom {
namespace {

constexpr LanguageWords kC = {.is_c = true,
                              .name = "C11",
                              .restrict_word = "restrict",
                              .constant = "static const",
                              .function = "static ",
                              .inline_function = "static inline",
                              .std = ""};
constexpr LanguageWords kCpp = {.is_c = false,
                                .name = "C++17",
                                .restrict_word = "__restrict",
                                .constant = "constexpr",
                                .function = "",
                                .inline_function = "inline",
                                .std = "std::"};

}  // namespace

const LanguageWords& words_of(Language language) { return language == Language::kC ? kC : kCpp; }

std::string include_lines(const LanguageWords& language, std::span<const char* const> headers) {
  std::string text;
  for (const char* header : headers) {
    text += language.is_c ? fmt::format("#include <{}.h>\n", header)
                          : fmt::format("#include <c{}>\n", header);
  }
  return text;
}

}  // namespace xorloom
