#include "gen/verilog/engine_svg.hpp"

#include <doctest/doctest.h>

#include <string>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "gen/verilog/engine.hpp"
#include "tests/support/svg.hpp"
#include "tests/support/worked_example.hpp"

namespace xorloom {

TEST_CASE("A circuit has a box for each input, gate and pin, and a square for each register") {
  for (const Program& program :
       {direct_encoding(make_code(kWorkedExample)), Program(paper_iterative())}) {
    for (std::size_t ranks = 0; ranks <= 4; ++ranks) {
      CAPTURE(ranks);
      const EngineStages engine = engine_of(program, ranks, 4);
      const Picture picture = draw_engine("paper", engine);
      CHECK(not_well_formed(svg_page(picture)) == "");
      CHECK(count_of(picture.body, "class=\"xl-fill\"") == engine_size(engine).registers);
      CHECK(count_of(picture.body, ">rank ") == ranks);
      CHECK(count_of(picture.body, "<title>input ") == 15);
      for (Element output = 15; output < 21; ++output) {
        CHECK(count_of(picture.body, "<title>" + std::to_string(output) + " = ") >= 1);
      }
      CHECK(picture.body == draw_engine("paper", engine).body);
    }
  }
}

TEST_CASE("A circuit's head says its size, and a large one is refused") {
  const Program small = direct_encoding(make_code(kWorkedExample));
  CHECK(draw_engine("direct", engine_of(small, 0, 4)).head ==
        "direct: 18 gates of up to 4 inputs, 2 levels");
  const EngineStages large = engine_of(direct_encoding(make_code("cauchy:k=10,m=6,w=8")), 1, 4);
  CHECK(circuit_ties(large) > kMostCircuitTies);
  CHECK_THROWS_AS((void)draw_engine("large", large), Error);
}

}  // namespace xorloom
