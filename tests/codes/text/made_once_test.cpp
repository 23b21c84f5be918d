#include "codes/text/made_once.hpp"

#include <doctest/doctest.h>

#include <new>
#include <thread>
#include <vector>

namespace xorloom {

TEST_CASE("A value is made once and kept, and made anew if it could not be made") {
  MadeOnce<int> value;
  int made = 0;
  const auto fail = [&]() -> int {
    ++made;
    throw std::bad_alloc();
  };
  CHECK_THROWS_AS(value.get(fail), std::bad_alloc);
  CHECK_THROWS_AS(value.get(fail), std::bad_alloc);
  CHECK(made == 2);
  const int& kept = value.get([] { return 7; });
  CHECK(kept == 7);
  CHECK(&value.get(fail) == &kept);
  CHECK(made == 2);
}

TEST_CASE("Threads that ask for a value at the same time all get one and the same") {
  for (int round = 0; round < 100; ++round) {
    MadeOnce<std::vector<int>> value;
    std::vector<const std::vector<int>*> got(4);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&, i] {
        got[static_cast<std::size_t>(i)] = &value.get([i] { return std::vector<int>{i}; });
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (const std::vector<int>* const each : got) CHECK(each == got.front());
  }
}

}  // namespace xorloom
