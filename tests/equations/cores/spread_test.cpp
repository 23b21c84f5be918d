#include "equations/cores/spread.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "codes/families/families.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"
#include "equations/search/optimize.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {
namespace {

Program shared(const Program& program) { return optimize(program, {.effort = Effort::kFast}); }

TEST_CASE("a spread program computes the same, each equation on a core that there is") {
  for (const char* spec : {"cauchy:k=5,m=2,w=3", "cauchy-good:k=10,m=4,w=8"}) {
    const Program direct = direct_encoding(make_code(spec));
    for (const Program& program : {direct, shared(direct)}) {
      for (const std::size_t cores : {1U, 2U, 3U, 6U, 40U}) {
        for (const SpreadGoal goal : {SpreadGoal::kLatency, SpreadGoal::kThroughput}) {
          CAPTURE(spec);
          CAPTURE(cores);
          const SpreadProgram spread = spread_over_cores(program, cores, {}, goal, shared);
          prove(spread.program, program);
          REQUIRE(spread.core_of.size() == spread.program.equations.size());
          CHECK(*std::ranges::max_element(spread.core_of) < cores);
          check_core_schedule(spread.program, schedule_of(spread, cores));
        }
      }
    }
  }
}

TEST_CASE("what a hand-over costs decides whether cores compute a value again") {
  const Program program = shared(direct_encoding(make_code("cauchy-good:k=10,m=4,w=8")));
  const auto goal = SpreadGoal::kThroughput;
  const SpreadProgram dear = spread_over_cores(program, 2, {0.5, 100}, goal, shared);
  const SpreadProgram free = spread_over_cores(program, 2, {0, 0}, goal, shared);
  CHECK(xors(free.program) == xors(program));
  CHECK(xors(dear.program) > xors(program));
  CHECK(price_of(free, 2, {0, 0}, goal) < price_of(dear, 2, {0, 0}, goal));
  CHECK(price_of(dear, 2, {0.5, 100}, goal) < price_of(free, 2, {0.5, 100}, goal));
}

TEST_CASE("the outputs of a chunk stay on one core where that costs little") {
  const auto has_split_chunk = [](const char* spec, std::size_t cores) {
    const Program direct = direct_encoding(make_code(spec));
    const SpreadProgram spread =
        spread_over_cores(direct, cores, {0.5, 100}, SpreadGoal::kLatency, shared);
    std::vector<std::size_t> core_of_chunk(spread.program.locations, cores);
    bool is_split = false;
    for (std::size_t i = 0; i < spread.core_of.size(); ++i) {
      const Element target = spread.program.equations[i].target;
      if (target >= spread.program.num_cells()) continue;
      std::size_t& core = core_of_chunk[target / spread.program.rows];
      is_split = is_split || (core != cores && core != spread.core_of[i]);
      core = spread.core_of[i];
    }
    return is_split;
  };
  CHECK(!has_split_chunk("cauchy-good:k=10,m=4,w=8", 2));
  CHECK(!has_split_chunk("cauchy-good:k=10,m=4,w=8", 4));
  CHECK(has_split_chunk("cauchy-good:k=10,m=4,w=8", 6));
}

TEST_CASE("prices count work, loads and hand-overs on both sides") {
  // T = 0+1 on core 0, which core 1 reads twice; 4 = T+2 and 5 = T+3.
  const Program program{6, 1, {0, 1, 2, 3}, {4, 5}, {{6, {0, 1}}, {4, {2, 6}}, {5, {3, 6}}}};
  const SpreadProgram spread{program, {0, 1, 1}};
  const CorePrices prices{0.5, 8};
  CHECK(price_of(spread, 2, prices, SpreadGoal::kThroughput) == doctest::Approx(2 + 1 + 8));
  CHECK(price_of(spread, 2, prices, SpreadGoal::kLatency) == doctest::Approx(10 + 11));
}

TEST_CASE("outputs of symbols are spread, too") {
  const Code code = make_code("rs:k=10,m=4");
  const Program program = direct_symbols(code, encoding_map(code));
  const SpreadProgram spread = spread_over_cores(program, 2, {}, SpreadGoal::kThroughput, nullptr);
  prove(spread.program, program);
  CHECK(std::ranges::count(spread.core_of, 0U) == 2);
}

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
