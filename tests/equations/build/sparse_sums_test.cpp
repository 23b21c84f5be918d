#include "equations/build/sparse_sums.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/operands.hpp"
#include "equations/ir/proof.hpp"
#include "tests/support/subsets.hpp"

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

TEST_CASE("equations that read as many other elements are other groups") {
  CHECK(groups_of(program_of({{4, {0, 1}}, {5, {2, 3}}, {6, {{0, 7}, {1, 5}}}, {7, {0, 3}}})) ==
        Groups{{0, 2}, {1}, {3}});
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

/// The program of sparse sums computes the map and the code with less work than the rows. The
/// answer is 1, or 0 if there are none.
std::size_t check_sums(const Code& code, const LinearMap& map) {
  const auto sparse = sparse_sums(code, map);
  if (!sparse) return 0;
  CHECK(work(sparse->program) < work(direct_symbols(code, map)));
  CHECK_NOTHROW(check_program(sparse->program));
  CHECK_NOTHROW(prove(sparse->program, map.coefficients));
  CHECK_NOTHROW(prove(sparse->program, code));
  return 1;
}

TEST_CASE("the direct program over symbols has a row of the matrix in each equation") {
  const Code code = make_code("rs:k=3,m=2");
  const LinearMap map = encoding_map(code);
  const Program rows = direct_symbols(code, map);
  REQUIRE(rows.equations.size() == 2);
  CHECK(rows.equations[0] == Equation{3, {0, 1, 2}});
  CHECK(cost(rows).xors == 4);
  CHECK(cost(rows).multiplications == 2);
  CHECK_NOTHROW(prove(rows, code));
  CHECK_FALSE(sparse_sums(code, map));  // a dense code has none with fewer
}

TEST_CASE("sums of codes with intermediate values hold, for encoding and for every loss") {
  for (const char* spec :
       {"lrc:k=4,m=2,l=3", "lrc:k=8,m=4,l=3", "clay:k=2,m=2", "clay:k=4,m=2", "clay:k=3,m=2,d=3",
        "clay:k=4,m=3,d=5", "clay:k=3,m=2", "rdp:k=4,p=5", "evenodd:k=3,p=5", "hover:k=4,r=3",
        "shec:k=4,m=3,c=2", "zigzag:k=4,r=2", "zigzag:k=3,r=3"}) {
    CAPTURE(spec);
    const Code code = make_code(spec);
    std::size_t found = check_sums(code, encoding_map(code));
    for (const auto& lost : test::subsets(code.locations, code.promised_losses)) {
      if (lost.empty()) continue;
      CAPTURE(set_text(lost));
      found += check_sums(code, decoding_map(code, lost, {}));
      found += check_sums(code, decoding_map(code, lost, std::vector{lost.back()}));
    }
    const std::string_view name = spec;
    if (name == "clay:k=4,m=2" || name == "clay:k=4,m=3,d=5") CHECK(found != 0);
  }
}

TEST_CASE("layers are solved one by one") {
  const Code code = make_code("clay:k=8,m=4");
  const auto check_work = [&](const LinearMap& map, std::size_t parts_of_rows) {
    REQUIRE(check_sums(code, map) == 1);
    CHECK(work(sparse_sums(code, map)->program) < work(direct_symbols(code, map)) / parts_of_rows);
  };
  check_work(encoding_map(code), 1);
  for (const std::vector<std::size_t>& lost :
       {std::vector<std::size_t>{0, 1, 2, 3}, {0, 1}, {0, 4, 8, 11}}) {
    CAPTURE(set_text(lost));
    check_work(decoding_map(code, lost, {}), lost.size() == 2 ? 2 : lost[1] == 1 ? 1 : 3);
  }
}

TEST_CASE("wrong sums are not proved") {
  const Code code = make_code("clay:k=4,m=2");
  const LinearMap map = encoding_map(code);
  const Program right = sparse_sums(code, map).value().program;
  const auto check_refused = [&](const Program& program) {
    CHECK_THROWS_AS((check_program(program), prove(program, map.coefficients)), Error);
    CHECK_THROWS_AS((check_program(program), prove(program, code)), Error);
  };
  for (std::size_t i = 0; i < right.equations.size(); ++i) {
    Program wrong = right;
    Operand& operand = wrong.equations[i].operands[0];
    operand.coefficient = operand.coefficient == 2 ? 3 : operand.coefficient ^ 2;
    check_refused(wrong);
    wrong = right;
    wrong.equations[i].operands.pop_back();
    check_refused(wrong);
    wrong = right;
    wrong.equations.erase(wrong.equations.begin() + static_cast<std::ptrdiff_t>(i));
    check_refused(wrong);
    wrong = right;
    wrong.equations.push_back(right.equations[i]);
    check_refused(wrong);
  }
  Program reversed = right;
  std::ranges::reverse(reversed.equations);
  check_refused(reversed);
  Program writes_data = right;
  writes_data.equations.push_back({0, {1}});
  check_refused(writes_data);
}

TEST_CASE("equations that do not determine an output give no sums") {
  Code code = make_code("clay:k=4,m=2");
  REQUIRE(sparse_sums(code, encoding_map(code)));
  code.sums.pop_back();
  CHECK_FALSE(sparse_sums(code, encoding_map(code)));
}

}  // namespace
}  // namespace xorloom
