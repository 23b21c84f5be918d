// A program of its own: the first thing TBB meets in it is a lack of memory.

#include <doctest/doctest.h>

#include "codes/families/families.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/oracle.hpp"
#include "runtime/engine/executor.hpp"
#include "runtime/engine/plan_options.hpp"
#include "runtime/engine/program_code.hpp"
#include "tests/runtime/engine/graph_scene.hpp"
#include "tests/runtime/face/allocations.hpp"
#include "tests/support/stripe.hpp"

namespace xorloom {
namespace {

TEST_CASE("if TBB cannot start for lack of memory, every run is the calling thread's") {
  const Code code = make_code("cauchy:k=5,m=2,w=3");
  const auto computation = make_computation(code, direct_encoding(code), {.isa = Isa::kPortable});
  SpareRuns runs(graph_of(code, dealt_out(direct_encoding(code), 3), Isa::kPortable));
  const std::size_t chunk_bytes = 40 * chunk_multiple(code);
  const Stripe given(code.locations, chunk_bytes, 3);
  Stripe expected = given;
  oracle(code, encoding_map(code), expected.chunks(), chunk_bytes);
  for (const auto kind : {Executor::kGraph, Executor::kPlan, Executor::kRanges}) {
    for (const std::size_t granted : {0U, 1U, 1000U}) {
      Stripe stripe = given;
      {
        const AllocationLimit limit(granted);
        execute(*computation, &runs, {kind, 2}, stripe.chunks(), chunk_bytes);
      }
      CHECK(stripe == expected);
      CHECK(stripe.guards_intact());
    }
  }
}

}  // namespace
}  // namespace xorloom
