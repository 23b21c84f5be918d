#include "equations/program.hpp"

#include <doctest/doctest.h>

#include "codes/error.hpp"

namespace xorloom {
namespace {

/// Two inputs 0 and 1, output 2, three cells of one row.
Program small(std::vector<Equation> equations) { return {3, 1, {0, 1}, {2}, std::move(equations)}; }

}  // namespace

TEST_CASE("a program that keeps its invariants passes") {
  CHECK_NOTHROW(check_program(small({{2, {0, 1}}})));
  CHECK_NOTHROW(check_program(small({{3, {0, 1}}, {2, {3}}})));
  CHECK_NOTHROW(check_program(small({{2, {}}})));
}

TEST_CASE("each broken invariant is named") {
  const auto check = [](const Program& program, const char* sentence) {
    CHECK_THROWS_WITH_AS(check_program(program), sentence, Error);
  };
  check(small({{2, {1, 0}}}), "the operands of 2 are not sorted");
  check(small({{2, {0, 0}}}), "the equation of 2 lists 0 twice");
  check(small({{2, {0, 3}}}),
        "the equation of 2 reads A, which is no input and is not computed before");
  check(small({{2, {0}}, {2, {1}}}), "2 is assigned twice");
  check(small({{1, {0}}, {2, {1}}}), "input 1 is assigned");
  check(small({{3, {0}}}), "output 2 has no equation");
  check({3, 1, {0, 0}, {2}, {{2, {0}}}}, "input 0 is listed twice");
  check({3, 1, {0, 3}, {2}, {{2, {0}}}}, "input A is not one of the 3 cells");
  check({3, 1, {0}, {2, 2}, {{2, {0}}}}, "output 2 is listed twice");
  check({3, 1, {0}, {3}, {{3, {0}}}}, "output A is not one of the 3 cells");
}

TEST_CASE("equations in any acyclic order are brought into one where users come last") {
  Program program = small({{2, {4, 3}}, {4, {3, 1}}, {3, {1, 0}}});
  sort_equations(program);
  CHECK_NOTHROW(check_program(program));
  CHECK(program.equations == std::vector<Equation>{{3, {0, 1}}, {4, {1, 3}}, {2, {3, 4}}});
}

TEST_CASE("cycles and double assignments are refused") {
  Program cycle = small({{2, {3}}, {3, {4}}, {4, {0, 3}}});
  CHECK_THROWS_WITH_AS(sort_equations(cycle), "the equations form a cycle through A", Error);
  Program self = small({{2, {2}}});
  CHECK_THROWS_WITH_AS(sort_equations(self), "the equations form a cycle through 2", Error);
  Program twice = small({{2, {0}}, {2, {1}}});
  CHECK_THROWS_WITH_AS(sort_equations(twice), "2 is assigned twice", Error);
}

TEST_CASE("a chain of a hundred thousand equations is sorted without deep recursion") {
  Program chain = small({{2, {3}}});
  constexpr Element kLength = 100'000;
  for (Element i = 0; i < kLength; ++i) {
    const Element next = i + 1 == kLength ? 0 : i + 4;
    chain.equations.push_back({i + 3, {next}});
  }
  sort_equations(chain);
  CHECK_NOTHROW(check_program(chain));
}

TEST_CASE("temporaries are named A to Z, then T26, T27") {
  const Program program = small({});
  CHECK(element_name(program, 2) == "2");
  CHECK(element_name(program, 3) == "A");
  CHECK(element_name(program, 28) == "Z");
  CHECK(element_name(program, 29) == "T26");
}

}  // namespace xorloom
