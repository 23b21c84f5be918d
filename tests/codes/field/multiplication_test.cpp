#include "bench/codes/multiplication.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "codes/text/error.hpp"

namespace xorloom {
namespace {

template <class Policy>
void check_all_pairs(const Field& field) {
  const Policy policy(field);
  std::size_t wrong = 0;
  for (Field::Symbol a = 0; a < field.size(); ++a) {
    for (Field::Symbol b = 0; b < field.size(); ++b) {
      const std::uint8_t product =
          policy.multiply(static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b));
      if (product != field.multiply_by_shifts(a, b)) ++wrong;
    }
  }
  CHECK(wrong == 0);
  CHECK_THROWS_WITH_AS(Policy(Field(9)), "w = 9 exceeds 8, the bits of a byte", Error);
}

}  // namespace

TEST_CASE_TEMPLATE("a policy gives every product of small fields", Policy, ShiftAndAdd, FullTable,
                   LeftRightTables, LogExp, LogExpCarry, LogExpRepeated, LogExpUnbranched,
                   LogExpMasked) {
  // In GF(2^8) over 0x11b x is no generator.
  for (const Field& field : {Field(1), Field(2), Field(3), Field(4), Field(4, 0x1f), Field(7),
                             Field(8), Field(8, 0x11b)}) {
    INFO("GF(2^", field.w(), ") over ", field.polynomial());
    check_all_pairs<Policy>(field);
  }
}

TEST_CASE("another basis works with tables, and shift and add refuses it") {
  const Field field(8, 0x11d, std::vector<Field::Symbol>{1, 3, 7, 15, 31, 63, 127, 255});
  CHECK(FullTable(field).multiply(200, 77) == field.multiply(200, 77));
  CHECK(LogExp(field).multiply(200, 77) == field.multiply(200, 77));
  CHECK_THROWS_WITH_AS(ShiftAndAdd{field},
                       "shift and add takes symbols that are polynomials, not GF(2^8) of "
                       "polynomial 0x11d in the basis 0x1, 0x3, 0x7, 0xf, 0x1f, 0x3f, 0x7f, 0xff",
                       Error);
}

}  // namespace xorloom
