#include "equations/build/direct.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "equations/files/equation_file.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"
#include "tests/support/subsets.hpp"
#include "tests/support/worked_example.hpp"

namespace xorloom {
namespace {

using test::members;

using Locations = std::vector<std::size_t>;

std::size_t direct_xors(const Program& program) { return cost(program).xors; }

}  // namespace

TEST_CASE("the worked example comes out exactly as the paper prints it") {
  const Code code = make_code(kWorkedExample);
  const Program program = direct_encoding(code);
  const std::string text = write_text(proved_equations(code, program, "direct"));
  CHECK(text.find(kPaperDirect) != std::string::npos);
  CHECK(program.equations.size() == 6);
  CHECK(cost(program).xors == 45);
  CHECK(cost(program).longest_equation == 8);
}

TEST_CASE("direct encoding costs what was published") {
  CHECK(direct_xors(direct_encoding(make_code("isa-vandermonde:k=10,m=4"))) == 755);
  // Liberation and its kin aside, the least there is: k - 1 per redundant bit, plain parity.
  CHECK(direct_xors(direct_encoding(make_code("isa-cauchy:k=10,m=1"))) == 9 * 8);
}

TEST_CASE("direct XORs are counted like those of the equations, sums of nothing included") {
  for (const char* spec : {"hamming:k=2,m=6", "hamming:k=4,m=6", "hamming:k=5,m=8",
                           "hover:k=2,r=1,v=1,h=1", "cauchy-good:k=3,m=2,w=4"}) {
    CAPTURE(spec);
    const Code code = make_code(spec);
    const LinearMap map = encoding_map(code);
    CHECK(direct_xors(code, map) == direct_xors(direct_program(code, map)));
    const Locations rows{0};
    CHECK(direct_xors(code, map, rows) == direct_xors(direct_program(code, map, rows)));
  }
  CHECK(direct_xors(make_code("hamming:k=2,m=6"), encoding_map(make_code("hamming:k=2,m=6"))) == 1);
}

TEST_CASE("direct decoding costs what was published for ISA-L's RS(10,4)") {
  const Code code = make_code("isa-vandermonde:k=10,m=4");
  const std::pair<Locations, std::size_t> published[] = {
      {{2, 4, 5, 6}, 1368},
      {{0, 1, 2, 10}, 882},
  };
  for (const auto& [lost, xors] : published) {
    Locations data = lost;
    std::erase_if(data, [&](std::size_t location) { return location >= code.k; });
    CHECK(direct_xors(direct_decoding(code, lost, data)) == xors);
  }
}

TEST_CASE("over all four-loss patterns of ISA-L's RS(10,4) direct decoding costs 890 and 1244") {
  const Code code = make_code("isa-vandermonde:k=10,m=4");
  double data_only = 0;
  double all = 0;
  int patterns = 0;
  for (std::uint32_t mask = 0; mask < 1U << 14; ++mask) {
    if (std::popcount(mask) != 4) continue;
    const Locations lost = members(mask);
    Locations data = lost;
    std::erase_if(data, [&](std::size_t location) { return location >= code.k; });
    if (!data.empty()) {
      data_only += static_cast<double>(direct_xors(direct_decoding(code, lost, data)));
    }
    all += static_cast<double>(direct_xors(direct_decoding(code, lost)));
    ++patterns;
  }
  CHECK(patterns == 1001);
  CHECK(data_only / patterns == doctest::Approx(890).epsilon(0.001));
  CHECK(all / patterns == doctest::Approx(1244).epsilon(0.001));
}

TEST_CASE("decoding equations of every loss hold and read only what they need") {
  for (const char* spec : {kWorkedExample, "cauchy-good:k=3,m=3,w=4", "rs:k=3,m=2,w=16",
                           "rs:k=3,m=2,w=5,arrangement=packet", "isa-vandermonde:k=3,m=3"}) {
    CAPTURE(spec);
    const Code code = make_code(spec);
    for (std::uint32_t mask = 1; mask < 1U << code.locations; ++mask) {
      const Locations lost = members(mask);
      CAPTURE(mask);
      if (lost.size() > code.m) {
        REQUIRE_THROWS_AS(direct_decoding(code, lost), Error);
        continue;
      }
      for (const Locations& wanted : {lost, Locations{lost.front()}, Locations{lost.back()}}) {
        const Program program = direct_decoding(code, lost, wanted);
        REQUIRE_NOTHROW(check_program(program));
        REQUIRE(find_disagreement(program, code) == std::nullopt);
        REQUIRE(program.outputs.size() == wanted.size() * code.rows());
        for (const Element input : program.inputs) {
          REQUIRE(std::ranges::find(lost, input / code.rows()) == lost.end());
          REQUIRE(std::ranges::any_of(program.equations, [&](const Equation& equation) {
            return std::ranges::binary_search(equation.operands, Operand(input));
          }));
        }
      }
    }
  }
}

TEST_CASE("a loss that cannot be rebuilt says so with the promise") {
  CHECK_THROWS_WITH_AS(direct_decoding(make_code("isa-cauchy:k=3,m=2"), Locations{0, 1, 4}),
                       "the loss of {0, 1, 4} cannot be rebuilt: "
                       "isa-cauchy:k=3,m=2 has 5 locations "
                       "and promises to survive any 2 losses",
                       Error);
}

TEST_CASE("a code too wide for equations is refused with the bound") {
  CHECK_THROWS_AS(direct_encoding(make_code("rs:k=400,m=20,w=16")), Error);
  CHECK(cost(direct_encoding(make_code("cauchy-good:k=223,m=32"))).xors <= kMaxDirectXors);
}

namespace {

using test::members;

/// The fewest XORs over every set of redundant locations that suffices.
std::size_t fewest_xors(const Code& code, const Locations& lost, const Locations& wanted,
                        const Locations& rows) {
  const Locations survivors = redundant_survivors(code, lost);
  std::size_t fewest = kNone;
  for (std::uint32_t mask = 0; mask < 1U << survivors.size(); ++mask) {
    Locations choice;
    for (const std::size_t i : members(mask)) choice.push_back(survivors[i]);
    if (const auto map = recovery_map(code, lost, wanted, choice)) {
      fewest = std::min(fewest, direct_xors(code, *map, rows));
    }
  }
  return fewest;
}

LinearMap choose_survivors(const Code& code, const Locations& lost, const Locations& wanted = {},
                           const Locations& rows = {}) {
  return best_survivors(code, lost, wanted, rows, 1).front();
}

}  // namespace

TEST_CASE("for small codes no choice of redundant locations has fewer XORs than the one made") {
  std::size_t better = 0;
  for (const char* spec : {kWorkedExample, "cauchy-good:k=4,m=2,w=4", "cauchy:k=4,m=4,w=3",
                           "rs:k=3,m=3,w=4", "isa-vandermonde:k=4,m=4"}) {
    CAPTURE(spec);
    const Code code = make_code(spec);
    for (std::uint32_t mask = 1; mask < 1U << code.locations; ++mask) {
      const Locations lost = members(mask);
      if (lost.size() > code.m) continue;
      CAPTURE(mask);
      const std::size_t ascending = direct_xors(code, decoding_map(code, lost));
      const LinearMap map = choose_survivors(code, lost);
      REQUIRE(direct_xors(code, map) == fewest_xors(code, lost, lost, {}));
      REQUIRE(direct_xors(code, map) <= ascending);
      REQUIRE(map.inputs.size() <= code.k);
      REQUIRE(find_disagreement(direct_program(code, map), code) == std::nullopt);
      better += direct_xors(code, map) < ascending ? 1U : 0U;
      const Locations one{lost.back()};
      const Locations row{code.rows() - 1};
      REQUIRE(direct_xors(code, choose_survivors(code, lost, one, row), row) ==
              fewest_xors(code, lost, one, row));
    }
  }
  CHECK(better > 0);
}

TEST_CASE("direct XORs are counted before a program is written") {
  const Code code = make_code("cauchy-good:k=4,m=3,w=4");
  const Locations lost{0, 3, 5};
  const LinearMap map = decoding_map(code, lost);
  CHECK(direct_xors(code, map) == cost(direct_program(code, map)).xors);
  const Locations rows{1, 3};
  CHECK(direct_xors(code, map, rows) == cost(direct_program(code, map, rows)).xors);
}

TEST_CASE("with nothing to choose from, survivors are those in ascending order") {
  const Code code = make_code("cauchy:k=4,m=3,w=4");
  for (const Locations& lost : {Locations{0, 1, 2}, Locations{5}, Locations{0, 4, 5}}) {
    CHECK(choose_survivors(code, lost).inputs == decoding_map(code, lost).inputs);
  }
}

TEST_CASE("where choices are too many to try all, exchanging some saves XORs and never adds any") {
  const Code code = make_code("cauchy:k=10,m=20,w=8");
  for (const Locations& lost : {Locations{0, 1, 2, 3, 4}, Locations{1, 3, 5, 7, 9, 11, 13}}) {
    const LinearMap ascending = decoding_map(code, lost);
    const LinearMap map = choose_survivors(code, lost);
    CHECK(direct_xors(code, map) < direct_xors(code, ascending));
    CHECK(map.inputs.size() == code.k);
    CHECK(find_disagreement(direct_program(code, map), code) == std::nullopt);
    CHECK(choose_survivors(code, lost).inputs == map.inputs);
  }
}

TEST_CASE("what cannot be rebuilt, and rows out of range, are refused") {
  const Code code = make_code("cauchy:k=4,m=2,w=4");
  CHECK_THROWS_AS(choose_survivors(code, Locations{0, 1, 2}), Error);
  CHECK_THROWS_WITH_AS(choose_survivors(code, Locations{0}, {}, Locations{4}),
                       "row 4 is not one of 0 to 3", Error);
}

}  // namespace xorloom
