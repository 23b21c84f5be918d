// Losses whose direct equations are too many to be written. Kernels rebuild them from the rows of
// the map, so that what a code promises to survive can be rebuilt.

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/linear_map.hpp"
#include "equations/build/direct.hpp"
#include "runtime/engine/plan_options.hpp"
#include "runtime/plans/plan.hpp"
#include "runtime/plans/plan_explanation.hpp"
#include "tests/support/stripe.hpp"
#include "tests/support/thrown.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {
namespace {

struct Losses {
  const char* spec;
  std::vector<std::size_t> lost;
};

/// Losses that take more XORs than kMaxDirectXors.
const std::vector<Losses>& long_losses() {
  static const std::vector<Losses> all = {
      {"zigzag:k=4,r=3,w=16,arrangement=packet,packet_bytes=8", {0, 1, 2}},
      {"zigzag:k=4,r=4,arrangement=packet,packet_bytes=8", {0, 2, 3}},
  };
  return all;
}

TEST_CASE("Losses of too many XORs for equations are rebuilt, whatever executor is asked for") {
  for (const Losses& each : long_losses()) {
    const char* const spec = each.spec;
    const std::vector<std::size_t>& lost = each.lost;
    CAPTURE(spec);
    const Code code = make_code(spec);
    REQUIRE(direct_xors(code, decoding_map(code, lost)) > kMaxDirectXors);
    const std::size_t bytes = Codec(spec).chunk_multiple();
    const Stripe stripe(code.locations, bytes, 7);
    REQUIRE(Codec(spec).encode(stripe.chunks(), bytes) == Status::kOk);
    for (const Executor executor : {Executor::kAuto, Executor::kRanges, Executor::kGraph}) {
      const Codec codec(spec, {.threads = 2, .executor = executor});
      Stripe broken = stripe;
      for (const std::size_t location : lost) broken.lose(location);
      REQUIRE(codec.decode(broken.chunks(), lost, bytes) == Status::kOk);
      CHECK(broken == stripe);
      CHECK(broken.guards_intact());
    }
  }
}

TEST_CASE("Rows that are not written run on kernels, and machine code alone is refused") {
  const Losses& first = long_losses().front();
  const Code code = make_code(first.spec);
  const LinearMap map = decoding_map(code, first.lost);
  const PlanExplanation explanation = explanation_of(code, map, plan_options(Options{}));
  CHECK(explanation.why_kernels == "there are more than 262144 direct XORs");
  CHECK(explanation.direct_xors > kMaxDirectXors);
  PlanOptions code_alone = plan_options(Options{});
  code_alone.engine = Engine::kCode;
  const auto make = [&] { static_cast<void>(make_plan(code, map, code_alone)); };
  CHECK(test::thrown_by(make).says("there is no machine code"));
}

TEST_CASE("Losses of too many XORs for equations are refused with the way out, if written") {
  const Losses& first = long_losses().front();
  const Code code = make_code(first.spec);
  const LinearMap map = decoding_map(code, first.lost);
  const auto write = [&] { static_cast<void>(direct_program(code, map)); };
  const test::Thrown error = test::thrown_by(write);
  CHECK(error.says("rebuilding chunks 0, 1, 2 of zigzag"));
  CHECK(error.says("equations over symbols have no such bound"));
}

}  // namespace
}  // namespace xorloom
