#include "gen/vector/stream_pointers.hpp"

#include <doctest/doctest.h>

#include <map>
#include <set>

#include "equations/ir/random.hpp"

namespace xorloom {
namespace {

TEST_CASE("Up to fourteen streams each keep a register of their own, and one is spare") {
  StreamPointers pointers({13, 0, 7, 13}, 14);
  CHECK_FALSE(pointers.has_table());
  CHECK(pointers.loaded_once().size() == 14);
  std::set<int> numbers;
  for (const int number : pointers.advanced()) numbers.insert(number);
  CHECK(numbers.size() == 14);
  CHECK_FALSE(numbers.contains(4));  // rsp
  CHECK_FALSE(numbers.contains(pointers.spare()));
  for (const auto& [number, stream] : pointers.loaded_once()) {
    CHECK(number != StreamPointers::kTable);  // as it is read from until the last
  }
}

TEST_CASE("More streams are read from the table, and an access always finds its own") {
  Random random(1);
  std::vector<std::uint32_t> accesses;
  for (int i = 0; i < 2000; ++i) accesses.push_back(random.below(40));
  StreamPointers pointers(accesses, 40);
  CHECK(pointers.has_table());
  CHECK(pointers.loaded_once().empty());
  for (int turn = 0; turn < 2; ++turn) {
    pointers.begin_turn();
    std::map<int, std::uint32_t> held;
    std::size_t loads = 0;
    for (const std::uint32_t stream : accesses) {
      const StreamPointers::Access access = pointers.next();
      REQUIRE(access.number != StreamPointers::kTable);
      REQUIRE(access.number != StreamPointers::kIndex);
      REQUIRE(access.number != pointers.spare());
      REQUIRE(access.number != 4);
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
