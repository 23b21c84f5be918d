#include "equations/ir/proof.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/worked_example.hpp"

namespace xorloom {
namespace {

using Kind = VirtualElement::Kind;

}  // namespace

TEST_CASE("the paper's iterative equations compute what the direct ones do") {
  const Code code = make_code(kWorkedExample);
  const Program iterative = paper_iterative();
  CHECK(find_disagreement(iterative, code) == std::nullopt);
  CHECK(find_disagreement(iterative, bitmatrix(code)) == std::nullopt);
  CHECK(evaluate_symbolically(iterative) == evaluate_symbolically(direct_encoding(code)));
}

TEST_CASE("any single operand too many or too few is found") {
  const Code code = make_code(kWorkedExample);
  const std::vector<std::size_t> lost{1, 5};
  const std::vector<std::size_t> lost_data{1, 4};
  for (const Program& program : {direct_encoding(code), paper_iterative(),
                                 direct_decoding(code, lost), direct_update(code, lost_data)}) {
    for (std::size_t e = 0; e < program.equations.size(); ++e) {
      for (const Element input : program.inputs) {
        Program wrong = program;
        std::vector<Operand>& operands = wrong.equations[e].operands;
        const auto found = std::ranges::lower_bound(operands, Operand(input));
        if (found != operands.end() && *found == input) {
          operands.erase(found);
        } else {
          operands.insert(found, input);
        }
        check_program(wrong);
        REQUIRE(find_disagreement(wrong, code).has_value());
        REQUIRE(find_disagreement(wrong, evaluate_symbolically(program)).has_value());
        REQUIRE_THROWS_AS(prove(wrong, code), Error);
      }
    }
  }
}

TEST_CASE("a code of many data elements is proved in bounded memory, its last element too") {
  const Code code = make_code("rs:k=3000,m=1,w=16");
  Program program = direct_encoding(code);
  CHECK(find_disagreement(program, code) == std::nullopt);
  program.equations.back().operands.pop_back();
  CHECK(find_disagreement(program, code) ==
        "output 48015 is wrong: it and the code differ by data element 47999");
  std::vector<Operand>& operands = program.equations.back().operands;
  const std::string said = "output 48015 is wrong: it and the code differ by data elements ";
  std::string list = fmt::format("{}", operands.front().element);
  operands.erase(operands.begin());
  CHECK(find_disagreement(program, code) == said + list + " and 47999");
  for (std::size_t i = 0; i < 7; ++i) {
    list += fmt::format(", {}", operands.front().element);
    operands.erase(operands.begin());
  }
  CHECK(find_disagreement(program, code) == said + list + " and others");
}

TEST_CASE("two outputs exchanged are found") {
  const Code code = make_code(kWorkedExample);
  Program program = direct_encoding(code);
  std::swap(program.equations[0].target, program.equations[1].target);
  CHECK(find_disagreement(program, code) ==
        "output 15 is wrong: it and the code differ by data elements 0, 4, 5, 8, 10, 12 and 13");
}

TEST_CASE("an update holds for old data and differences, each unknown, and for nothing less") {
  const Code code = make_code(kWorkedExample);
  const std::vector<std::size_t> updated{2};
  const Program update = direct_update(code, updated);
  CHECK(find_disagreement(update, code) == std::nullopt);

  Program no_difference = update;
  std::erase(no_difference.equations[0].operands, Element{22});  // d7, all that 15 depends on
  CHECK(find_disagreement(no_difference, code) ==
        "output new15 is wrong: it and the code differ by the difference of 7");
  Program no_old = update;
  no_old.equations[0].operands.pop_back();
  CHECK(
      find_disagreement(no_old, code) ==
      "output new15 is wrong: it and the code differ by data elements 2, 3, 4, 5, 7, 9, 11 and 12");
  Program wrong_old = update;
  wrong_old.equations[0].operands.back() = wrong_old.equations[1].operands.back();
  CHECK(find_disagreement(wrong_old, code).has_value());
  Program redundant = update;
  redundant.virtuals[0].element = 15;
  CHECK(find_disagreement(redundant, code) ==
        "the difference of 15 is not one of data: that element is redundant");
}

TEST_CASE("a difference that is not given is zero") {
  const Code code = make_code(kWorkedExample);
  // Only element 7 of location 2 changes: 21 is d7, 22 old18, 23 new18.
  const Program program{7,
                        3,
                        {21, 22},
                        {23},
                        {{23, {21, 22}}},
                        {{Kind::kDifference, 7}, {Kind::kOld, 18}, {Kind::kUpdated, 18}}};
  CHECK_NOTHROW(check_program(program));
  CHECK(find_disagreement(program, code) == std::nullopt);
  // Cells are what they were before the change, and data have old and new values as well.
  const Program cells{
      7,
      3,
      {18, 21, 22},
      {23, 24},
      {{23, {18, 21}}, {24, {21, 22}}},
      {{Kind::kDifference, 7}, {Kind::kOld, 7}, {Kind::kUpdated, 18}, {Kind::kUpdated, 7}}};
  CHECK_NOTHROW(check_program(cells));
  CHECK(find_disagreement(cells, code) == std::nullopt);
}

TEST_CASE("a program of another layout is not that code's") {
  const Code code = make_code("cauchy:k=4,m=2,w=3");
  CHECK(find_disagreement(paper_iterative(), code) ==
        "the program is for 7 locations of 3 rows, the code has 6 of 3");
}

TEST_CASE("a proof takes no time for inputs that nothing reads, and little for wide equations") {
  // With a row of bits for each input these would take hours.
  constexpr std::size_t kWide = 10'000'000;
  Program wide;
  wide.locations = kWide + 2;
  wide.rows = 1;
  for (std::size_t i = 0; i < kWide; ++i) wide.inputs.push_back(static_cast<Element>(i));
  wide.outputs = {kWide, kWide + 1};
  wide.equations = {{kWide, {0, kWide - 1}}, {kWide + 1, {}}};
  const BitMatrix matrix = evaluate_symbolically(wide);
  CHECK(matrix.ones(0) == std::vector<std::size_t>{0, kWide - 1});
  CHECK(matrix.weight() == 2);
  CHECK(find_disagreement(wide, matrix) == std::nullopt);

  // A chain of n XORs of n inputs: as sets of inputs, its values would have about n^2 / 2 elements.
  constexpr Element kLong = 300'000;
  Program chain;
  chain.locations = kLong + 1;
  chain.rows = 1;
  for (Element input = 0; input < kLong; ++input) chain.inputs.push_back(input);
  chain.outputs = {kLong};
  Element last = 0;
  for (Element input = 1; input < kLong; ++input) {
    const Element target = input + 1 < kLong ? kLong + input : kLong;
    chain.equations.push_back({target, {std::min(input, last), std::max(input, last)}});
    last = target;
  }
  check_program(chain);
  CHECK(evaluate_symbolically(chain).weight() == kLong);
}

TEST_CASE("a program is evaluated alike from its inputs on and from its outputs back") {
  // More outputs than inputs, and the other way round; the tall one is the wide one's transposed.
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const BitMatrix wide = test::random_matrix(3 + seed % 5, 90, seed);
    CHECK(evaluate_symbolically(direct_program(wide)) == wide);
    CHECK(evaluate_symbolically(direct_program(transposed(wide))) == transposed(wide));
  }
}

TEST_CASE(
    "codes of more redundancy than data, or of less, are proved, and any wrong operand found") {
  // From the inputs on, and from the outputs back.
  for (const char* const spec : {"cauchy:k=2,m=3,w=4", "cauchy:k=3,m=2,w=4"}) {
    CAPTURE(spec);
    const Code code = make_code(spec);
    for (const Program& program :
         {direct_encoding(code), direct_decoding(code, std::vector<std::size_t>{0, 3}),
          direct_update(code, std::vector<std::size_t>{1})}) {
      CHECK(find_disagreement(program, code) == std::nullopt);
      for (std::size_t e = 0; e < program.equations.size(); ++e) {
        Program wrong = program;
        std::vector<Operand>& operands = wrong.equations[e].operands;
        const Element input = program.inputs[e % program.inputs.size()];
        const auto found = std::ranges::lower_bound(operands, Operand(input));
        if (found != operands.end() && *found == input) {
          operands.erase(found);
        } else {
          operands.insert(found, input);
        }
        const auto sentence = find_disagreement(wrong, code);
        REQUIRE(sentence);
        CHECK(sentence->starts_with(
            fmt::format("output {} is wrong", element_name(program, wrong.equations[e].target))));
      }
    }
  }
}

}  // namespace xorloom
