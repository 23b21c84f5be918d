#include "equations/files/equation_file.hpp"

#include <doctest/doctest.h>

#include <string>
#include <tuple>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/cost.hpp"
#include "tests/support/worked_example.hpp"

namespace xorloom {
namespace {

void check_refused(const std::string& text, const std::string& sentence) {
  CAPTURE(text);
  CHECK_THROWS_WITH_AS(read_equations(text), sentence.c_str(), Error);
}

}  // namespace

TEST_CASE("what is written as text is read back the same") {
  const std::vector<std::size_t> lost{1, 6};
  for (const char* spec : {kWorkedExample, "rs:k=3,m=2", "cauchy-good:k=9,m=4,w=4"}) {
    const Code code = make_code(spec);
    for (const Program& program :
         {direct_encoding(code), direct_decoding(code, std::span(lost).first(1)),
          direct_update(code, std::span(lost).first(1))}) {
      const EquationFile file = proved_equations(code, program, "direct");
      CHECK(read_equations(write_text(file)) == file);
    }
  }
  const Code code = make_code(kWorkedExample);
  const EquationFile iterative = proved_equations(code, paper_iterative(), "iterative", 6);
  EquationFile again = read_equations(write_text(iterative));
  CHECK_FALSE(again.plan.has_value());  // the table is for people
  again.plan = iterative.plan;
  again.plan_cost = iterative.plan_cost;
  CHECK(again == iterative);
}

TEST_CASE("the text of a plan says what one of its partial sums is") {
  const Code code = make_code("hover:k=4,r=2,v=1,h=1");
  const std::string text = write_text(proved_equations(code, direct_encoding(code), "direct", 2));
  CHECK(text.find("; 14' is a partial sum of 14\n") != std::string::npos);
}

TEST_CASE("the paper's iterative equations are read as printed, users first") {
  const Code code = make_code(kWorkedExample);
  const EquationFile file = read_equations(kPaperIterative, &code);
  CHECK(file.proved);
  CHECK(file.style == "iterative");
  CHECK(file.program.equations.size() == 14);
  CHECK(cost(file.program).xors == 33);
  CHECK(cost(file.program).longest_path == 7);
}

TEST_CASE(
    "bare equations without a code are read, each number a location, and nothing is claimed") {
  const EquationFile file = read_equations("3 = XOR(0,1,A)\n# a comment\n\n  A = XOR(1, 2)\r\n");
  CHECK_FALSE(file.proved);
  CHECK_FALSE(file.code.has_value());
  CHECK(file.program.inputs == std::vector<Element>{0, 1, 2});
  CHECK(file.program.outputs == std::vector<Element>{3});
  CHECK(file.program.equations == std::vector<Equation>{{4, {1, 2}}, {3, {0, 1, 4}}});
}

TEST_CASE("equations are direct if they read inputs alone, whatever they are called") {
  const auto style = [](const std::string& text) { return read_equations(text).style; };
  CHECK(style("4 = XOR(0,1)\n5 = XOR(0,1,2)\n") == "direct");
  CHECK(style("4 = XOR(0,1)\n5 = XOR(4,2)\n") == "iterative");
  CHECK(style("5 = XOR(4,2)\n4 = XOR(0,1)\n") == "iterative");
  CHECK(style("A = XOR(0,1)\n4 = XOR(A,2)\n") == "iterative");
  CHECK(style("A = XOR(0,1)\n4 = XOR(2)\n") == "iterative");
  CHECK(style("style: iterative\n4 = XOR(0,1)\n") == "iterative");  // a search may share nothing
  const std::string says = "the style is direct, but the equations are iterative: ";
  check_refused("style: direct\n4 = XOR(0,1)\n5 = XOR(4,2)\n",
                says + "that of 5 reads 4, an output");
  check_refused("style: direct\nA = XOR(0,1)\n4 = XOR(2)\n", says + "A is a temporary");
  EquationFile file = read_equations("4 = XOR(0,1)\n5 = XOR(4,2)\n");
  CHECK(read_equations(write_json(file)) == file);
  file.style = "direct";
  check_refused(write_json(file), says + "that of 5 reads 4, an output");
}

TEST_CASE("an empty right side is zero and a single operand a copy") {
  const EquationFile file = read_equations("1 = XOR()\n2 = XOR(0)\nT30 = XOR(0)\n");
  CHECK(file.program.equations ==
        std::vector<Equation>{{1, {}}, {2, {0}}, {static_cast<Element>(3 + 30), {0}}});
}

TEST_CASE("a bare update is read: differences and old values go in, updated elements come out") {
  const Code code = make_code(kWorkedExample);
  const EquationFile file = read_equations("new15 = XOR(d7,old15)\nnew19=XOR( d6, old19 )", &code);
  CHECK(file.proved);
  using Kind = VirtualElement::Kind;
  CHECK(file.program.virtuals == std::vector<VirtualElement>{{Kind::kDifference, 6},
                                                             {Kind::kDifference, 7},
                                                             {Kind::kOld, 15},
                                                             {Kind::kOld, 19},
                                                             {Kind::kUpdated, 15},
                                                             {Kind::kUpdated, 19}});
  CHECK(file.program.inputs == std::vector<Element>{21, 22, 23, 24});
  CHECK(file.program.outputs == std::vector<Element>{25, 26});
  CHECK(file.program.equations == std::vector<Equation>{{25, {22, 23}}, {26, {21, 24}}});
  CHECK(read_equations(write_text(file)) == file);
  CHECK_THROWS_WITH_AS(
      read_equations("new15 = XOR(d7,d8,old15)", &code),
      "the equations are not those of cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0: output new15 is wrong: "
      "it and the code differ by the difference of 8",
      Error);
}

TEST_CASE("an update may share temporaries, and needs no code to be read") {
  const EquationFile file =
      read_equations("A = XOR(d0,d1)\nnew2 = XOR(A,old2)\nnew3 = XOR(A,old3)");
  CHECK(file.style == "iterative");
  CHECK(file.program.locations == 4);
  CHECK(file.program.first_temporary() == 10);
  CHECK(cost(file.program).temporaries == 1);
  CHECK(cost(file.program).xors == 3);
  CHECK(read_equations(write_text(file)) == file);
}

TEST_CASE("sums are read as they are written by hand, too") {
  const std::string text = "A = XOR(0,8)\n16 = XOR(4,12,A)\n17 = XOR(1)\n";
  for (const char* const by_hand :
       {"A = 0 ⊕ 8\n16 = 4 ⊕ 12 ⊕ A\n17 = 1\n", "A = 0^8\n16 = 4 ^ 12 ^ A\n17 = 1\n",
        "eq. 1: A = 0 + 8\n16 = 4+12+A\n17 = XOR(1)\n",
        "A = 0 xor 8\n16 = 4 XOR 12 xor A\n17 = 1\n"}) {
    CHECK(write_text(read_equations(by_hand)) == write_text(read_equations(text)));
  }
  check_refused("4 = 0 ⊕", "line 1: expected an element before the end of the line");
  check_refused("4 = 0 1", "line 1: expected '⊕ or xor' before '1'");
}

TEST_CASE("the lines before the equations may stand in any order") {
  const char* const lines[] = {"style: direct\n", "code: parity:k=4\n", "inputs: 0-3\n"};
  const std::string equations = "4 = XOR(0,1,2,3)\n";
  const EquationFile expected =
      read_equations(std::string(lines[1]) + lines[0] + lines[2] + equations);
  for (const auto& [first, second, third] :
       {std::tuple(0, 1, 2), std::tuple(0, 2, 1), std::tuple(2, 1, 0), std::tuple(2, 0, 1)}) {
    CHECK(read_equations(std::string(lines[first]) + lines[second] + lines[third] + equations) ==
          expected);
  }
  check_refused("code: parity:k=4\ncode: parity:k=4\n4 = 0+1+2+3\n",
                "line 2: the equations have a code already");
  check_refused("style: direct\nstyle: direct\n4 = 0+1+2+3\n",
                "line 2: the equations have a style already");
}

TEST_CASE("text that is wrong is refused with its line") {
  check_refused("", "the equations file is empty");
  check_refused("15 = (2,3)", "line 1: expected 'XOR' before '(2,3)'");
  check_refused("\xEF\xBB\xBF# made elsewhere\n15 XOR(2,3)",
                "line 2: expected '=' before 'XOR(2,3)'");
  check_refused("99999999999 = XOR(1,2,3)", "line 1: '99999999999' is not a number below 16777216");
  check_refused("# nothing\n", "the equations have no outputs: they compute nothing");
  check_refused("\n15 XOR(2,3)", "line 2: expected '=' before 'XOR(2,3)'");
  check_refused("15 = XOR(2,3", "line 1: expected ')' before the end of the line");
  check_refused("15 = XOR(2,,3)", "line 1: expected an element before ',3)'");
  check_refused("15 = XOR(2,3) and more", "line 1: 'and more' is left over");
  check_refused("15 = XOR(2,99999999999)", "line 1: '99999999999' is not a number below 16777216");
  check_refused("style: fast\n3 = XOR(1)", "line 1: style 'fast' is not direct or iterative");
  check_refused("inputs: 9-3\n", "line 1: the run 9-3 goes down");
  check_refused("inputs: 0-16777214,0-16777214\n",
                "line 1: more than 16777216 elements are listed");
  check_refused("inputs: d0-d3,old2-new3\n", "line 1: the run old2-new3 is of two kinds");
  check_refused("inputs: d0-3\n", "line 1: the run d0-3 is of two kinds");
  check_refused("inputs: d3-d0\n", "line 1: the run d3-d0 goes down");
  check_refused("inputs: 0,A\n", "line 1: 'A' is a temporary");
  const std::string elements =
      "' is not an element: write numbers for inputs and outputs, A to Z, T26, T27, … for sums on "
      "the way, and in an update dN, oldN or newN";
  check_refused("new = XOR(1)", "line 1: 'new" + elements);
  check_refused("p = a ⊕ b", "line 1: 'p" + elements);
  check_refused("AA = XOR(0,1)", "line 1: 'AA" + elements);
  check_refused("4 = XOR(A1,B)", "line 1: 'A1" + elements);
  check_refused(
      "sites: 3\nstyle: direct\n4 = XOR(0,1)",
      "line 1: the equations of a repair by sites are several programs: read those of one "
      "site");
  check_refused("4 = XOR(a,b)", "line 1: 'a" + elements);
  check_refused("layout: 2 locations x 1 rows\nnew1 = XOR(d2)",
                "element 2 is not one of the 2 cells of 2 locations of 1 row");
  check_refused("layout: 2 locations x 1 rows\ninputs: 0,2\n1 = XOR(0)",
                "element 2 is not one of the 2 cells of 2 locations of 1 row");
  check_refused("d1 = XOR(d0)", "d1 is not among the inputs, as a difference or an old value is");
  check_refused("1 = XOR(new0)", "new0 is not among the outputs, as an updated element is");
  check_refused("3 = XOR(1,1)", "the equation of 3 lists 1 twice");
  check_refused("3 = XOR(B)",
                "the equation of 3 reads B, which is neither an input nor computed before");
  check_refused("A = XOR(B)\nB = XOR(A)", "the equations form a cycle through A");
  check_refused("layout: 2 locations x 1 rows\n3 = XOR(1)",
                "element 3 is not one of the 2 cells of 2 locations of 1 row");
  check_refused("layout: 9999999 locations x 9999999 rows\n3 = XOR(1)",
                "9999999 locations of 9999999 rows with temporaries exceed 16777216 elements");
}

TEST_CASE("equations that are not those of the code are refused") {
  const Code code = make_code(kWorkedExample);
  std::string wrong = kPaperDirect;
  wrong.replace(wrong.find("XOR(2,3"), 7, "XOR(1,3");
  CHECK_THROWS_WITH_AS(read_equations(wrong, &code),
                       ("the equations are not those of " + code.name() +
                        ": output 15 is wrong: it and the code differ by data elements 1 and 2")
                           .c_str(),
                       Error);
  CHECK_THROWS_WITH_AS(read_equations("15 = XOR(2,3,4,5,7,9,11,12)", &code),
                       "output 16 has no equation", Error);
}

}  // namespace xorloom
