#include "bench/lab/hardware_svg.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "codes/families/families.hpp"
#include "equations/build/direct.hpp"
#include "tests/support/svg.hpp"
#include "tests/support/worked_example.hpp"

namespace xorloom {

TEST_CASE("the paper's figure 4 has a multiplier and a factor for each pair of elements") {
  const Picture picture = *draw_coprocessor(5, 2);
  CHECK(not_well_formed(svg_page(picture)) == "");
  for (const char* name : {"e1", "e5", "e6", "e7", "g1,1", "g5,1", "g1,2", "g5,2", "matrix"}) {
    CHECK(count_of(picture.body, fmt::format(">{}</text>", name)) == 1);
  }
  CHECK(count_of(picture.body, ">e8<") == 0);
  CHECK(count_of(picture.body, "rx=\"12\"") == 10);
  // An adder for each product but the first of a row, and one for the tiles.
  CHECK(count_of(picture.body, "rx=\"7\"") == 2 * (4 + 1));
  CHECK(draw_coprocessor(kMostDrawnMultipliers, kMostDrawnMultipliers).has_value());
  CHECK_FALSE(draw_coprocessor(kMostDrawnMultipliers + 1, 2).has_value());
  CHECK_FALSE(draw_coprocessor(0, 2).has_value());
}

TEST_CASE("a picture of XOR engines has a row for each equation and a dot for each operand") {
  for (const Program& program : {direct_encoding(make_code(kWorkedExample)), paper_iterative()}) {
    const Picture picture = *draw_xor_engines(program);
    CHECK(not_well_formed(svg_page(picture)) == "");
    CHECK(count_of(picture.body, "<g class=\"xl-row") == program.equations.size());
    std::size_t operands = 0;
    for (const Equation& equation : program.equations) operands += equation.operands.size();
    std::size_t dots = 0;
    for (const std::string& path :
         all_between(picture.body, "<path class=\"xl-fill\" d=\"", "\"")) {
      dots += count_of(path, "M");
    }
    CHECK(dots == operands);
  }
  CHECK(draw_xor_engines(direct_encoding(make_code(kWorkedExample)))->head ==
        "6 XOR engines, 15 elements stream through");
  CHECK(draw_xor_engines(paper_iterative())->head ==
        "12 XOR engines, 15 elements stream through, 14 XOR gates share sums");
  CHECK_FALSE(draw_xor_engines(direct_encoding(make_code("cauchy:k=20,m=2"))).has_value());
}

}  // namespace xorloom
