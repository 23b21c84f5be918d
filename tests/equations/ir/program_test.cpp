#include "equations/ir/program.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"
#include "equations/ir/random.hpp"
#include "equations/passes/fuse.hpp"

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
  check(small({{2, {0}}, {2, {1}}}), "2 is assigned twice");
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

namespace {

using Sum = std::vector<Operand>;

TEST_CASE("multiples of sums add up element by element, and what cancels disappears") {
  const Field field(8);
  Sum sum{1, {3, 5}};
  add_scaled(field, sum, 2, {{0, 1}, {1, field.divide(1, 2)}, {3, 7}});
  CHECK(sum == Sum{{0, 2}, {3, field.multiply(2, 7) ^ 5}});
  add(sum, {3, field.multiply(2, 7)});
  CHECK(sum == Sum{{0, 2}, {3, 5}});
  add(sum, {3, 5});
  add(sum, 2);
  CHECK(sum == Sum{{0, 2}, 2});
  CHECK(coefficient_of(sum, 0) == 2);
  CHECK(coefficient_of(sum, 1) == 0);
  CHECK(sum_of({4, {2, 3}, {4, 6}, {2, 3}, {9, 0}}) == Sum{{4, 7}});
}

/// Four inputs, some temporaries and two outputs, with coefficients of GF(2^8).
Program random_program(std::uint64_t seed) {
  Random random(seed);
  Program program{6, 1, {0, 1, 2, 3}, {4, 5}, {}, {}, Field(8)};
  std::vector<Element> known = program.inputs;
  const auto add_equation = [&](Element target) {
    Sum operands;
    for (int i = 0; i < 4; ++i) {
      const Element element = known[random.below(static_cast<std::uint32_t>(known.size()))];
      add(operands, {element, 1 + random.below(random.below(2) == 0 ? 2 : 255)});
    }
    program.equations.push_back({target, std::move(operands)});
    known.push_back(target);
  };
  for (Element temporary = 6; temporary < 12; ++temporary) add_equation(temporary);
  add_equation(4);
  add_equation(5);
  return program;
}

TEST_CASE("a program over a field keeps what it computes when it is fused") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    const Program program = random_program(seed);
    REQUIRE_NOTHROW(check_program(program));
    const Matrix matrix = coefficients_of(program);
    for (const Program& fused : {fuse_single_use(program), fuse_three_way(program)}) {
      REQUIRE_NOTHROW(check_program(fused));
      CHECK(find_disagreement(fused, matrix) == std::nullopt);
    }
    CHECK(cost(program).multiplications == multiplications(program));
  }
}

TEST_CASE("a changed coefficient is found, and by name") {
  const Program program = random_program(1);
  Matrix matrix = coefficients_of(program);
  matrix(1, 2) ^= 9;
  CHECK(find_disagreement(program, matrix) ==
        "output 5 is wrong: it and the code differ by input 2");
  const Code code = make_code("rs:k=3,m=2");
  Program encoding = direct_symbols(code, encoding_map(code));
  CHECK(find_disagreement(encoding, code) == std::nullopt);
  encoding.equations[1].operands[2].coefficient ^= 1;
  CHECK(find_disagreement(encoding, code) ==
        "output 4 is wrong: it and the code differ by data cell 2");
}

TEST_CASE("coefficients outside the field are no program, and bits are asked for by name") {
  Program program = random_program(2);
  program.equations[0].operands[0].coefficient = 256;
  CHECK_THROWS_AS(check_program(program), Error);
  program.equations[0].operands[0].coefficient = 0;
  CHECK_THROWS_AS(check_program(program), Error);
  CHECK_THROWS_WITH_AS((void)evaluate_symbolically(random_program(3)),
                       "a bitmatrix takes an XOR program, but this one has symbols of 8 bits",
                       Error);
}

TEST_CASE("over GF(2) the matrix over the field is the bitmatrix") {
  const Code code = make_code("cauchy-good:k=4,m=2,w=4");
  const Program program = direct_encoding(code);
  const Matrix symbols = coefficients_of(program);
  const BitMatrix bits = evaluate_symbolically(program);
  for (std::size_t r = 0; r < symbols.rows(); ++r) {
    for (std::size_t c = 0; c < symbols.columns(); ++c) {
      REQUIRE((symbols(r, c) == 1) == bits.get(r, c));
    }
  }
}

}  // namespace
}  // namespace xorloom
