#include "gen/dot.hpp"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/worked_example.hpp"

namespace xorloom {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

}  // namespace

TEST_CASE("the graph of the paper's equations has an edge for each operand and each node once") {
  const Code code = make_code(kWorkedExample);
  const std::string dot = write_dot(proved_equations(code, paper_iterative(), "iterative"));
  std::size_t operands = 0;
  for (const Equation& equation : paper_iterative().equations) operands += equation.operands.size();
  CHECK(count(dot, " [color=") == operands);
  CHECK(count(dot, "[shape=ellipse]") == 8);
  CHECK(count(dot, "\"G\" -> \"H\" [color=") == 1);
  CHECK(count(dot, "33 XORs") == 1);
  CHECK(count(dot, "{") == count(dot, "}"));
}

}  // namespace xorloom
