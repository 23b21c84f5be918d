#include "equations/ir/core_schedule.hpp"

#include <doctest/doctest.h>

#include <string>

#include "codes/text/error.hpp"
#include "equations/cores/list_schedule.hpp"
#include "tests/support/worked_example.hpp"

namespace xorloom {
namespace {

/// 4 = 0+1+2+3 on two cores: partial sums 5 and 6, then 4.
const Program kSum{5, 1, {0, 1, 2, 3}, {4}, {{4, {0, 1, 2, 3}}}};

CoreSchedule sum_plan() { return {2, {{0, 0, 5, {0, 1}}, {1, 0, 6, {2, 3}}, {0, 1, 4, {5, 6}}}}; }

void check_refused(const CoreSchedule& plan, const std::string& sentence) {
  CHECK_THROWS_WITH_AS(check_core_schedule(kSum, plan), sentence.c_str(), Error);
}

}  // namespace

TEST_CASE("a plan that computes its program passes, and its moves are counted") {
  CHECK_NOTHROW(check_core_schedule(kSum, sum_plan()));
  CHECK(makespan(sum_plan()) == 2);
  CHECK(moves(kSum, sum_plan()) == 1);
}

TEST_CASE("each way a plan can be wrong is named") {
  CoreSchedule late = sum_plan();
  late.steps[2].step = 0;
  late.steps[2].core = 1;
  CHECK_THROWS_AS(check_core_schedule(kSum, late), Error);

  CoreSchedule crowded = sum_plan();
  crowded.steps[1].core = 0;
  check_refused(crowded, "core 0 has two XORs in step 0");

  CoreSchedule beyond = sum_plan();
  beyond.steps[1].core = 2;
  check_refused(beyond, "step 0 of the plan is on core 2 of 2");

  CoreSchedule idle = sum_plan();
  idle.steps[2].step = 2;
  check_refused(idle, "step 2 of the plan is out of order");

  CoreSchedule wrong = sum_plan();
  wrong.steps[0].operands = {0, 2};
  check_refused(
      wrong,
      "the plan does not compute its equations: output 4 is wrong: it and the code differ "
      "by inputs 1 and 2");

  CoreSchedule short_of = sum_plan();
  short_of.steps.pop_back();
  check_refused(short_of, "the plan has no step that computes 4");

  CoreSchedule far = sum_plan();
  far.steps[0].target = 100;
  check_refused(far, "step 0 of the plan computes 100, which is not below 8");
}

TEST_CASE("reading a value in the step that computes it is refused") {
  const CoreSchedule plan{3, {{0, 0, 5, {0, 1}}, {1, 0, 6, {2, 3}}, {2, 0, 4, {5, 6}}}};
  check_refused(plan, "step 0 of the plan reads A before it is computed");
}

}  // namespace xorloom
