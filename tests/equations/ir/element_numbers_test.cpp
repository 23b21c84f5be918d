#include "equations/ir/element_numbers.hpp"

#include <doctest/doctest.h>

#include <random>
#include <vector>

namespace xorloom {
namespace {

TEST_CASE("Elements have the numbers that they were given last, and all others none") {
  std::mt19937_64 random(1);
  for (const std::size_t size :
       {std::size_t{1}, std::size_t{63}, std::size_t{64}, std::size_t{65}, std::size_t{10'000}}) {
    ElementNumbers numbers(size, 7);
    std::vector<std::uint32_t> plain(size, 7);
    for (std::uint32_t i = 0; i < 300; ++i) {
      const auto element = static_cast<Element>(random() % size);
      numbers.set(element, i);
      plain[element] = i;
    }
    for (std::size_t e = 0; e < size; ++e) REQUIRE(numbers[static_cast<Element>(e)] == plain[e]);
  }
}

}  // namespace
}  // namespace xorloom
