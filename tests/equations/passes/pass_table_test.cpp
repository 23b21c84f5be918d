#include "equations/passes/pass_table.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/linear_map.hpp"
#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"
#include "tests/support/matrices.hpp"

namespace xorloom {
namespace {

std::vector<Pass> all_passes() {
  std::vector<Pass> passes(forms().begin(), forms().end());
  passes.insert(passes.end(), finishing_passes().begin(), finishing_passes().end());
  return passes;
}

/// Small programs, since every pass goes over each.
std::vector<Program> programs() {
  std::vector<Program> result;
  for (const Family* family : families()) {
    if (family->name == "file") continue;  // the code depends on the file
    const Code code = make_code(family->example);
    const LinearMap map = encoding_map(code);
    if (direct_xors(code, map) < 3000) result.push_back(direct_program(code, map));
  }
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    result.push_back(direct_program(test::random_matrix(20, 12, seed)));
  }
  return result;
}

}  // namespace

TEST_CASE("Every pass is proved on the examples of all families, and says why it stands there") {
  for (const Program& program : programs()) {
    const BitMatrix matrix = evaluate_symbolically(program);
    for (const Pass& pass : all_passes()) {
      CAPTURE(pass.name);
      CHECK_FALSE(pass.why.empty());
      const Program result = proved_pass(pass, program, matrix);
      CHECK(result.inputs == program.inputs);
      CHECK(result.outputs == program.outputs);
    }
  }
}

TEST_CASE("Every pass over symbols is proved on the examples of all families") {
  for (const Family* family : families()) {
    if (family->name == "file") continue;  // the code depends on the file
    const Code code = make_code(family->example);
    const Program program = direct_encoding(code, {}, Over::kSymbols);
    const Matrix matrix = coefficients_of(program);
    for (const Pass& pass : symbol_passes()) {
      CAPTURE(code.spec);
      CAPTURE(pass.name);
      CHECK_FALSE(pass.why.empty());
      const Program result = proved_pass(pass, program, matrix);
      CHECK(result.inputs == program.inputs);
      CHECK(result.outputs == program.outputs);
      CHECK(xors(result) <= xors(program));
      CHECK(multiplications(result) <= multiplications(program));
    }
  }
}

TEST_CASE("A pass that changes what is computed is named") {
  const Program program = direct_program(test::random_matrix(4, 6, 1));
  const Pass wrong{"forget_an_operand",
                   [](const Program& from) {
                     Program result = from;
                     result.equations.front().operands.pop_back();
                     return result;
                   },
                   "never"};
  try {
    static_cast<void>(proved_pass(wrong, program, evaluate_symbolically(program)));
    FAIL("it was proved");
  } catch (const Error& error) {
    CHECK(error.kind() == Status::kInternal);
    CHECK(std::string(error.what()).find("the pass forget_an_operand is wrong") == 0);
  }
}

}  // namespace xorloom
