#include "codes/spec.hpp"

#include <doctest/doctest.h>

#include "codes/text/error.hpp"

namespace xorloom {

TEST_CASE("a spec is a family and its keys in order") {
  Spec spec("cauchy:k=5,m=2,x=1+2,poly=0xb");
  CHECK(spec.family() == "cauchy");
  CHECK(spec.values().size() == 4);
  CHECK(spec.number("k", 1, 9) == 5);
  CHECK(spec.number_or("w", 2, 32, 8) == 8);
  CHECK(spec.find("y") == std::nullopt);
  CHECK(spec.field(3).polynomial() == 0xb);
  CHECK(spec.symbols("x", Field(3)) == std::vector<Field::Symbol>{1, 2});
  CHECK(spec.symbols("y", Field(3)) == std::nullopt);
  CHECK(Spec("x-code").values().empty());
  CHECK(Spec("x-code:").values().empty());
}

TEST_CASE("the first values may be those of k, m and w, without their keys") {
  Spec spec("cauchy:5,2,3,poly=0xb");
  CHECK(spec.number("k", 1, 9) == 5);
  CHECK(spec.number("m", 1, 9) == 2);
  CHECK(spec.number("w", 1, 9) == 3);
  CHECK(spec.values().size() == 4);
  CHECK(Spec("rs:k=5,2").find("m") == "2");  // they go on where keys were those
  CHECK_THROWS_AS(Spec("rs:m=2,5"), Error);
  CHECK_THROWS_AS(Spec("rs:1,2,3,4"), Error);
  CHECK_THROWS_AS(Spec("rs:0x5"), Error);
  CHECK_THROWS_AS(Spec("rs:5,k=5"), Error);
}

TEST_CASE("a spec that is not of its form is refused, saying where") {
  CHECK_THROWS_AS(Spec(""), Error);
  CHECK_THROWS_AS(Spec(":k=5"), Error);
  CHECK_THROWS_WITH_AS(Spec("rs:k"), "'k' in code spec 'rs:k' is not of the form key=value", Error);
  CHECK_THROWS_AS(Spec("rs:k=,m=2"), Error);
  CHECK_THROWS_AS(Spec("rs:=5"), Error);
  CHECK_THROWS_AS(Spec("rs:,k=5"), Error);
  CHECK_THROWS_WITH_AS(
      Spec("rs:4,2,8,9"),
      "'9' in code spec 'rs:4,2,8,9' needs its key: only the first values, of k, m "
      "and w, go without",
      Error);
  CHECK_THROWS_WITH_AS(Spec("rs:k=5,"), "'' in code spec 'rs:k=5,' is not of the form key=value",
                       Error);
  CHECK_THROWS_WITH_AS(Spec("rs:k=5,k=5"), "code spec 'rs:k=5,k=5' gives 'k' twice", Error);
}

TEST_CASE("a value that is no number or out of range is refused with the bound") {
  Spec spec("cauchy:k=zwei,m=0,w=-1,x=1+,y=9,q=99999999999999999999");
  CHECK_THROWS_WITH_AS(spec.number("k", 1, 9), "k = 'zwei' is not a whole number", Error);
  CHECK_THROWS_WITH_AS(spec.number("m", 1, 9), "m = 0 is not one of 1 to 9", Error);
  CHECK_THROWS_WITH_AS(spec.number("w", 1, 9), "w = -1 is not one of 1 to 9", Error);
  CHECK_THROWS_WITH_AS(spec.number("q", 1, 9), "q = 99999999999999999999 is not one of 1 to 9",
                       Error);
  CHECK_THROWS_WITH_AS(spec.number("d", 1, 9), "cauchy needs d=…", Error);
  CHECK_THROWS_AS(spec.symbols("x", Field(3)), Error);
  CHECK_THROWS_WITH_AS(spec.symbols("y", Field(3)), "y holds 9, which is not below 2^w = 8", Error);
}

}  // namespace xorloom
