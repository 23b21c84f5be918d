#include "equations/build/sum_groups.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "equations/ir/operands.hpp"

namespace xorloom {
namespace {

using Groups = std::vector<std::vector<std::size_t>>;

/// Twelve locations of one cell over GF(2^8), and temporaries from 12 on. Cells that are computed
/// are outputs.
Program program_of(std::vector<Equation> equations) {
  Program program{12, 1, {}, {}, std::move(equations), {}, Field(8)};
  for (const Equation& equation : program.equations) {
    if (equation.target < 12) program.outputs.push_back(equation.target);
  }
  return program;
}

std::vector<Element> targets(const Program& program) {
  std::vector<Element> result;
  for (const Equation& equation : program.equations) result.push_back(equation.target);
  return result;
}

TEST_CASE("equations that read the same elements are a group, whatever their coefficients") {
  CHECK(groups_of(program_of({{3, {0, {1, 2}}}, {4, {0}}, {5, {0, {1, 7}}}, {6, {{0, 3}}}})) ==
        Groups{{0, 2}, {1, 3}});
  CHECK(groups_of({}).empty());
}

TEST_CASE("work is less where equations share what they load") {
  CHECK(work(program_of({{3, {0, {1, 2}}}, {4, {{0, 3}, {1, 4}}}})) <
        work(program_of({{3, {0, {1, 2}}}, {4, {{0, 3}, {2, 4}}}})));
  CHECK(work({}) == 0);
}

TEST_CASE("a short temporary that one group reads is written into it, and cancels there") {
  const Program written =
      without_short_ones(program_of({{12, {0, {1, 2}}}, {3, {{1, 4}, 2, {12, 2}}}}));
  REQUIRE(targets(written) == std::vector<Element>{3});
  CHECK(written.equations[0].operands == std::vector<Operand>{{0, 2}, 2});  // 2·2 + 4 = 0
}

TEST_CASE("a temporary that two groups read, or that is long and shared, stays") {
  const Program read_twice = program_of({{12, {0, {1, 2}}}, {3, {2, 12}}, {4, {1, 12}}});
  CHECK(targets(without_short_ones(read_twice)) == std::vector<Element>{12, 3, 4});
  std::vector<Equation> long_ones;
  for (Element temporary = 12; temporary < 16; ++temporary) {
    Equation& equation = long_ones.emplace_back(Equation{temporary, {}});
    for (Element cell = 0; cell < 8; ++cell) {
      equation.operands.push_back({cell, temporary + cell});
    }
  }
  long_ones.push_back({8, {12, 13}});
  long_ones.push_back({9, {8, 14, 15}});
  CHECK(without_short_ones(program_of(long_ones)).equations.size() == 6);
}

TEST_CASE("outputs come as soon as they can, group by group") {
  const Program program = program_of(
      {{12, {0, 1}}, {13, {1, 2}}, {3, {12}}, {14, {{0, 5}, 1}}, {4, {3, 13}}, {5, {2, 14}}});
  CHECK(targets(in_short_order(program)) == std::vector<Element>{12, 14, 3, 5, 13, 4});
}

}  // namespace
}  // namespace xorloom
