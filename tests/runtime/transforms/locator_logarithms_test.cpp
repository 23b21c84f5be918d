#include "runtime/transforms/locator_logarithms.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "codes/families/leopard.hpp"
#include "codes/transform_recovery.hpp"

namespace xorloom {

TEST_CASE("Logarithms of locators are those of products of differences, for any roots") {
  std::mt19937 random(1);
  for (const std::size_t w : {std::size_t{8}, std::size_t{16}}) {
    const Field& field = leopard_field(w);
    for (std::size_t points = 1; points <= (w == 8 ? 256U : 2048U); points *= 2) {
      const LocatorLogarithms locator(field, points);
      for (const std::uint32_t thousandths : {0U, 3U, 500U, 1000U}) {
        std::vector<std::int32_t> logarithms(points);
        std::vector<Field::Symbol> roots;
        for (std::size_t i = 0; i < points; ++i) {
          if (random() % 1000 >= thousandths) continue;
          roots.push_back(static_cast<Field::Symbol>(i));
          logarithms[i] = 1;
        }
        locator.to_logarithms(logarithms);
        for (std::size_t i = 0; i < points; i += 1 + random() % (1 + points / 64)) {
          INFO(w, " ", points, " ", roots.size(), " ", i);
          const Field::Symbol expected =
              product_of_differences(field, roots, static_cast<Field::Symbol>(i));
          REQUIRE(static_cast<std::uint32_t>(logarithms[i]) == field.logarithm(expected));
        }
      }
    }
  }
}

TEST_CASE("Sums of all 65536 logarithms stay within their range") {
  const Field& field = leopard_field(16);
  constexpr std::size_t kPoints = 65536;
  const LocatorLogarithms locator(field, kPoints);
  std::vector<std::int32_t> logarithms(kPoints, 1);
  locator.to_logarithms(logarithms);
  // The product of all symbols but 0 is 1.
  for (const std::int32_t logarithm : logarithms) REQUIRE(logarithm == 0);
}

}  // namespace xorloom
