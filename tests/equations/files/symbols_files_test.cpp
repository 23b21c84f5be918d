// Text and JSON of programs over symbols.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/files/equation_file.hpp"
#include "equations/ir/cost.hpp"
#include "equations/search/optimize.hpp"

namespace xorloom {
namespace {

EquationFile small_file() {
  const Code code = make_code("rs:k=3,m=2");
  return proved_equations(code, direct_encoding(code, {}, Over::kSymbols), "direct");
}

void check_refused(std::string text, const std::string& from, const std::string& to,
                   const std::string& sentence) {
  REQUIRE(text.find(from) != std::string::npos);
  text.replace(text.find(from), from.size(), to);
  CAPTURE(text);
  CHECK_THROWS_WITH_AS(read_equations(text), sentence.c_str(), Error);
}

}  // namespace

TEST_CASE("Programs over symbols are written and read back the same, in both forms") {
  const std::vector<std::size_t> changed{1};
  for (const char* spec : {"rs:k=4,m=2", "rs:k=3,m=2,w=16", "rs:k=3,m=2,w=32", "clay:k=4,m=2",
                           "leopard:k=4,m=2", "isa-cauchy:k=5,m=3", "cauchy-good:k=4,m=2,w=4"}) {
    CAPTURE(spec);
    const Code code = make_code(spec);
    for (const Program& program : {direct_encoding(code, {}, Over::kSymbols),
                                   optimize(direct_encoding(code, {}, Over::kSymbols)),
                                   direct_decoding(code, changed, {}, {}, Over::kSymbols),
                                   direct_update(code, changed, {}, Over::kSymbols)}) {
      const EquationFile file = proved_equations(code, program, "iterative");
      CHECK(read_equations(write_text(file)) == file);
      CHECK(read_equations(write_json(file)) == file);
    }
  }
}

TEST_CASE("Text over symbols has the field, coefficients and multiplications") {
  CHECK(write_text(small_file()) ==
        "code:    rs:k=3,m=2,w=8,poly=0x11d,arrangement=word\n"
        "style:   direct\n"
        "field:   w=8,poly=0x11d\n"
        "layout:  5 locations x 1 rows\n"
        "inputs:  0-2\n"
        "outputs: 3-4\n"
        "\n"
        "eq. 1: 3 = SUM(0,1,2)\n"
        "eq. 2: 4 = SUM(0,0xf5*1,0xf4*2)\n"
        "\n"
        "# cost: 4 XORs, 2 multiplications, longest equation 2, 0 temporaries\n"
        "# longest path 2, critical path 2\n"
        "# proof: symbolic, each output holds as a sum of inputs\n");
}

TEST_CASE("JSON over symbols is version 2, with the field and terms") {
  const std::string json = write_json(small_file());
  for (const char* part :
       {R"("version": 2)", R"("field": {"w":8,"poly":"0x11d"})",
        R"({"target":4,"sum":[[1,0],[245,1],[244,2]]})", R"("multiplications":2)"}) {
    CAPTURE(part);
    CHECK(json.find(part) != std::string::npos);
  }
  const Code bits = make_code("cauchy:k=2,m=2,w=2");
  CHECK(
      write_json(proved_equations(bits, direct_encoding(bits), "direct")).find("\"version\": 1,") !=
      std::string::npos);
}

TEST_CASE("Bare sums take their field and layout from the code") {
  const Code code = make_code("rs:k=3,m=2");
  const EquationFile file = read_equations("3 = SUM(0,1,2)\n4 = SUM(0, 0xf5*1, 0xf4*2)\n", &code);
  CHECK(file.proved);
  CHECK(file.program == small_file().program);
  CHECK_THROWS_WITH_AS(read_equations("2 = SUM(0,0x2*1)"),
                       "SUM adds symbols: a line 'field:' or a code has to say of which field",
                       Error);
  const EquationFile own = read_equations("field: w=4,poly=0x13\n2 = SUM(0,0x9*1)");
  CHECK_FALSE(own.proved);
  CHECK(own.program.field == Field(4));
  CHECK(multiplications(own.program) == 1);
}

TEST_CASE("Damaged programs over symbols are refused, with the place") {
  const std::string text = write_text(small_file());
  check_refused(text, "0xf4*2", "0x4*2",
                "the equations are not those of rs:k=3,m=2,w=8: output 4 is wrong: it and the code "
                "differ by data cell 2");
  check_refused(text, "0xf4*2", "0x100*2",
                "the coefficient 0x100 of 2 in the equation of 4 is not one of 0x1 to 0xff");
  check_refused(text, "0xf4*2", "0x0*2",
                "the coefficient 0x0 of 2 in the equation of 4 is not one of 0x1 to 0xff");
  check_refused(text, "0xf4*2", "0x100000000*2", "line 9: coefficient 0x100000000 exceeds 32 bits");
  check_refused(text, "0xf4*2", "0xx*2",
                "line 9: coefficient '0xx*2)' is not a hexadecimal number");
  check_refused(text, "w=8,poly=0x11d\nlayout", "w=8,poly=0x11b\nlayout",
                "the equations are not those of rs:k=3,m=2,w=8: the program is over GF(2^8) of "
                "polynomial 0x11b, the code over GF(2^8) of polynomial 0x11d");
  const std::string json = write_json(small_file());
  check_refused(json, "[245,1]", "[256,1]", "coefficient = 256 exceeds 255");
  check_refused(json, "[245,1]", "[0,1]",
                "the coefficient 0x0 of 1 in the equation of 4 is not one of 0x1 to 0xff");
  check_refused(json, "[245,1]", "[245]", "a term of equation 1 is not [coefficient,element]");
  check_refused(json, "\"version\": 2", "\"version\": 3",
                "version 3 is not one of 1 to 2, those this program reads");
  check_refused(json, R"("poly":"0x11d"},)", R"("poly":"11d"},)",
                "poly is '11d', not hexadecimal as in \"0x11d\"");
}

TEST_CASE("The basis of a field is written, and a program in another one is refused") {
  const Code code = make_code("leopard:k=3,m=2");
  const EquationFile file =
      proved_equations(code, direct_encoding(code, {}, Over::kSymbols), "direct");
  const std::string text = write_text(file);
  const std::string basis = ",basis=0x1+0xd6+0x98+0x92+0x56+0xc8+0x58+0xe6";
  CHECK(text.find("field:   w=8,poly=0x11d" + basis + "\n") != std::string::npos);
  CHECK(write_json(file).find(R"("basis":[1,214,152,146,86,200,88,230])") != std::string::npos);
  check_refused(text, basis, "",
                "the equations are not those of leopard:k=3,m=2,w=8: the program is over GF(2^8) "
                "of polynomial 0x11d, the code over GF(2^8) of polynomial 0x11d in the basis 0x1, "
                "0xd6, 0x98, 0x92, 0x56, 0xc8, 0x58, 0xe6");
  check_refused(text, "+0xe6", "",
                "7 elements are no basis of GF(2^8): a basis has w = 8 independent elements below "
                "2^w, and here the first is 1");
  check_refused(text, "+0xe6", "+0x1e6", "line 3: basis element 0x1e6 is not below 2^w = 0x100");
}

}  // namespace xorloom
