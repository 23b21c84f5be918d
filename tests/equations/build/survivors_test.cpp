#include "equations/build/survivors.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"
#include "tests/support/subsets.hpp"
#include "tests/support/worked_example.hpp"

namespace xorloom {
namespace {

using test::members;
using Locations = std::vector<std::size_t>;

/// The fewest XORs over every set of redundant locations that suffices.
std::size_t fewest_xors(const Code& code, const Locations& lost, const Locations& wanted,
                        const Locations& rows) {
  const Locations survivors = redundant_survivors(code, lost);
  std::size_t fewest = kNone;
  for (std::uint32_t mask = 0; mask < 1U << survivors.size(); ++mask) {
    Locations choice;
    for (const std::size_t i : members(mask)) choice.push_back(survivors[i]);
    if (const auto map = recovery_map(code, lost, wanted, choice)) {
      fewest = std::min(fewest, direct_xors(code, *map, rows));
    }
  }
  return fewest;
}

}  // namespace

TEST_CASE("for small codes no choice of redundant locations has fewer XORs than the one made") {
  std::size_t better = 0;
  for (const char* spec : {kWorkedExample, "cauchy-good:k=4,m=2,w=4", "cauchy:k=4,m=4,w=3",
                           "rs:k=3,m=3,w=4", "isa-vandermonde:k=4,m=4"}) {
    CAPTURE(spec);
    const Code code = make_code(spec);
    for (std::uint32_t mask = 1; mask < 1U << code.locations; ++mask) {
      const Locations lost = members(mask);
      if (lost.size() > code.m) continue;
      CAPTURE(mask);
      const std::size_t ascending = direct_xors(code, decoding_map(code, lost));
      const LinearMap map = choose_survivors(code, lost);
      REQUIRE(direct_xors(code, map) == fewest_xors(code, lost, lost, {}));
      REQUIRE(direct_xors(code, map) <= ascending);
      REQUIRE(map.inputs.size() <= code.k);
      REQUIRE(find_disagreement(direct_program(code, map), code) == std::nullopt);
      better += direct_xors(code, map) < ascending ? 1U : 0U;
      const Locations one{lost.back()};
      const Locations row{code.rows() - 1};
      REQUIRE(direct_xors(code, choose_survivors(code, lost, one, row), row) ==
              fewest_xors(code, lost, one, row));
    }
  }
  CHECK(better > 0);
}

TEST_CASE("direct XORs are counted before a program is written") {
  const Code code = make_code("cauchy-good:k=4,m=3,w=4");
  const Locations lost{0, 3, 5};
  const LinearMap map = decoding_map(code, lost);
  CHECK(direct_xors(code, map) == cost(direct_program(code, map)).xors);
  const Locations rows{1, 3};
  CHECK(direct_xors(code, map, rows) == cost(direct_program(code, map, rows)).xors);
}

TEST_CASE("with nothing to choose from, survivors are those in ascending order") {
  const Code code = make_code("cauchy:k=4,m=3,w=4");
  for (const Locations& lost : {Locations{0, 1, 2}, Locations{5}, Locations{0, 4, 5}}) {
    CHECK(choose_survivors(code, lost).inputs == decoding_map(code, lost).inputs);
  }
}

TEST_CASE("where choices are too many to try all, exchanging some saves XORs and never adds any") {
  const Code code = make_code("cauchy:k=10,m=20,w=8");
  for (const Locations& lost : {Locations{0, 1, 2, 3, 4}, Locations{1, 3, 5, 7, 9, 11, 13}}) {
    const LinearMap ascending = decoding_map(code, lost);
    const LinearMap map = choose_survivors(code, lost);
    CHECK(direct_xors(code, map) < direct_xors(code, ascending));
    CHECK(map.inputs.size() == code.k);
    CHECK(find_disagreement(direct_program(code, map), code) == std::nullopt);
    CHECK(choose_survivors(code, lost).inputs == map.inputs);
  }
}

TEST_CASE("what cannot be rebuilt, and rows out of range, are refused") {
  const Code code = make_code("cauchy:k=4,m=2,w=4");
  CHECK_THROWS_AS(choose_survivors(code, Locations{0, 1, 2}), Error);
  CHECK_THROWS_WITH_AS(choose_survivors(code, Locations{0}, {}, Locations{4}),
                       "row 4 is not one of 0 to 3", Error);
}

}  // namespace xorloom
