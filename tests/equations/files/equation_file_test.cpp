#include "equations/files/equation_file.hpp"

#include <doctest/doctest.h>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "tests/support/worked_example.hpp"

namespace xorloom {

TEST_CASE("the two forms hold the same equations") {
  const Code code = make_code(kWorkedExample);
  const EquationFile file = proved_equations(code, paper_iterative(), "iterative");
  CHECK(read_equations(write_text(file)) == read_equations(write_json(file)));
}

TEST_CASE("equations that do not hold cannot be made into a file") {
  const Code code = make_code(kWorkedExample);
  Program program = direct_encoding(code);
  program.equations[3].operands.pop_back();
  CHECK_THROWS_AS(proved_equations(code, program, "direct"), Error);
}

TEST_CASE("the code a file names is the one it is proved against") {
  const Code own = make_code(kWorkedExample);
  const Code other = make_code("cauchy:k=5,m=2,w=3");
  const std::string text = write_text(proved_equations(own, direct_encoding(own), "direct"));
  const EquationFile file = read_equations(text, &other);
  CHECK(file.code->spec == own.spec);
  CHECK_THROWS_AS(read_equations(kPaperDirect, &other), Error);
}

}  // namespace xorloom
