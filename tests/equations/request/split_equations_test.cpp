#include "equations/request/split_equations.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "equations/ir/proof.hpp"
#include "tests/support/subsets.hpp"

namespace xorloom {
namespace {

using Groups = std::vector<std::vector<std::size_t>>;

/// Divides the locations of a code into `num_groups` groups of neighbours.
Groups racks(const Code& code, std::size_t num_groups) {
  Groups groups(num_groups);
  for (std::size_t location = 0; location < code.locations; ++location) {
    groups[location * num_groups / code.locations].push_back(location);
  }
  return groups;
}

}  // namespace

TEST_CASE("sites and join together rebuild every loss, each site reading only what it has") {
  for (const char* spec : {"cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0", "cauchy-good:k=4,m=3,w=4",
                           "rs:k=4,m=2", "rdp:k=4,p=5", "lrc:k=4,m=2,l=3", "clay:k=2,m=2"}) {
    CAPTURE(spec);
    const Code code = make_code(spec);
    for (const auto& lost : test::subsets(code.locations, code.promised_losses)) {
      if (lost.empty()) continue;
      CAPTURE(set_text(lost));
      for (const std::size_t num_groups : {1U, 2U, 3U}) {
        for (const bool least : {false, true}) {
          const Groups groups = racks(code, num_groups);
          const SplitEquations split =
              split_equations(code, {.erased = lost, .reads_least = least}, groups);
          const Program whole = whole_program(code, split);
          check_program(whole);
          REQUIRE(find_disagreement(whole, code) == std::nullopt);
          REQUIRE(whole.outputs.size() == lost.size() * code.rows());
          for (const SplitEquations::Site& site : split.sites) {
            for (const Element input : site.program.inputs) {
              REQUIRE(std::ranges::binary_search(site.locations, input / code.rows()));
            }
          }
          REQUIRE(split.sent <= (num_groups - 1) * split.rebuilt);
        }
      }
    }
  }
}

TEST_CASE("as few sites send as can be") {
  const Code code = make_code("rs:k=10,m=4");
  const Groups groups{{0, 1, 2, 3, 4, 5, 6}, {7, 8, 9, 10}, {11, 12, 13}};
  const SplitEquations split = split_equations(code, {.erased = {2}}, groups);
  CHECK(split.home == 0);
  CHECK(split.sent == 1);  // six of home, four of the second
  CHECK(split.unsummed == 4);
  CHECK(split.rebuilt == 1);
  CHECK(split.sites[2].program.outputs.empty());

  const Code lrc = make_code("lrc:k=8,m=4,l=3");
  const SplitEquations local = split_equations(
      lrc, {.erased = {5}}, Groups{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}, {12, 13, 14, 15}});
  CHECK(local.home == 1);
  CHECK(local.sent == 0);
}

TEST_CASE("groups that are no parting of the locations are refused") {
  const Code code = make_code("rs:k=2,m=2");
  const auto refused = [&](const Groups& groups, const char* sentence) {
    CHECK_THROWS_WITH_AS(split_equations(code, {.erased = {0}}, groups), sentence, Error);
  };
  refused({{0, 1}, {2}}, "location 3 is in no group");
  refused({{0, 1}, {1, 2, 3}}, "location 1 is in groups 0 and 1");
  refused({{0, 1}, {2, 3, 4}}, "location 4 of group 1 is not one of 0 to 3");
  refused({{0, 1, 2, 3}, {}}, "group 1 has no locations");
  refused(Groups(17, {0}), "17 groups of locations exceed 16");
  // A site out of reach holds the wanted location, which is not lost.
  CHECK_THROWS_WITH_AS(
      split_equations(code, {.erased = {0}, .wanted = {0, 3}}, Groups{{0, 1, 2}, {3}}),
      "wanted location 3 is not one of the lost locations {0}", Error);
  CHECK_THROWS_WITH_AS(split_equations(code, {}, Groups{{0, 1, 2, 3}}),
                       "groups split a repair, but nothing is lost", Error);
  CHECK_THROWS_WITH_AS(split_equations(code, {.erased = {0, 1, 2}}, Groups{{0, 1, 2, 3}}),
                       doctest::Contains("cannot be rebuilt"), Error);
}

}  // namespace xorloom
