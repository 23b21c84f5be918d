#include "equations/cores/spread.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <vector>

#include "codes/families/families.hpp"
#include "equations/build/direct.hpp"
#include "equations/cores/list_schedule.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"
#include "equations/search/optimize.hpp"
#include "tests/support/chained_program.hpp"

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

SpreadProgram dealt_out(const Program& program, std::size_t cores) {
  SpreadProgram spread{program, {}};
  for (std::size_t i = 0; i < program.equations.size(); ++i) spread.core_of.push_back(i % cores);
  return spread;
}

void check_parts(const ProgramParts& parts, const Program& program, std::size_t per_location) {
  prove_parts(parts, program);  // as when they were made; repeated so that a test sees it
  CHECK(parts.per_location == per_location);
  std::set<Element> made;
  for (const auto& [core, part] : parts.parts) {
    check_program(part);
    CHECK(!part.equations.empty());
    for (const Element output : part.outputs) CHECK(made.insert(output).second);
  }
  for (const auto& [earlier, later] : parts.edges) {
    CHECK(earlier < later);
    const Program& from = parts.parts[earlier].program;
    const Program& to = parts.parts[later].program;
    CHECK(std::ranges::any_of(
        from.outputs, [&](Element output) { return std::ranges::count(to.inputs, output) != 0; }));
  }
  const std::size_t added = parts.parts.front().program.locations - program.locations;
  CHECK(added == (parts.handed_over + per_location - 1) / per_location);
}

TEST_CASE("parts compute their program, however its equations are dealt out") {
  for (const char* spec : {"cauchy:k=5,m=2,w=3", "cauchy-good:k=6,m=3,w=4"}) {
    const Code code = make_code(spec);
    const Program direct = direct_encoding(code);
    for (const Program& program :
         {direct, chained(direct), optimize(direct, {.effort = Effort::kFast})}) {
      for (const std::size_t cores : {1U, 2U, 3U, 7U, 1000U}) {
        for (const std::size_t per_location : {std::size_t{1}, code.rows()}) {
          CAPTURE(spec);
          CAPTURE(cores);
          check_parts(parts_on_cores(dealt_out(program, cores), per_location), program,
                      per_location);
        }
        const CoreSchedule plan = schedule_on_cores(program, cores);
        check_parts(parts_on_cores(program, plan, 1), program, 1);
      }
    }
  }
}

TEST_CASE("one core is one part, and nothing is handed over") {
  const Program program = chained(direct_encoding(make_code("cauchy:k=5,m=2,w=3")));
  const ProgramParts parts = parts_on_cores(dealt_out(program, 1), 1);
  CHECK(parts.parts.size() == 1);
  CHECK(parts.handed_over == 0);
  CHECK(parts.edges.empty());
}

TEST_CASE("programs over symbols are cut, too") {
  const Code code = make_code("rs:k=4,m=3");
  const Program program = direct_symbols(code, encoding_map(code));
  check_parts(parts_on_cores(dealt_out(program, 2), 1), program, 1);
}

TEST_CASE("a cell that is no output is handed over past the cells") {
  // Cell 2 is read by both others, but the program does not give it out.
  const Program program{2, 2, {0}, {1, 3}, {{2, {0}}, {1, {2}}, {3, {0, 2}}}};
  const ProgramParts parts = parts_on_cores({program, {0, 1, 1}}, 2);
  CHECK(parts.handed_over == 1);
  CHECK(parts.parts.front().program.outputs == std::vector<Element>{4});
}

TEST_CASE("parts that compute something else are not proved") {
  const Program program = chained(direct_encoding(make_code("cauchy:k=5,m=2,w=3")));
  ProgramParts parts = parts_on_cores(dealt_out(program, 2), 1);
  parts.parts.back().program.equations.back().operands.pop_back();
  CHECK_THROWS_AS(prove_parts(parts, program), Error);
}

}  // namespace
}  // namespace xorloom
