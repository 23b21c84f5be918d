#include "equations/build/windows.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/proof.hpp"
#include "equations/passes/share_pairs.hpp"

namespace xorloom {
namespace {

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

}  // namespace
}  // namespace xorloom
