#include "codes/field/matrix_text.hpp"

#include <doctest/doctest.h>

#include <string>

#include "codes/text/error.hpp"

namespace xorloom {
namespace {

void check_refused(const std::string& text, const std::string& sentence) {
  CAPTURE(text);
  CHECK_THROWS_WITH_AS(read_bitmatrix(text), sentence.c_str(), Error);
}

}  // namespace

TEST_CASE("a matrix is read row by row, with spaces and line ends of any kind") {
  const BitMatrix matrix = read_bitmatrix("2 3\r\n101 \n010\n\n\n");
  CHECK(matrix.rows() == 2);
  CHECK(matrix.columns() == 3);
  CHECK(matrix.ones(0) == std::vector<std::size_t>{0, 2});
  CHECK(matrix.ones(1) == std::vector<std::size_t>{1});
  CHECK(read_bitmatrix("1 1\n1") == read_bitmatrix("1 1\n1\n"));
}

TEST_CASE("spaces within rows are ignored, and two numbers are sizes unless they are a row") {
  CHECK(read_bitmatrix("1 0 1\n0 1\t1\n") == read_bitmatrix("101\n011\n"));
  CHECK(read_bitmatrix("2 3\n1 0 1\n011\n") == read_bitmatrix("101\n011\n"));
  CHECK(read_bitmatrix("1 0\n1 1\n") == read_bitmatrix("10\n11\n"));
  CHECK(read_bitmatrix("1 1\n0 1\n") == read_bitmatrix("11\n01\n"));
  CHECK(read_bitmatrix("1 1") == read_bitmatrix("11"));
  CHECK(read_bitmatrix("1 10\n1111100000").columns() == 10);
}

TEST_CASE("comments, commas and the brackets of Python are none of a matrix") {
  const BitMatrix matrix = read_bitmatrix("101\n011\n");
  for (const char* const text :
       {"# a comment\n101\n# another\n011\n# the last", "101 # XOR(0,2)\r\n011# c\r\n",
        "1,0,1\n0,1,1\n", "[[1, 0, 1], [0, 1, 1]]", "[[1 0 1]\n [0 1 1]]\n", "[101][011]",
        "[\n  [1, 0, 1], # first\n  [0, 1, 1]\n]\n", "# sizes\n2, 3\n101\n#\n011\n",
        "\n \n101\n011\n\n# end\n", "\357\273\277101\n011\n", "\357\273\2772 3\n101\n011\n"}) {
    CAPTURE(text);
    CHECK(read_bitmatrix(text) == matrix);
  }
  CHECK(read_bitmatrix("[[1, 1]]") == read_bitmatrix("11"));
  CHECK(read_bitmatrix("[[1],\n [0]]") == read_bitmatrix("1\n0\n"));
  check_refused("# a comment\n101\n# another\n021", "line 4: character 2 is '2', not 0 or 1");
  check_refused("[[1,0], [0,2]]", "line 1: character 12 is '2', not 0 or 1");
  check_refused("[[1,0], [1]]", "line 1: the row has 1 column, not 2");
  check_refused("# a comment\n2 3\n101\n", "line 2: it announces 2 rows, but there is 1");
  check_refused("# a comment\n1 3\n101\n# b\n111\n",
                "line 5: there are more rows than the 1 that line 2 announces");
  check_refused("# 101\n[]\n", "there is no matrix: the text is empty");
  check_refused("\n0x5\n",
                "line 2: '0x5' is neither a row of 0s and 1s nor two numbers, of rows and of "
                "columns");
}

TEST_CASE("a semicolon ends a row") {
  const BitMatrix matrix = read_bitmatrix("110\n011\n");
  for (const char* const text :
       {"[1 1 0; 0 1 1]", "1 1 0; 0 1 1", "1,1,0;0,1,1", "110;011", "[110;011];", "110;\n011;\n",
        "[1 1 0;\n 0 1 1]", "2 3\n1 1 0; 0 1 1", "[[1,1,0];[0,1,1]]"}) {
    CAPTURE(text);
    CHECK(read_bitmatrix(text) == matrix);
  }
  CHECK(read_bitmatrix("[1 1; 0 1]") == read_bitmatrix("11\n01\n"));
  CHECK(read_bitmatrix("10 11;") == read_bitmatrix("1011"));
  check_refused("110;01", "line 1: the row has 2 columns, not 3");
  check_refused("1 1;1", "line 1: the row has 1 column, not 2");
  check_refused("[[1 1],[1]]", "line 1: the row has 1 column, not 2");
  check_refused("1;0;1\n0;1;1\n",
                "line 1: ';' ends a row, and this row has 1 column: write ',' between columns");
}

TEST_CASE("a matrix that is ragged, too short, too long or no matrix is refused with its line") {
  check_refused("", "there is no matrix: the text is empty");
  check_refused(
      "2\n10\n01\n",
      "line 1: '2' is neither a row of 0s and 1s nor two numbers, of rows and of columns");
  check_refused(
      "2 2 2\n10\n01\n",
      "line 1: '2 2 2' is neither a row of 0s and 1s nor two numbers, of rows and of columns");
  check_refused(
      "-2 2\n",
      "line 1: '-2 2' is neither a row of 0s and 1s nor two numbers, of rows and of columns");
  check_refused(
      "1210\n0110\n",
      "line 1: '1210' is neither a row of 0s and 1s nor two numbers, of rows and of columns");
  check_refused("1 0 1\n0 1\n", "line 2: the row has 2 columns, not 3");
  check_refused("10 01\n01 10\n", "line 2: the row has 4 columns, not the 1 that line 1 announces");
  check_refused("1 0 1\n0 2 1\n", "line 2: character 3 is '2', not 0 or 1");
  check_refused("110\n\n011\n", "line 2: the line is empty, but a row follows");
  check_refused("0 5\n", "line 1: it announces a matrix of 0 rows and 5 columns, which is empty");
  check_refused("2 3\n101\n01\n", "line 3: the row has 2 columns, not the 3 that line 1 announces");
  check_refused("2 3\n1011\n010\n",
                "line 2: the row has 4 columns, not the 3 that line 1 announces");
  check_refused("2 3\n101\n", "line 1: it announces 2 rows, but there is 1");
  check_refused("2 3\n101\n\n",
                "line 3: the line is empty: line 1 announces 2 rows, but there is 1");
  check_refused("1 3\n101\n111\n", "line 3: there are more rows than the 1 that line 1 announces");
  check_refused("1 3\n1x1\n", "line 2: character 2 is 'x', not 0 or 1");
  check_refused("99999999 99999999\n1", "99999999 rows of 99999999 columns exceed 1073741824 bits");
  check_refused("16777217 2\n01\n",
                "16777217 rows exceed 16777216: leave out rows of zeros and rows that repeat, or "
                "split the matrix by rows");
}

}  // namespace xorloom
