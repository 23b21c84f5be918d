#include "equations/ir/cost.hpp"

#include <doctest/doctest.h>

#include "codes/families/families.hpp"
#include "equations/build/direct.hpp"
#include "tests/support/worked_example.hpp"

namespace xorloom {

TEST_CASE("the worked example costs what the paper says, direct and iterative") {
  const Cost direct = cost(direct_encoding(make_code(kWorkedExample)));
  CHECK(direct == Cost{.xors = 45,
                       .longest_equation = 8,
                       .longest_path = 8,
                       .critical_path = 4,
                       .temporaries = 0});
  const Cost iterative = cost(paper_iterative());
  CHECK(iterative.xors == 33);
  CHECK(iterative.longest_path == 7);
  CHECK(iterative.temporaries == 8);
  CHECK(iterative.longest_equation == 5);
}

TEST_CASE("the factor over the optimum is the paper's: 1.7 for 45 XORs, 1 for the optimum") {
  CHECK(cost_factor(45, 6, 5) == doctest::Approx(1.7));
  CHECK(cost_factor(33, 6, 5) == doctest::Approx(1.3));
  CHECK(cost_factor(24, 6, 5) == doctest::Approx(1.0));
}

TEST_CASE("copies and zeros cost nothing") {
  const Program program{5, 1, {0, 1}, {2, 3, 4}, {{2, {}}, {3, {0}}, {4, {0, 3}}}};
  CHECK(cost(program) == Cost{.xors = 1,
                              .longest_equation = 1,
                              .longest_path = 1,
                              .critical_path = 1,
                              .temporaries = 0});
}

TEST_CASE("the critical path merges early operands first") {
  // A = 0+1 is ready after 1 step, B = A+2+3+4 after 3; 5 = B + five inputs ready at once: those
  // take 3 steps beside B, so 4 in all. In order of writing it would be 8.
  const Program program{9,
                        1,
                        {0, 1, 2, 3, 4, 6, 7, 8},
                        {5},
                        {{9, {0, 1}}, {10, {2, 3, 4, 9}}, {5, {0, 1, 6, 7, 8, 10}}}};
  CHECK(cost(program).critical_path == 4);
  CHECK(cost(program).longest_path == 9);
}

TEST_CASE("direct equations keep nothing alive, shared sums wait for their last reader") {
  CHECK(peak_live(direct_encoding(make_code(kWorkedExample))) == 0);
  // 6 and 7 wait for 8; 8 is read by 4; 9, which nobody reads, is never alive.
  const Program program{
      6,
      1,
      {0, 1, 2, 3},
      {4, 5},
      {{6, {0, 1}}, {7, {2, 3}}, {8, {6, 7}}, {9, {0, 2}}, {4, {0, 8}}, {5, {4}}}};
  CHECK(peak_live(program) == 2);
}

}  // namespace xorloom
