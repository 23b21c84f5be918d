#include "equations/models/lost_sets.hpp"

#include <doctest/doctest.h>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"

namespace xorloom {

TEST_CASE("A repair of Reed-Solomon reads k bytes per byte rebuilt") {
  CHECK(mean_repair_reads(make_code("rs:k=6,m=3"), false) == doctest::Approx(6));
  CHECK(mean_repair_reads(make_code("parity:k=9"), false) == doctest::Approx(9));
}

TEST_CASE("A repair of Clay reads a part of each helper, whichever location is lost") {
  // Five helpers, of each of which half is read.
  CHECK(mean_repair_reads(make_code("clay:k=4,m=2"), false) == doctest::Approx(2.5));
}

TEST_CASE("Where repairs of locations differ, their mean counts") {
  // Zigzag reads half of the other 5 locations for each of 4 data locations, and 4 for the others.
  CHECK(mean_repair_reads(make_code("zigzag:k=4,r=2"), false) ==
        doctest::Approx((4 * 2.5 + 2 * 4) / 6));
}

TEST_CASE("A repair that reads whole chunks reads no rows of packets and no sub-chunks apart") {
  const Code rows = make_code("cauchy-good:k=6,m=3,w=4");
  CHECK(mean_repair_reads(rows, false) < 5.5);
  CHECK(mean_repair_reads(rows, true) == doctest::Approx(6));
  CHECK(mean_repair_reads(make_code("clay:k=4,m=2"), true) == doctest::Approx(4));
  // A group of three, or for the two global chunks all data.
  const Code local = make_code("lrc:k=4,m=2,l=3");
  CHECK(mean_repair_reads(local, true) == mean_repair_reads(local, false));
}

TEST_CASE("More locations than are planned for are refused") {
  CHECK_THROWS_WITH_AS(mean_repair_reads(make_code("parity:k=1024"), false),
                       "n = 1025 locations exceed 1024, the most whose repairs are planned one by "
                       "one",
                       Error);
}

}  // namespace xorloom
