#include "equations/ir/program.hpp"

#include <doctest/doctest.h>

#include "codes/text/error.hpp"

namespace xorloom {
namespace {

/// Two inputs 0 and 1, output 2, three cells of one row.
Program small(std::vector<Equation> equations) { return {3, 1, {0, 1}, {2}, std::move(equations)}; }

using Kind = VirtualElement::Kind;

/// An update of cell 0 that changes cell 2: 3 is d0, 4 old2, 5 new2.
Program update() {
  return {3,
          1,
          {3, 4},
          {5},
          {{5, {3, 4}}},
          {{Kind::kDifference, 0}, {Kind::kOld, 2}, {Kind::kUpdated, 2}}};
}

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
        "the equation of 2 reads A, which is neither an input nor computed before");
  check(small({{2, {0}}, {2, {1}}}),
        "2 is assigned twice, by equations 1 and 2: take one out, or let it compute another "
        "element");
  check(small({{1, {0}}, {2, {1}}}), "input 1 is assigned");
  check(small({{3, {0}}}), "output 2 has no equation");
  check({3, 1, {0, 0}, {2}, {{2, {0}}}}, "input 0 is listed twice");
  check({3, 1, {0, 3}, {2}, {{2, {0}}}}, "input A is not one of the 3 cells");
  check({3, 1, {0}, {2, 2}, {{2, {0}}}}, "output 2 is listed twice");
  check({3, 1, {0}, {3}, {{3, {0}}}}, "output A is not one of the 3 cells");
}

TEST_CASE("what an update has beside cells is numbered after them, and temporaries after that") {
  const Program program = update();
  CHECK_NOTHROW(check_program(program));
  CHECK(program.num_cells() == 3);
  CHECK(program.first_temporary() == 6);
  CHECK(program.virtual_element(2) == nullptr);
  CHECK(*program.virtual_element(4) == VirtualElement{Kind::kOld, 2});
  CHECK(program.virtual_element(6) == nullptr);
  CHECK(element_name(program, 3) == "d0");
  CHECK(element_name(program, 4) == "old2");
  CHECK(element_name(program, 5) == "new2");
  CHECK(element_name(program, 6) == "A");
}

TEST_CASE("each way virtual elements can be wrong is named") {
  const auto check = [](const char* sentence, const auto& spoil) {
    Program program = update();
    spoil(program);
    CHECK_THROWS_WITH_AS(check_program(program), sentence, Error);
  };
  check("old3 is about none of the 3 cells", [](Program& p) { p.virtuals[1].element = 3; });
  check("old2 has two numbers", [](Program& p) { p.virtuals[0] = p.virtuals[1]; });
  check("new0 is not among the outputs, as an updated element is",
        [](Program& p) { p.virtuals[0].kind = Kind::kUpdated; });
  check("d2 is not among the inputs, as a difference or an old value is",
        [](Program& p) { p.virtuals[2].kind = Kind::kDifference; });
  check("old2 is not among the inputs, as a difference or an old value is", [](Program& p) {
    p.inputs = {3};
    p.equations = {{5, {3}}};
  });
  check("input A is not one of the 3 cells", [](Program& p) { p.inputs.push_back(6); });
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
  CHECK_THROWS_WITH_AS(sort_equations(twice),
                       "2 is assigned twice, by equations 1 and 2: take one out, or let it "
                       "compute another element",
                       Error);
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
