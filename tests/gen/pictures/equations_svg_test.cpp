#include "gen/pictures/equations_svg.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/files/equation_file.hpp"
#include "gen/pictures/layered_graph.hpp"
#include "tests/support/random_program.hpp"
#include "tests/support/svg.hpp"
#include "tests/support/worked_example.hpp"

namespace xorloom {
namespace {

using Place = std::pair<std::string, std::string>;

/// The one part between two others.
std::string part(const std::string& text, const std::string& begin, const std::string& end) {
  const std::vector<std::string> found = all_between(text, begin, end);
  return found.empty() ? "" : found.front();
}

/// Contents of a graph, read from its body alone.
struct Shown {
  std::map<Place, std::string> names;                   ///< names of nodes, by place
  std::map<std::string, std::set<std::string>> marked;  ///< by title of the equation
  std::map<std::string, std::size_t> ties;              ///< number, by title of the equation
};

Shown shown(const std::string& body) {
  Shown result;
  std::istringstream lines(body);
  std::map<std::string, std::string> marks;
  std::map<Place, std::string> ring_names;
  for (std::string line; std::getline(lines, line);) {
    const std::string title = part(line, "<title>", "</title>");
    if (title.empty()) continue;
    const std::string box = part(line, "<rect class=\"xl-box\"", "/>");
    const std::string text = part(line, "<text ", "/text>");
    // A node's ring begins two pixels outside its box; if the box is round, behind its corner.
    const int height = std::stoi(part(box, "height=\"", "\""));
    const bool is_round = part(box, "rx=\"", "\"") != "2";
    const int x = std::stoi(part(box, " x=\"", "\"")) - 2 + (is_round ? height / 2 + 2 : 0);
    ring_names[{std::to_string(x), std::to_string(std::stoi(part(box, " y=\"", "\"")) - 2)}] =
        part(text, ">", "<");
    result.names[{part(box, " x=\"", "\""), part(box, " y=\"", "\"")}] = part(text, ">", "<");
    if (line.find("tabindex=\"0\"") == std::string::npos) continue;
    marks[title] = part(line, "<path class=\"xl-mark\" d=\"", "\"");
    result.ties[title] = count_of(part(line, "<path class=\"xl-tie\" d=\"", "\""), "M");
  }
  for (const auto& [title, path] : marks) {
    std::set<std::string>& marked = result.marked[title];
    for (const std::string& at : all_between(path, "M", "h")) {
      const std::size_t space = at.find(' ');
      marked.insert(ring_names.at({at.substr(0, space), at.substr(space + 1)}));
    }
  }
  return result;
}

void check_shown(const Program& program, const Picture& picture) {
  CHECK(not_well_formed(svg_page(picture)) == "");
  CHECK(picture.body.find(" id=") == std::string::npos);
  const Shown graph = shown(picture.body);
  CHECK(graph.names.size() == program.inputs.size() + program.equations.size());
  CHECK(graph.marked.size() == program.equations.size());
  for (const Equation& equation : program.equations) {
    const std::string title = equation_text(program, equation);
    CAPTURE(title);
    std::set<std::string> operands;
    for (const Element operand : equation.operands) operands.insert(element_name(program, operand));
    REQUIRE(graph.marked.count(title) == 1);
    CHECK(graph.marked.at(title) == operands);
    CHECK(graph.ties.at(title) == operands.size());
  }
}

}  // namespace

TEST_CASE("an equation that is pointed at marks its operands, no more and no fewer") {
  const Code code = make_code(kWorkedExample);
  check_shown(paper_iterative(),
              draw_equations(proved_equations(code, paper_iterative(), "iterative")));
  const Program update = direct_update(code, std::vector<std::size_t>{2});
  check_shown(update, draw_equations(proved_equations(code, update, "direct")));
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const Program program = random_program(1 + seed % 7, 1 + seed % 4, seed % 5 * 9, seed);
    check_shown(program, draw_equations({.program = program}));
  }
}

TEST_CASE("the graph of the paper's equations says what it is of") {
  const Code code = make_code(kWorkedExample);
  const Picture picture = draw_equations(proved_equations(code, paper_iterative(), "iterative"));
  CHECK(picture.head ==
        "cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0,poly=0xb,packet_bytes=64: 14 iterative equations, 33 "
        "XORs");
  CHECK(count_of(svg_page(picture), "role=\"group\"") == 1);
  CHECK(count_of(picture.body, "<title>17 = XOR(3,4,8,E,H)</title>") == 1);
  CHECK(count_of(picture.body, "<title>input 3, read by A,17</title>") == 1);
  for (std::size_t location = 0; location < 7; ++location) {
    CHECK(count_of(picture.body, fmt::format(">chunk {}</text>", location)) == 1);
  }
}

TEST_CASE("elements stand right of what they are computed from, a place apart in their column") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const Program program = random_program(3 + seed % 7, 1 + seed % 4, seed * 3, seed);
    const GraphLayout layout = graph_layout(program);
    std::vector<std::vector<double>> places(layout.num_columns);
    const auto see = [&](Element element) {
      places[layout.column[element]].push_back(layout.place[element]);
    };
    for (const Element input : program.inputs) {
      CHECK(layout.column[input] == 0);
      see(input);
    }
    for (const Equation& equation : program.equations) {
      see(equation.target);
      for (const Element operand : equation.operands) {
        CHECK(layout.column[operand] < layout.column[equation.target]);
      }
    }
    for (std::vector<double>& column : places) {
      std::ranges::sort(column);
      CHECK(column.size() <= layout.most_in_a_column);
      for (std::size_t i = 0; i < column.size(); ++i) {
        CHECK(column[i] >= 0);
        CHECK(column[i] <= layout.height - 1 + 1e-9);
        if (i > 0) CHECK(column[i] - column[i - 1] >= 1 - 1e-9);
      }
    }
  }
}

TEST_CASE("the graph of 10 + 4 locations is small enough for a page, in either style") {
  const Code code = make_code("cauchy-good:k=10,m=4,w=8");
  const Program direct = direct_encoding(code);
  const Picture picture = draw_equations(proved_equations(code, direct, "direct"));
  CHECK(svg_page(picture).size() < 250'000);
  CHECK(picture.width <= 1280);
  check_shown(direct, picture);
}

TEST_CASE("equations that are too many for a picture are refused with the bound") {
  BitMatrix matrix(128, 65);
  for (std::size_t row = 0; row < matrix.rows(); ++row) {
    for (std::size_t column = 0; column < matrix.columns(); ++column) matrix.flip(row, column);
  }
  const Program program = direct_program(matrix);
  CHECK_THROWS_WITH_AS(draw_equations({.program = program}),
                       "8320 operands are more than the 8192 that a picture has", Error);
}

}  // namespace xorloom
