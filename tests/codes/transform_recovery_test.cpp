#include "codes/transform_recovery.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "codes/families/families.hpp"

namespace xorloom {
namespace {

void check_same(const std::optional<LinearMap>& map, const std::optional<LinearMap>& expected) {
  REQUIRE(map.has_value() == expected.has_value());
  if (!map) return;
  REQUIRE(map->inputs == expected->inputs);
  REQUIRE(map->outputs == expected->outputs);
  REQUIRE(map->coefficients == expected->coefficients);
}

}  // namespace

TEST_CASE("Maps in closed form are those that elimination finds, whatever is lost and wanted") {
  std::mt19937 random(8);
  for (const char* spec :
       {"leopard:k=2,m=1", "leopard:k=2,m=2", "leopard:k=9,m=1", "leopard:k=5,m=3",
        "leopard:k=3,m=7", "leopard:k=40,m=16", "leopard:k=20,m=7,w=16"}) {
    const Code code = make_code(spec);
    Code by_elimination = code;
    by_elimination.transform_points = 0;
    std::vector<std::size_t> order(code.locations);
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t turn = 0; turn < 40; ++turn) {
      CAPTURE(spec);
      CAPTURE(turn);
      std::ranges::shuffle(order, random);
      const std::size_t count = 1 + random() % (code.m + 1);  // sometimes one too many
      const std::vector<std::size_t> lost(order.begin(),
                                          order.begin() + static_cast<std::ptrdiff_t>(count));
      std::vector<std::size_t> wanted = lost;
      wanted.resize(random() % (count + 1));
      check_same(recovery_map(code, lost, wanted), recovery_map(by_elimination, lost, wanted));
      // Redundant locations in an order of their own, and some that hold none.
      std::vector<std::size_t> redundant(order.begin() + static_cast<std::ptrdiff_t>(count),
                                         order.end());
      redundant.resize(random() % (redundant.size() + 1));
      check_same(recovery_map(code, lost, wanted, redundant),
                 recovery_map(by_elimination, lost, wanted, redundant));
    }
  }
}

}  // namespace xorloom
