#include "equations/cores/list_schedule.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/cost.hpp"
#include "tests/support/worked_example.hpp"

namespace xorloom {

TEST_CASE(
    "on 6 cores the worked example takes 8 steps direct, 7 and 6 with the paper's equations") {
  const Program direct = direct_encoding(make_code(kWorkedExample));
  CHECK(makespan(schedule_on_cores(direct, 6)) == 8);
  CHECK(atomic_makespan(direct, 6) == 8);
  CHECK(moves(direct, schedule_on_cores(direct, 6)) == 0);
  const Program iterative = paper_iterative();
  CHECK(atomic_makespan(iterative, 6) == 7);
  CHECK(makespan(schedule_on_cores(iterative, 6)) == 6);
}

TEST_CASE("plans hold on any number of cores and stay between their bounds") {
  const std::vector<std::size_t> lost{0, 3, 6};
  const Code code = make_code("cauchy-good:k=4,m=3,w=4");
  for (const Program& program :
       {paper_iterative(), direct_encoding(code), direct_decoding(code, lost)}) {
    const Cost c = cost(program);
    for (const std::size_t cores : {1UL, 2UL, 3UL, 6UL, 17UL, 500UL}) {
      CAPTURE(cores);
      const CoreSchedule plan = schedule_on_cores(program, cores);
      const CoreSchedule atomic = atomic_schedule_on_cores(program, cores);
      CHECK_NOTHROW(check_core_schedule(program, plan));
      CHECK_NOTHROW(check_core_schedule(program, atomic));
      CHECK(plan.steps.size() == c.xors);
      CHECK(atomic.steps.size() == c.xors);
      CHECK(makespan(plan) >= c.critical_path);
      CHECK(makespan(atomic) >= c.longest_path);
      CHECK(makespan(plan) >= (c.xors + cores - 1) / cores);
      CHECK(makespan(plan) <= makespan(atomic));
      if (cores == 1) CHECK(makespan(plan) == c.xors);
      if (cores == 1) CHECK(moves(program, plan) == 0);
      if (cores == 500) CHECK(makespan(plan) == c.critical_path);
      if (cores == 500) CHECK(makespan(atomic) == c.longest_path);
    }
  }
}

TEST_CASE("copies and zeros take no step, and what copies feed waits for their source") {
  const Program program{8,
                        1,
                        {0, 1, 2},
                        {3, 4, 5, 6},
                        {{3, {}}, {4, {0}}, {8, {0, 1}}, {9, {8}}, {5, {2, 9}}, {6, {4, 9}}}};
  check_program(program);
  for (const std::size_t cores : {1UL, 2UL, 3UL}) {
    const CoreSchedule plan = schedule_on_cores(program, cores);
    CHECK_NOTHROW(check_core_schedule(program, plan));
    CHECK(makespan(plan) == (cores == 1 ? 3 : 2));
    CHECK(atomic_makespan(program, cores) == (cores == 1 ? 3 : 2));
  }
}

TEST_CASE("a hundred thousand XORs are planned at once") {
  const Program program = direct_encoding(make_code("cauchy-good:k=120,m=20"));
  const CoreSchedule plan = schedule_on_cores(program, 8);
  CHECK(plan.steps.size() == cost(program).xors);
  CHECK(makespan(plan) == (plan.steps.size() + 7) / 8);
}

TEST_CASE("a program without XORs has an empty plan") {
  const Program program{2, 1, {0}, {1}, {{1, {0}}}};
  CHECK(schedule_on_cores(program, 4).steps.empty());
  CHECK(makespan(schedule_on_cores(program, 4)) == 0);
}

TEST_CASE("no cores or too many are refused with the bound") {
  CHECK_THROWS_WITH_AS(schedule_on_cores(paper_iterative(), 0), "0 cores are not one of 1 to 4096",
                       Error);
  CHECK_THROWS_WITH_AS(atomic_makespan(paper_iterative(), 4097),
                       "4097 cores are not one of 1 to 4096", Error);
}

}  // namespace xorloom
