#include "runtime/protection/rolling_sum.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <random>
#include <vector>

namespace xorloom {

TEST_CASE("A sum that moves is that of each window") {
  std::mt19937 random(1);
  for (const std::size_t length : {1U, 2U, 63U, 64U, 65U, 1000U, 4096U}) {
    std::vector<std::uint8_t> bytes(length + 300);
    std::ranges::generate(bytes, [&] { return static_cast<std::uint8_t>(random()); });
    RollingSum sum(std::span<const std::uint8_t>(bytes).first(length));
    for (std::size_t at = 0; at + length < bytes.size(); ++at) {
      CAPTURE(length);
      CAPTURE(at);
      REQUIRE(sum.value() == RollingSum(std::span(bytes).subspan(at, length)).value());
      sum.move(bytes[at], bytes[at + length]);
    }
  }
}

TEST_CASE("The sum is the one that docs/protecting.md defines") {
  const std::vector<std::uint8_t> bytes{1, 2, 250};
  CHECK(RollingSum(bytes).value() == ((std::uint64_t{3 * 1 + 2 * 2 + 250} << 32) | 253));
  CHECK(RollingSum(std::vector<std::uint8_t>()).value() == 0);
  // 255 · n · (n + 1) / 2 exceeds 32 bits: what is above them falls away.
  const std::vector<std::uint8_t> large(std::size_t{1} << 16, 255);
  const std::uint64_t n = large.size();
  const std::uint64_t weighted = 255 * n * (n + 1) / 2 % (std::uint64_t{1} << 32);
  CHECK(RollingSum(large).value() == (weighted << 32 | 255 * n));
}

}  // namespace xorloom
