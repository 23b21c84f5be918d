#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace xorloom::test {

/// The numbers of the ones of a mask, ascending.
inline std::vector<std::size_t> members(std::uint32_t mask) {
  std::vector<std::size_t> result;
  for (; mask != 0; mask &= mask - 1) {
    result.push_back(static_cast<std::size_t>(std::countr_zero(mask)));
  }
  return result;
}

/// All sets of at most `most` of 0…n-1, smaller sets before larger ones, the empty set first.
inline std::vector<std::vector<std::size_t>> subsets(std::size_t n, std::size_t most) {
  std::vector<std::vector<std::size_t>> result{{}};
  for (std::size_t i = 0; i < result.size(); ++i) {
    const std::vector<std::size_t> set = result[i];
    if (set.size() == most) continue;
    for (std::size_t next = set.empty() ? 0 : set.back() + 1; next < n; ++next) {
      result.push_back(set);
      result.back().push_back(next);
    }
  }
  return result;
}

}  // namespace xorloom::test
