#include "runtime/engine/task_graph.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "codes/families/families.hpp"
#include "equations/build/direct.hpp"
#include "tests/support/chained_program.hpp"

namespace xorloom {
namespace {

std::unique_ptr<const Computation> chained_computation(const char* spec) {
  const Code code = make_code(spec);
  return make_computation(code, chained(direct_encoding(code)), Isa::kPortable);
}

std::size_t group_cost(const Computation& computation, const TaskGraph& tasks, std::size_t g) {
  std::size_t cost = 0;
  for (std::size_t step = tasks.first_step[g]; step < tasks.first_step[g + 1]; ++step) {
    cost += computation.step_cost(step);
  }
  return cost;
}

/// What a task graph has to be, whatever made it.
void check_grouping(const Computation& computation, const TaskGraph& tasks) {
  CHECK(tasks.first_step.front() == 0);
  CHECK(tasks.first_step.back() == computation.num_steps());
  std::size_t cost = 0;
  std::vector<std::uint32_t> group_of_step;
  for (std::size_t g = 0; g < tasks.num_groups(); ++g) {
    CHECK(tasks.first_step[g] < tasks.first_step[g + 1]);
    group_of_step.resize(tasks.first_step[g + 1], static_cast<std::uint32_t>(g));
    cost += group_cost(computation, tasks, g);
  }
  CHECK(tasks.cost == cost);
  CHECK(std::ranges::is_sorted(tasks.edges));
  CHECK(std::ranges::adjacent_find(tasks.edges) == tasks.edges.end());
  for (const auto& [earlier, later] : tasks.edges) CHECK(earlier < later);
  for (const auto& [earlier, later] : computation.dependencies()) {
    const std::pair edge{group_of_step[earlier], group_of_step[later]};
    CHECK((edge.first == edge.second || std::ranges::binary_search(tasks.edges, edge)));
  }
}

/// The lightest heaviest group, by trying every place for every boundary.
std::size_t best_by_trying(const Computation& computation, std::size_t first, std::size_t groups) {
  std::size_t cost = 0;
  for (std::size_t s = first; s < computation.num_steps(); ++s) cost += computation.step_cost(s);
  if (groups == 1) return cost;
  std::size_t best = cost;
  cost = 0;
  for (std::size_t s = first; s < computation.num_steps(); ++s) {
    cost += computation.step_cost(s);
    best = std::min(best, std::max(cost, best_by_trying(computation, s + 1, groups - 1)));
  }
  return best;
}

TEST_CASE("each step can be a group of its own, with the edges of the steps") {
  const auto computation = chained_computation("cauchy:k=5,m=2,w=3");
  const TaskGraph tasks = group_each_step(*computation);
  check_grouping(*computation, tasks);
  CHECK(tasks.num_groups() == computation->num_steps());
  CHECK(tasks.edges == computation->dependencies());
  CHECK(!tasks.edges.empty());
}

TEST_CASE("groups for cores cover all steps and keep every dependency") {
  for (const char* spec : {"cauchy:k=5,m=2,w=3", "cauchy-good:k=4,m=3,w=4"}) {
    const auto computation = chained_computation(spec);
    for (std::size_t cores = 1; cores <= computation->num_steps() + 2; ++cores) {
      CAPTURE(std::string(spec));
      CAPTURE(cores);
      const TaskGraph tasks = group_for_cores(*computation, cores);
      check_grouping(*computation, tasks);
      CHECK(tasks.num_groups() <= cores);
    }
  }
}

TEST_CASE("no contiguous groups have a cheaper costliest one") {
  const auto computation = chained_computation("cauchy:k=5,m=2,w=3");
  for (const std::size_t cores : {1U, 2U, 3U, 4U}) {
    CAPTURE(cores);
    const TaskGraph tasks = group_for_cores(*computation, cores);
    std::size_t costliest = 0;
    for (std::size_t g = 0; g < tasks.num_groups(); ++g) {
      costliest = std::max(costliest, group_cost(*computation, tasks, g));
    }
    CHECK(costliest == best_by_trying(*computation, 0, cores));
  }
}

TEST_CASE("a computation without steps has no groups") {
  const Code code = make_code("cauchy:k=2,m=2,w=3");
  Program nothing;
  nothing.locations = code.locations;
  nothing.rows = code.rows();
  const auto computation = make_computation(code, nothing, Isa::kPortable);
  CHECK(group_each_step(*computation).num_groups() == 0);
  CHECK(group_for_cores(*computation, 3).num_groups() == 0);
}

TEST_CASE("the steps of words do not depend on each other") {
  const Code code = make_code("rs:k=6,m=20");
  const auto computation =
      make_computation(code, direct_symbols(code, encoding_map(code)), Isa::kPortable);
  CHECK(computation->num_steps() > 2);
  const TaskGraph tasks = group_for_cores(*computation, 2);
  check_grouping(*computation, tasks);
  CHECK(tasks.num_groups() == 2);
  CHECK(tasks.edges.empty());
}

TEST_CASE("blocks of columns begin at multiples of 64 and of the column multiple") {
  CHECK(block_columns(0, 1) == 64);
  CHECK(block_columns(64, 1) == 64);
  CHECK(block_columns(65, 8) == 128);
  CHECK(block_columns(100, 24) == 192);
  CHECK(block_columns(1000, 4096) == 4096);
}

TEST_CASE("every column is in one block, the last block may be shorter") {
  for (const std::size_t columns : {0U, 1U, 63U, 64U, 65U, 640U, 1000U}) {
    CAPTURE(columns);
    ColumnBlocks blocks(columns, 64);
    std::size_t end = 0;
    std::size_t count = 0;
    while (const std::optional<ColumnRange> block = blocks.take()) {
      CHECK(block->begin == end);
      CHECK(block->end > block->begin);
      end = block->end;
      ++count;
    }
    CHECK(end == columns);
    CHECK(count == blocks.count());
    CHECK(!blocks.take());
  }
}

}  // namespace
}  // namespace xorloom
