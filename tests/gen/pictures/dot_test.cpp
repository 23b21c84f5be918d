#include "gen/pictures/dot.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "equations/build/direct.hpp"
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

TEST_CASE("the graph of an update names differences, old values and updated elements") {
  const Code code = make_code(kWorkedExample);
  const std::string dot =
      write_dot(proved_equations(code, direct_update(code, std::vector<std::size_t>{2}), "direct"));
  CHECK(count(dot, "\"d7\" -> \"new15\" [color=") == 1);
  CHECK(count(dot, "\"old15\" -> \"new15\" [color=") == 1);
  CHECK(count(dot, "[shape=ellipse]") == 0);
  CHECK(count(dot, "\"21\"") == 0);
}

}  // namespace xorloom
