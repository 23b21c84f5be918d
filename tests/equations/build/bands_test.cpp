#include "equations/build/bands.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/proof.hpp"
#include "equations/passes/share_pairs.hpp"
#include "tests/support/matrices.hpp"

namespace xorloom {
namespace {

TEST_CASE("Bands stacked compute what the whole does, as they come and shared") {
  for (const char* spec : {"cauchy-good:k=6,m=3,w=8", "evenodd:k=5", "cauchy:k=2,m=2,w=2"}) {
    CAPTURE(spec);
    const Program direct = direct_encoding(make_code(spec));
    for (std::size_t number = 1; number <= 4; ++number) {
      CAPTURE(number);
      std::vector<Program> bands = bands_of(direct, number);
      CHECK(bands.size() == number);
      CHECK(stacked(direct, bands).equations.size() == direct.outputs.size());
      for (Program& band : bands) band = program_of(share_pairs(band), band);
      const Program whole = stacked(direct, bands);
      check_program(whole);
      CHECK(whole.outputs == direct.outputs);
      CHECK(evaluate_symbolically(whole) == evaluate_symbolically(direct));
    }
  }
}

TEST_CASE("A program is cut only where no value waits, and its halves compute what it does") {
  for (const char* spec : {"cauchy-good:k=6,m=3,w=8", "evenodd:k=5", "cauchy:k=2,m=2,w=2"}) {
    CAPTURE(spec);
    const Program direct = direct_encoding(make_code(spec));
    std::vector<Program> bands = bands_of(direct, 3);
    for (Program& band : bands) band = program_of(share_pairs(band), band);
    for (const Program& program : {direct, stacked(direct, bands)}) {
      const std::vector<Program> halves = independent_halves(program);
      REQUIRE(halves.size() == 2);
      CHECK(halves[0].equations.size() + halves[1].equations.size() == program.equations.size());
      for (const Program& half : halves) {
        check_program(half);
        CHECK(half.inputs == program.inputs);
        CHECK_FALSE(half.outputs.empty());
      }
      std::vector<Program> found = halves;
      CHECK(evaluate_symbolically(stacked(program, found)) == evaluate_symbolically(program));
    }
  }
}

TEST_CASE("A program in which every equation reads the one before has no halves") {
  const Program chain{4, 1, {0, 1}, {2, 3}, {{2, {0, 1}}, {3, {0, 2}}}};
  CHECK(independent_halves(chain).empty());
  const Program one{4, 1, {0, 1}, {2}, {{2, {0, 1}}}};
  CHECK(independent_halves(one).empty());
}

TEST_CASE("Equations that read others are not cut into bands") {
  const Program direct = direct_encoding(make_code("cauchy:k=2,m=2,w=2"));
  Program chained = direct;
  chained.equations[1].operands = {direct.equations[0].target};
  CHECK_THROWS_AS(bands_of(chained, 2), Error);
}

}  // namespace
}  // namespace xorloom
