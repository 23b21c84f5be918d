#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace xorloom {

/// A number and its noun: "1 block", "2 blocks". `several`: the plural; empty: `one` plus s.
inline std::string counted(std::uint64_t number, std::string_view one,
                           std::string_view several = {}) {
  std::string text = std::to_string(number) + ' ';
  text += number == 1 || several.empty() ? one : several;
  if (number != 1 && several.empty()) text += 's';
  return text;
}

/// "a, b and 7 more": the first eight names, and how many others there are.
inline std::string few_names(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i) {
    text += (i == 0 ? "" : ", ") + names[i];
  }
  if (names.size() > kMost) text += " and " + std::to_string(names.size() - kMost) + " more";
  return text;
}

}  // namespace xorloom
