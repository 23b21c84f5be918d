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

/// "3+4+5" for 3 and 3.
std::string ascending(std::size_t first, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += fmt::format("{}{}", i == 0 ? "" : "+", first + i);
  return text;
}

/// True if the member of the spec is what a code has that is not told: the usual polynomial, the
/// first points of a Cauchy matrix.
bool is_usual(std::string_view part, const EquationFile::CodeName& code) {
  return part == "arrangement=word" ||
         part == fmt::format("poly={:#x}", default_polynomial(code.w)) ||
         part == "x=" + ascending(0, code.m) || part == "y=" + ascending(code.m, code.k);
}

/// Keys of the spec that the title shows, in words: ", l = 3, packets" for
/// "lrc:k=4,m=2,l=3,arrangement=packet".
std::string other_keys(const EquationFile::CodeName& code) {
  const std::string_view spec = code.spec;
  const std::size_t colon = spec.find(':');
  if (colon == std::string_view::npos || spec.starts_with("file:")) return "";
  std::string text;
  for (std::size_t from = colon + 1; from < spec.size();) {
    const std::size_t to = std::min(spec.find(',', from), spec.size());
    const std::string_view part = spec.substr(from, to - from);
    const std::size_t equals = std::min(part.find('='), part.size());
    const std::string_view key = part.substr(0, equals);
    from = to + 1;
    if (std::ranges::find(kLeftOut, key) != kLeftOut.end() || is_usual(part, code)) continue;
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
  if (code.family == "file") return code.name();
  return code_title(EquationFile::CodeName{code.family, code.spec, code.k, code.m, code.w});
}

std::string code_title(const EquationFile::CodeName& code) {
  return fmt::format("{} {} + {}, w = {}{}", code.family, code.k, code.m, code.w, other_keys(code));
}

std::string short_spec(const Code& code) { return code.family == "file" ? code.name() : code.spec; }

}  // namespace xorloom::cli
