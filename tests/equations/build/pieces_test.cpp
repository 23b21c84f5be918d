#include "equations/build/pieces.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "codes/families/families.hpp"
#include "codes/linear_map.hpp"
#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/files/packed_program.hpp"
#include "equations/ir/proof.hpp"
#include "equations/passes/row_forms.hpp"
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

TEST_CASE("Windows summed compute what the whole does, as they come and shared") {
  for (const char* spec : {"cauchy-good:k=6,m=3,w=8", "evenodd:k=5", "cauchy:k=2,m=2,w=2"}) {
    CAPTURE(spec);
    const Program direct = direct_encoding(make_code(spec));
    for (const std::size_t inputs : {1U, 3U, 8U, 1000U}) {
      CAPTURE(inputs);
      std::vector<Program> windows = windows_of(direct, inputs);
      CHECK(summed(direct, windows).equations.size() >= direct.outputs.size());
      for (Program& window : windows) window = program_of(share_pairs(window), window);
      const Program whole = summed(direct, windows);
      check_program(whole);
      CHECK(whole.outputs == direct.outputs);
      CHECK(evaluate_symbolically(whole) == evaluate_symbolically(direct));
    }
  }
}

TEST_CASE("A window has the inputs that follow one another, and the outputs that read them") {
  const Program direct{6, 1, {0, 1, 2}, {3, 4, 5}, {{3, {0, 2}}, {4, {0, 1, 2}}, {5, {2}}}};
  const std::vector<Program> windows = windows_of(direct, 2);
  REQUIRE(windows.size() == 2);
  CHECK(windows[0].inputs == std::vector<Element>{0, 1});
  CHECK(windows[0].outputs == std::vector<Element>{3, 4});
  CHECK(windows[1].outputs == std::vector<Element>{3, 4, 5});
  const Program whole = summed(direct, windows);
  CHECK(whole.equations == std::vector<Equation>{{6, {0, 1}}, {3, {0, 2}}, {4, {2, 6}}, {5, {2}}});
}

TEST_CASE("Equations that read others are not cut into windows") {
  const Program direct = direct_encoding(make_code("cauchy:k=2,m=2,w=2"));
  Program chained = direct;
  chained.equations[1].operands = {direct.equations[0].target};
  CHECK_THROWS_AS(windows_of(chained, 2), Error);
}

TEST_CASE("What the first stage gives is a temporary of the chain, or what it copies") {
  // 2 = 0 + 1, 3 is a copy of 1; 4 = 2 + 3.
  const Program first{4, 1, {0, 1}, {2, 3}, {{2, {0, 1}}, {3, {1}}}};
  const Program second{4, 1, {0, 1}, {2, 3}, {{2, {0}}, {3, {1, 2}}}};
  const Program chain = chained(first, second);
  check_program(chain);
  CHECK(chain.inputs == std::vector<Element>{0, 1});
  CHECK(chain.outputs == std::vector<Element>{2, 3});
  CHECK(chain.equations == std::vector<Equation>{{4, {0, 1}}, {2, {4}}, {3, {1, 2}}});
}

TEST_CASE("The factors of a decoding map, chained, compute it") {
  const Code code = make_code("cauchy-good:k=10,m=4,w=8");
  const std::vector<std::size_t> lost{0, 3, 4, 9};
  const Program direct = without_places(direct_program(code, *recovery_map(code, lost, lost)));
  const Factors factors = factors_of(evaluate_symbolically(direct));
  const auto shared = [](const BitMatrix& matrix) {
    const Program program = direct_program(matrix);
    return program_of(share_pairs(program), program);
  };
  const Program chain = chained(shared(factors.basis), shared(factors.outer));
  check_program(chain);
  CHECK(chain.inputs == direct.inputs);
  CHECK(chain.outputs == direct.outputs);
  prove(chain, direct);
}

}  // namespace
}  // namespace xorloom
