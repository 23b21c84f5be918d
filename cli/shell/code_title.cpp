#include "cli/shell/code_title.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace xorloom::cli {
namespace {

constexpr std::array<std::string_view, 7> kLeftOut = {"k", "m", "w", "poly", "packet_bytes",
                                                      "x", "y"};

/// Keys of `spec` that the title shows, in words: ", l = 3, packets" for
/// "lrc:k=4,m=2,l=3,arrangement=packet".
std::string other_keys(std::string_view spec) {
  const std::size_t colon = spec.find(':');
  if (colon == std::string_view::npos || spec.starts_with("file:")) return "";
  std::string text;
  for (std::size_t from = colon + 1; from < spec.size();) {
    const std::size_t to = std::min(spec.find(',', from), spec.size());
    const std::string_view part = spec.substr(from, to - from);
    const std::size_t equals = std::min(part.find('='), part.size());
    const std::string_view key = part.substr(0, equals);
    from = to + 1;
    if (std::ranges::find(kLeftOut, key) != kLeftOut.end() || part == "arrangement=word") continue;
    if (part == "arrangement=packet") {
      text += ", packets";
    } else {
      text += fmt::format(", {} = {}", key, part.substr(std::min(equals + 1, part.size())));
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
                     other_keys(code.spec));
}

}  // namespace xorloom::cli
