#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace xorloom {

/// The bytes 1, 2, 3, … and 0 after 255.
inline std::vector<std::uint8_t> counted(std::size_t bytes) {
  std::vector<std::uint8_t> data(bytes);
  std::iota(data.begin(), data.end(), std::uint8_t{1});
  return data;
}

}  // namespace xorloom
