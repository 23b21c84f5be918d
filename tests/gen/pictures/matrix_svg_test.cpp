#include "gen/pictures/matrix_svg.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/files/equation_file.hpp"
#include "equations/ir/proof.hpp"
#include "tests/support/svg.hpp"
#include "tests/support/worked_example.hpp"

namespace xorloom {
namespace {

/// Lines of ones of a picture, one for each row.
std::vector<std::string> rows_of_ones(const std::string& body) {
  return all_between(body, "<path class=\"xl-fill\" d=\"", "\"");
}

}  // namespace

TEST_CASE("the matrix of any program for a code is that of the code, with a one for each bit") {
  const Code code = make_code(kWorkedExample);
  const Program direct = direct_encoding(code);
  const Picture picture = draw_matrix(paper_iterative());
  CHECK(picture.body == draw_matrix(direct).body);
  CHECK(picture.head == "6 x 15 bits, 51 ones");
  CHECK(draw_matrix(direct_encoding(make_code("parity:k=1"))).head == "1 x 1 bits, 1 one");
  CHECK(not_well_formed(svg_page(picture)) == "");
  const std::vector<std::string> rows = rows_of_ones(picture.body);
  REQUIRE(rows.size() == 6);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const Equation& equation = direct.equations[row];
    CAPTURE(equation.target);
    CHECK(count_of(rows[row], "M") == equation.operands.size());
    CHECK(count_of(picture.body, "<title>" + equation_text(direct, equation) + "</title>") == 1);
    CHECK(count_of(picture.body, fmt::format(">{}</text>", equation.target)) == 1);
  }
  for (std::size_t location = 0; location < 7; ++location) {
    CHECK(count_of(picture.body, fmt::format(">chunk {}</text>", location)) == 1);
  }
}

TEST_CASE("ones stand in the column of their input") {
  const Program program = direct_encoding(make_code(kWorkedExample));
  const std::string body = draw_matrix(program).body;
  const BitMatrix matrix = evaluate_symbolically(program);
  const std::vector<std::string> rows = rows_of_ones(body);
  // Column 0 begins where the first row with a one in it begins. All cells have one width.
  const auto xs = [&](std::size_t row) {
    std::vector<int> result;
    for (const std::string& x : all_between(rows[row], "M", " ")) result.push_back(std::stoi(x));
    return result;
  };
  const int first = xs(1).front();
  const int step = xs(4)[1] - first;
  CHECK(matrix.ones(1).front() == 0);
  for (std::size_t row = 0; row < matrix.rows(); ++row) {
    std::vector<int> expected;
    for (const std::size_t column : matrix.ones(row)) {
      expected.push_back(first + step * static_cast<int>(column));
    }
    CHECK(xs(row) == expected);
  }
}

TEST_CASE("a large matrix names every element and has as many ones behind each row as it shows") {
  const Program program = direct_encoding(make_code("cauchy-good:k=10,m=4,w=8"));
  const Picture picture = draw_matrix(program);
  CHECK(not_well_formed(svg_page(picture)) == "");
  CHECK(picture.width <= 1280);
  for (Element element = 0; element < 112; ++element) {
    CAPTURE(element);
    CHECK(count_of(picture.body, fmt::format(">{}</text>", element)) >= 1);
  }
  const std::vector<std::string> rows = rows_of_ones(picture.body);
  const std::vector<std::string> sums =
      all_between(picture.body, "class=\"xl-small xl-note\">", "<");
  REQUIRE(rows.size() == 32);
  REQUIRE(sums.size() == 32);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    CHECK(std::to_string(count_of(rows[row], "M")) == sums[row]);
  }
}

TEST_CASE("the matrix of an update names differences, old and updated elements") {
  const Code code = make_code(kWorkedExample);
  const std::string body = draw_matrix(direct_update(code, std::vector<std::size_t>{2})).body;
  CHECK(count_of(body, ">d7</text>") >= 1);
  CHECK(count_of(body, ">old15</text>") >= 1);
  CHECK(count_of(body, "<title>new15 = XOR(d7,old15)</title>") == 1);
}

TEST_CASE("a matrix that is too large for a picture is refused with the bound") {
  BitMatrix matrix(1025, 2);
  for (std::size_t row = 0; row < matrix.rows(); ++row) matrix.flip(row, 0);
  CHECK_THROWS_WITH_AS(draw_matrix(direct_program(matrix)),
                       "1025 rows are more than the 1024 that a picture has", Error);
  CHECK_THROWS_WITH_AS(draw_matrix(direct_program(BitMatrix(1, 1025))),
                       "1025 columns are more than the 1024 that a picture has", Error);
  CHECK(not_well_formed(svg_page(draw_matrix(direct_program(BitMatrix(0, 0))))) == "");
  CHECK(rows_of_ones(draw_matrix(direct_program(BitMatrix(3, 1024))).body).size() == 3);
}

TEST_CASE("the matrix of a program over symbols has its coefficients") {
  const Program program = direct_encoding(make_code("rs:k=4,m=2"), {}, Over::kSymbols);
  const Picture picture = draw_matrix(program);
  CHECK(picture.head == "2 x 4 symbols, 8 that are not zero");
  CHECK(not_well_formed(svg_page(picture)) == "");
  for (const char* part : {"<title>5 = SUM(0,0x46*1,0x8f*2,0xc8*3)</title>", ">46</text>",
                           ">8f</text>", ">c8</text>"}) {
    CAPTURE(part);
    CHECK(picture.body.find(part) != std::string::npos);
  }
}

}  // namespace xorloom
