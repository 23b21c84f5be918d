#include <doctest/doctest.h>

#include <cctype>
#include <string>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "gen/verilog/engine.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/worked_example.hpp"

namespace xorloom {
namespace {

bool is_refused(const EngineStages& engine, const EngineForm& form, const std::string& body) {
  return test::refusal(Status::kInternal, [&] { check_engine_body(engine, form, body); }) != "";
}

/// The inside of the only engine of a design.
std::string body_of(const std::string& design) {
  const std::size_t begin = design.find("  localparam LATENCY");
  return design.substr(begin, design.find("endmodule") - begin);
}

}  // namespace

TEST_CASE("Each other digit in what was written of an engine is found out") {
  for (const char* const spec : {kWorkedExample, "rs:k=3,m=2,w=4"}) {
    const Code code = make_code(spec);
    const Program program = direct_encoding(code);
    for (const std::size_t ranks : {0U, 2U}) {
      for (const std::size_t gate_inputs : {0U, 4U}) {
        CAPTURE(spec);
        CAPTURE(ranks);
        CAPTURE(gate_inputs);
        const EngineRequest request{.code = code,
                                    .programs = {{"encode", program}},
                                    .ranks = ranks,
                                    .gate_inputs = gate_inputs,
                                    .name = "t"};
        const EngineStages engine = engine_of(program, ranks, gate_inputs);
        const bool on_words = code.arrangement == Arrangement::kWord;
        const EngineForm form{.symbol_bits = on_words ? code.field.w() : 1,
                              .gate = gate_inputs == 0 ? "" : "xl_t_xor"};
        const std::string body = body_of(write_engines(request).design);
        const std::size_t unused = body.find("wire unused");
        CHECK(!is_refused(engine, form, body));
        for (std::size_t at = 0; at < body.size(); ++at) {
          if (std::isdigit(body[at]) == 0) continue;
          if (at > unused && at < body.find(';', unused)) continue;
          std::string other = body;
          other[at] = body[at] == '0' ? '1' : '0';
          CAPTURE(body.substr(body.rfind('\n', at) + 1, 80));
          CHECK(is_refused(engine, form, other));
        }
        CHECK(is_refused(engine, form, body.substr(0, body.rfind("  assign"))));
      }
    }
  }
}

}  // namespace xorloom
