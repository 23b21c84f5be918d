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

}  // namespace xorloom::test
