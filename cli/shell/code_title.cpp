#include "cli/shell/code_title.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "codes/field/field.hpp"

namespace xorloom::cli {
namespace {

constexpr std::array<std::string_view, 4> kLeftOut = {"k", "m", "w", "packet_bytes"};

/// A value as the title shows it: of a long list the first items, "1+2+3+…".
std::string short_value(std::string_view value) {
  constexpr std::size_t kMost = 12;
  if (value.size() <= kMost || value.find('+') == std::string_view::npos) return std::string(value);
  return std::string(value.substr(0, value.rfind('+', kMost) + 1)) + "…";
}

/// True if every code with symbols of `w` bits has the member of the spec: the usual polynomial.
bool is_usual(std::string_view part, std::size_t w) {
  return part == "arrangement=word" || part == fmt::format("poly={:#x}", default_polynomial(w));
}

/// Keys of `spec` that the title shows, in words: ", l = 3, packets" for
/// "lrc:k=4,m=2,l=3,arrangement=packet".
std::string other_keys(std::string_view spec, std::size_t w) {
  const std::size_t colon = spec.find(':');
  if (colon == std::string_view::npos || spec.starts_with("file:")) return "";
  std::string text;
  for (std::size_t from = colon + 1; from < spec.size();) {
    const std::size_t to = std::min(spec.find(',', from), spec.size());
    const std::string_view part = spec.substr(from, to - from);
    const std::size_t equals = std::min(part.find('='), part.size());
    const std::string_view key = part.substr(0, equals);
    from = to + 1;
    if (std::ranges::find(kLeftOut, key) != kLeftOut.end() || is_usual(part, w)) continue;
    if (part == "arrangement=packet") {
      text += ", packets";
    } else {
      text += fmt::format(", {} = {}", key,
                          short_value(part.substr(std::min(equals + 1, part.size()))));
    }
  }
  return text;
}

}  // namespace

std::string code_title(const Code& code) {
  return code_title(EquationFile::CodeName{code.family, code.spec, code.k, code.m, code.w});
}

std::string code_title(const EquationFile::CodeName& code) {
  return fmt::format("{} {} + {}, w = {}{}", code.family, code.k, code.m, code.w,
                     other_keys(code.spec, code.w));
}

}  // namespace xorloom::cli
