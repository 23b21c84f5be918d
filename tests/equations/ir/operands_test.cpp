#include "equations/ir/operands.hpp"

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
      REQUIRE((symbols(r, c) == 1) == bits(r, c));
    }
  }
}

}  // namespace
}  // namespace xorloom
