#include "gen/verilog/xor_engines.hpp"

#include <doctest/doctest.h>

#include <cctype>
#include <string>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/worked_example.hpp"

namespace xorloom {
namespace {

bool is_refused(const XorEngines& engines, const std::string& body) {
  return test::refusal(Status::kInternal, [&] { check_xor_engines_body(engines, body); }) != "";
}

}  // namespace

TEST_CASE("The worked example has an engine for each of its six equations") {
  const XorEngines engines = xor_engines("t", direct_encoding(make_code(kWorkedExample)));
  CHECK(engines.equations.size() == 6);
  CHECK(num_gates(engines) == 0);
  const std::string body = write_xor_engines_body(engines);
  // Element 2 is in equations 15, 16, 18, 19 and 20 of the paper.
  CHECK(body.find("takes[2] = 6'b111011;") != std::string::npos);
  CHECK(body.find("  wire [LANES-1:0] e15 = sums[0*LANES +: LANES];\n") != std::string::npos);
}

TEST_CASE("The paper's iterative equations share sums: two of fourteen read no element at all") {
  const XorEngines engines = xor_engines("t", paper_iterative());
  CHECK(engines.equations.size() == 12);
  CHECK(num_gates(engines) == 14);
  CHECK(write_xor_engines_body(engines).find("e15 = B ^ C ^ D;") != std::string::npos);
}

TEST_CASE("Each other bit or operand in what was written is found out") {
  for (const Program& program : {direct_encoding(make_code(kWorkedExample)), paper_iterative()}) {
    const XorEngines engines = xor_engines("t", program);
    const std::string body = write_xor_engines_body(engines);
    for (std::size_t at = 0; at + 1 < body.size(); ++at) {
      const bool is_name = std::isupper(body[at]) != 0 && body[at - 1] == ' ' &&
                           (body[at + 1] == ' ' || body[at + 1] == ';');
      if (std::isdigit(body[at]) == 0 && !is_name) continue;
      std::string other = body;
      if (is_name) {
        other[at] = body[at] == 'A' ? 'B' : 'A';
      } else {
        other[at] = body[at] == '0' ? '1' : '0';
      }
      CAPTURE(body.substr(body.rfind('\n', at) + 1, at - body.rfind('\n', at) + 20));
      CHECK(is_refused(engines, other));
    }
    CHECK(is_refused(engines, body + "  wire [LANES-1:0] Z = A;\n"));
    CHECK(is_refused(engines, body.substr(0, body.rfind("  always"))));
  }
}

TEST_CASE("Updates and equations over symbols are no XOR engines") {
  const Code code = make_code("rs:k=3,m=2");
  CHECK_THROWS_AS(xor_engines("t", direct_update(code, std::vector<std::size_t>{0})), Error);
  CHECK_THROWS_AS(xor_engines("t", direct_encoding(code, {}, Over::kSymbols)), Error);
}

}  // namespace xorloom
