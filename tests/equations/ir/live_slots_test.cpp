#include "equations/ir/live_slots.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace xorloom {
namespace {

TEST_CASE("Slots are numbered from 0 while none is released") {
  LiveSlots slots;
  CHECK(slots.count() == 0);
  for (std::uint32_t i = 0; i < 5; ++i) CHECK(slots.take() == i);
  CHECK(slots.count() == 5);
}

TEST_CASE("The slot that was released last is taken first") {
  LiveSlots slots;
  for (int i = 0; i < 4; ++i) slots.take();
  slots.release(1);
  slots.release(3);
  CHECK(slots.take() == 3);
  CHECK(slots.take() == 1);
  CHECK(slots.take() == 4);
  CHECK(slots.count() == 5);
}

TEST_CASE("No two live values share a slot, and there are as many as are alive at once") {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    LiveSlots slots;
    std::vector<std::uint32_t> taken;
    std::size_t most = 0;
    for (int i = 0; i < 1000; ++i) {
      if (taken.empty() || random() % 2 == 0) {
        const std::uint32_t slot = slots.take();
        REQUIRE(std::ranges::find(taken, slot) == taken.end());
        taken.push_back(slot);
        most = std::max(most, taken.size());
      } else {
        std::swap(taken[random() % taken.size()], taken.back());
        slots.release(taken.back());
        taken.pop_back();
      }
      REQUIRE(slots.count() == most);
    }
  }
}

}  // namespace
}  // namespace xorloom
