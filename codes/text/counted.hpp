#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace xorloom {

/// A number and its noun: "1 block", "2 blocks". `several` is the plural if it is not `one` and an
/// s.
inline std::string counted(std::uint64_t number, std::string_view one,
                           std::string_view several = {}) {
  std::string text = std::to_string(number) + ' ';
  text += number == 1 || several.empty() ? one : several;
  if (number != 1 && several.empty()) text += 's';
  return text;
}

}  // namespace xorloom
