#include "equations/build/sum_groups.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "codes/families/families.hpp"

namespace xorloom {
namespace {

using Groups = std::vector<std::vector<std::size_t>>;

/// Twelve locations of one cell, and hidden cells from 12 on.
Code layout() {
  Code code;
  code.field = Field(8);
  code.locations = 12;
  code.hidden = 4;
  return code;
}

std::vector<Cell> targets(const std::vector<CellSum>& sums) {
  std::vector<Cell> result;
  for (const CellSum& sum : sums) result.push_back(sum.target);
  return result;
}

TEST_CASE("sums of the same cells are a group, whatever their factors and order") {
  const std::vector<CellSum> sums = {
      {3, {{0, 1}, {1, 2}}}, {4, {{0, 1}}}, {5, {{1, 7}, {0, 1}, {2, 0}}}, {6, {{0, 3}}}};
  CHECK(groups_of(sums) == Groups{{0, 2}, {1, 3}});
  CHECK(terms(sums) == 7);
  CHECK(groups_of({}).empty());
}

TEST_CASE("work is less where sums share what they load") {
  const std::vector<CellSum> shared = {{3, {{0, 1}, {1, 2}}}, {4, {{0, 3}, {1, 4}}}};
  const std::vector<CellSum> apart = {{3, {{0, 1}, {1, 2}}}, {4, {{0, 3}, {2, 4}}}};
  CHECK(work(shared) < work(apart));
  CHECK(work({}) == 0);
}

TEST_CASE("a short hidden cell that one group reads is written out, and cancels there") {
  const std::vector<CellSum> sums = {{12, {{0, 1}, {1, 2}}}, {3, {{12, 2}, {1, 4}, {2, 1}}}};
  const std::vector<CellSum> written = without_short_ones(layout(), sums);
  REQUIRE(targets(written) == std::vector<Cell>{3});
  CHECK(written[0].terms == std::vector<CellSum::Term>{{0, 2}, {2, 1}});  // 2·2 + 4 = 0
}

TEST_CASE("a hidden cell that two groups read, or that is long and shared, stays") {
  const std::vector<CellSum> read_twice = {
      {12, {{0, 1}, {1, 2}}}, {3, {{12, 1}, {2, 1}}}, {4, {{12, 1}, {1, 1}}}};
  CHECK(targets(without_short_ones(layout(), read_twice)) == std::vector<Cell>{12, 3, 4});
  std::vector<CellSum> long_ones;
  for (Cell hidden = 12; hidden < 16; ++hidden) {
    CellSum& sum = long_ones.emplace_back(CellSum{hidden, {}});
    for (Cell cell = 0; cell < 8; ++cell) sum.terms.push_back({cell, hidden + cell});
  }
  long_ones.push_back({8, {{12, 1}, {13, 1}}});
  long_ones.push_back({9, {{14, 1}, {15, 1}, {8, 1}}});
  CHECK(without_short_ones(layout(), long_ones).size() == 6);
}

TEST_CASE("what chunks hold comes as soon as it can, group by group") {
  const std::vector<CellSum> sums = {{12, {{0, 1}, {1, 1}}}, {13, {{1, 1}, {2, 1}}},
                                     {3, {{12, 1}}},         {14, {{0, 5}, {1, 1}}},
                                     {4, {{13, 1}, {3, 1}}}, {5, {{14, 1}, {2, 1}}}};
  CHECK(targets(in_short_order(layout(), sums)) == std::vector<Cell>{12, 14, 3, 5, 13, 4});
}

}  // namespace
}  // namespace xorloom
