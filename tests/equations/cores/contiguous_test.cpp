#include "equations/cores/contiguous.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace xorloom {
namespace {

std::size_t most(const std::vector<std::size_t>& work, const std::vector<std::size_t>& group_of) {
  std::vector<std::size_t> sums(work.size());
  for (std::size_t i = 0; i < work.size(); ++i) sums[group_of[i]] += work[i];
  return *std::ranges::max_element(sums);
}

/// By trying every cut.
std::size_t least(const std::vector<std::size_t>& work, std::size_t first, std::size_t groups) {
  std::size_t rest = 0;
  for (std::size_t i = first; i < work.size(); ++i) rest += work[i];
  if (groups == 1) return rest;
  std::size_t best = rest;
  std::size_t sum = 0;
  for (std::size_t i = first; i < work.size(); ++i) {
    sum += work[i];
    best = std::min(best, std::max(sum, least(work, i + 1, groups - 1)));
  }
  return best;
}

TEST_CASE("no contiguous groups have less work in the one with most") {
  const std::vector<std::size_t> work = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5};
  for (std::size_t groups = 1; groups <= 13; ++groups) {
    CAPTURE(groups);
    const std::vector<std::size_t> group_of = contiguous_groups(work, groups);
    CHECK(std::ranges::is_sorted(group_of));
    CHECK(group_of.front() == 0);
    CHECK(group_of.back() < groups);
    CHECK(most(work, group_of) == least(work, 0, groups));
  }
}

TEST_CASE("nothing is in no group") { CHECK(contiguous_groups({}, 3).empty()); }

}  // namespace
}  // namespace xorloom
