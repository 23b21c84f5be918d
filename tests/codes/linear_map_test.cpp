#include "codes/linear_map.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "tests/support/subsets.hpp"

namespace xorloom {
namespace {

using test::members;
using Locations = std::vector<std::size_t>;

/// Every cell of a stripe with random data.
std::vector<Field::Symbol> random_stripe(const Code& code, std::mt19937_64& random) {
  std::vector<Field::Symbol> data(code.data.size());
  for (auto& symbol : data) symbol = static_cast<Field::Symbol>(random() % code.field.size());
  const Matrix rows = generator(code);
  std::vector<Field::Symbol> cells(rows.rows());
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    for (std::size_t j = 0; j < data.size(); ++j) {
      cells[cell] ^= code.field.multiply(rows(cell, j), data[j]);
    }
  }
  return cells;
}

void check_map(const Code& code, const LinearMap& map, const Locations& lost,
               const std::vector<Field::Symbol>& stripe) {
  for (std::size_t j = 0; j < map.inputs.size(); ++j) {
    REQUIRE(std::ranges::find(lost, code.location_of_cell(map.inputs[j])) == lost.end());
    bool needed = false;
    for (std::size_t o = 0; o < map.outputs.size(); ++o) needed |= map.coefficients(o, j) != 0;
    REQUIRE(needed);
  }
  REQUIRE(std::ranges::is_sorted(map.inputs));
  for (std::size_t o = 0; o < map.outputs.size(); ++o) {
    Field::Symbol sum = 0;
    for (std::size_t j = 0; j < map.inputs.size(); ++j) {
      sum ^= code.field.multiply(map.coefficients(o, j), stripe[map.inputs[j]]);
    }
    REQUIRE(sum == stripe[map.outputs[o]]);
  }
}

}  // namespace

TEST_CASE("every loss of up to m chunks is rebuilt, all of it or only what is wanted") {
  constexpr std::uint64_t kSeed = 41;
  CAPTURE(kSeed);
  std::mt19937_64 random(kSeed);
  for (const char* spec : {"cauchy:k=4,m=3,w=3", "cauchy-good:k=4,m=2,w=4", "cauchy-good:k=3,m=3",
                           "rs:k=4,m=3,w=16", "rs:k=3,m=2,w=32", "isa-cauchy:k=5,m=3",
                           "isa-vandermonde:k=4,m=4", "rs:k=1,m=3", "isa-cauchy:k=4,m=1"}) {
    CAPTURE(spec);
    const Code code = make_code(spec);
    const std::vector<Field::Symbol> stripe = random_stripe(code, random);
    for (std::uint32_t mask = 1; mask < 1U << code.locations; ++mask) {
      const Locations lost = members(mask);
      CAPTURE(mask);
      REQUIRE(is_recoverable(code, lost) == (lost.size() <= code.m));
      if (lost.size() > code.m) continue;
      const auto all = recovery_map(code, lost, lost);
      REQUIRE(all.has_value());
      check_map(code, *all, lost, stripe);
      REQUIRE(all->outputs.size() == lost.size());
      for (const std::size_t one : lost) {
        const auto map = recovery_map(code, lost, Locations{one});
        REQUIRE(map.has_value());
        check_map(code, *map, lost, stripe);
        REQUIRE(map->inputs.size() <= code.k);
      }
    }
  }
}

TEST_CASE("a lost redundant chunk with all data there is encoded again, from data alone") {
  const Code code = make_code("rs:k=5,m=3");
  const auto map = recovery_map(code, Locations{6}, Locations{6}).value();
  CHECK(map.inputs == code.data);
  CHECK(std::ranges::equal(map.coefficients.row(0), code.parity.row(1)));
}

TEST_CASE(
    "wanted chunks that do not need the lost data are rebuilt although the others cannot be") {
  Code code = make_code("cauchy:k=4,m=2,w=4");
  // Location 5 does not depend on location 0 in this made-up code.
  code.parity(1, 0) = 0;
  const Locations lost{0, 4, 5};
  CHECK_FALSE(recovery_map(code, lost, lost).has_value());
  CHECK_FALSE(recovery_map(code, lost, Locations{4}).has_value());
  const auto map = recovery_map(code, lost, Locations{5});
  REQUIRE(map.has_value());
  CHECK(map->inputs == std::vector<Cell>{1, 2, 3});
}

TEST_CASE("a recovery is made from the redundant locations chosen, and from no other") {
  constexpr std::uint64_t kSeed = 43;
  CAPTURE(kSeed);
  std::mt19937_64 random(kSeed);
  const Code code = make_code("cauchy:k=4,m=4,w=4");
  const std::vector<Field::Symbol> stripe = random_stripe(code, random);
  const Locations lost{1, 3, 6};
  CHECK(redundant_survivors(code, lost) == Locations{4, 5, 7});
  for (const Locations& choice : {Locations{4, 5}, Locations{4, 7}, Locations{7, 5}}) {
    const auto map = recovery_map(code, lost, lost, choice);
    REQUIRE(map.has_value());
    check_map(code, *map, lost, stripe);
    for (const Cell input : map->inputs) {
      CHECK((input < 4 || std::ranges::find(choice, input) != choice.end()));
    }
  }
  CHECK_FALSE(recovery_map(code, lost, lost, Locations{7}).has_value());
  CHECK_FALSE(recovery_map(code, lost, lost, Locations{}).has_value());
  // If more redundant locations are given than needed, the first are used.
  const auto first = recovery_map(code, lost, lost, Locations{7, 5, 4});
  CHECK(first->inputs == recovery_map(code, lost, lost, Locations{5, 7})->inputs);
  CHECK(recovery_map(code, lost, lost)->inputs ==
        recovery_map(code, lost, lost, redundant_survivors(code, lost))->inputs);
}

TEST_CASE("bad sets of locations are refused with the bound") {
  const Code code = make_code("rs:k=3,m=2");
  const auto map = [&](const Locations& lost, const Locations& wanted) {
    return recovery_map(code, lost, wanted);
  };
  CHECK_THROWS_WITH_AS(map({5}, {5}), "lost location 5 is not one of 0 to 4", Error);
  CHECK_THROWS_WITH_AS(map({1, 1}, {1}), "lost location 1 is named twice", Error);
  const auto from = [&](const Locations& redundant) {
    return recovery_map(code, Locations{0, 3}, Locations{0}, redundant);
  };
  CHECK_THROWS_WITH_AS(from({5}), "redundant location 5 is not one of 0 to 4", Error);
  CHECK_THROWS_WITH_AS(from({4, 4}), "redundant location 4 is named twice", Error);
  CHECK_THROWS_WITH_AS(from({3}), "redundant location 3 is one of the lost locations {0, 3}",
                       Error);
  CHECK_THROWS_WITH_AS(redundant_survivors(code, Locations{5}),
                       "lost location 5 is not one of 0 to 4", Error);
  CHECK_THROWS_WITH_AS(map({1, 2}, {0}),
                       "wanted location 0 is not one of the lost locations {1, 2}", Error);
}

}  // namespace xorloom
