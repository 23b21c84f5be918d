#include "equations/models/lost_sets.hpp"

#include <doctest/doctest.h>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"

namespace xorloom {

TEST_CASE("A repair of Reed-Solomon reads k bytes per byte rebuilt") {
  CHECK(mean_repair_reads(make_code("rs:k=6,m=3")) == doctest::Approx(6));
  CHECK(mean_repair_reads(make_code("parity:k=9")) == doctest::Approx(9));
}

TEST_CASE("A repair of Clay reads a part of each helper, whichever location is lost") {
  // Five helpers, of each of which half is read.
  CHECK(mean_repair_reads(make_code("clay:k=4,m=2")) == doctest::Approx(2.5));
}

TEST_CASE("Where repairs of locations differ, their mean counts") {
  // Zigzag reads half of the other 5 locations for each of 4 data locations, and 4 for the others.
  CHECK(mean_repair_reads(make_code("zigzag:k=4,r=2")) == doctest::Approx((4 * 2.5 + 2 * 4) / 6));
}

TEST_CASE("More locations than are planned for are refused") {
  CHECK_THROWS_WITH_AS(mean_repair_reads(make_code("parity:k=1024")),
                       "n = 1025 locations exceed 1024, the most whose repairs are planned one by "
                       "one",
                       Error);
}

}  // namespace xorloom
