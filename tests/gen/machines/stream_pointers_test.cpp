#include "gen/machines/stream_pointers.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "equations/ir/random.hpp"

namespace xorloom {
namespace {

/// Three that stay, of which one is the index otherwise.
const PointerRegisters kRegisters{{1, 2, 6}, {1, 2}, 6};

TEST_CASE("Streams each keep a register of their own as long as these last") {
  StreamPointers pointers(kRegisters, {2, 0, 1, 2}, 3);
  CHECK_FALSE(pointers.has_table());
  CHECK(pointers.loaded_once().size() == 3);
  const std::vector<int> advanced = pointers.advanced();
  CHECK(std::set<int>(advanced.begin(), advanced.end()) == std::set<int>{1, 2, 6});
  pointers.begin_turn();
  for (const int number : {6, 1, 2, 6}) CHECK(pointers.next().number == number);
}

TEST_CASE("More streams are read from the table, and an access always finds its own") {
  Random random(1);
  std::vector<std::uint32_t> accesses;
  for (int i = 0; i < 2000; ++i) accesses.push_back(random.below(40));
  const PointerRegisters registers{{}, {1, 2, 3, 5, 8, 9, 10, 11, 12, 13, 14, 15}, 6};
  StreamPointers pointers(registers, accesses, 40);
  CHECK(pointers.has_table());
  CHECK(pointers.loaded_once().empty());
  for (int turn = 0; turn < 2; ++turn) {
    pointers.begin_turn();
    std::map<int, std::uint32_t> held;
    std::size_t loads = 0;
    for (const std::uint32_t stream : accesses) {
      const StreamPointers::Access access = pointers.next();
      REQUIRE(std::ranges::count(registers.held, access.number) == 1);
      if (access.is_to_be_loaded) {
        held[access.number] = stream;
        ++loads;
      }
      REQUIRE(held.at(access.number) == stream);
    }
    CHECK(loads < 1400);
  }
}

}  // namespace
}  // namespace xorloom
