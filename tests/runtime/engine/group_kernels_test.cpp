#include "runtime/engine/group_kernels.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "codes/families/families.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/oracle.hpp"
#include "equations/search/optimize.hpp"
#include "runtime/engine/accept.hpp"
#include "runtime/engine/executor.hpp"
#include "tests/runtime/engine/packet_scene.hpp"
#include "tests/support/chained_program.hpp"
#include "tests/support/stripe.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {
namespace {

TEST_CASE("Groups as kernels of their own compute what the oracle does, in any number") {
  Search fast;
  fast.effort = Effort::kFast;
  for (const Isa isa : isas_with_code()) {
    for (const char* spec : {"cauchy:k=5,m=2,w=3", "cauchy-good:k=10,m=4,w=8",
                             "cauchy-good:k=6,m=3,w=4,packet_bytes=32"}) {
      const Code code = make_code(spec);
      const Program direct = direct_encoding(code);
      for (const Program& program : {direct, chained(direct), optimize(direct, fast)}) {
        const auto computation = make_computation(code, program, isa);
        for (const std::size_t cores : {1U, 2U, 3U, 7U}) {
          CAPTURE(to_string(isa));
          CAPTURE(spec);
          CAPTURE(cores);
          TaskGraph tasks = group_for_cores(*computation, cores);
          add_kernels(tasks, code, program, isa, {});
          REQUIRE(tasks.kernels.size() == tasks.num_groups());
          accept_groups(code, encoding_map(code), *computation, tasks);
          for (const std::size_t multiples : {1U, 2U, 9U, 33U}) {
            Stripe stripe(code.locations, multiples * chunk_multiple(code), cores + multiples, 7);
            Stripe want = stripe;
            oracle(code, encoding_map(code), want.chunks(), want.chunk_bytes());
            const Execution execution{Executor::kGraph, 2};
            execute(*computation, tasks, execution, stripe.chunks(), stripe.chunk_bytes());
            CHECK(stripe == want);
            CHECK(stripe.guards_intact());
          }
        }
      }
    }
  }
}

TEST_CASE("A wrong kernel of a group is not accepted") {
  for (const Isa isa : isas_with_code()) {
    const Code code = make_code("cauchy:k=5,m=2,w=3");
    const Program program = direct_encoding(code);
    const auto computation = make_computation(code, program, isa);
    TaskGraph tasks = group_for_cores(*computation, 2);
    add_kernels(tasks, code, program, isa, {});
    REQUIRE(tasks.kernels.size() == 2);
    tasks.kernels[1] = tasks.kernels[0];
    CHECK_THROWS_AS(accept_groups(code, encoding_map(code), *computation, tasks), Error);
  }
}

TEST_CASE("Groups have no kernels where packets are wide or there is no machine code") {
  const Code code = make_code("cauchy:k=5,m=2,w=3,packet_bytes=128");
  const Program program = direct_encoding(code);
  for (const Isa isa : machine_isas()) {
    const auto computation = make_computation(code, program, isa);
    TaskGraph tasks = group_for_cores(*computation, 2);
    add_kernels(tasks, code, program, isa, {});
    CHECK(tasks.kernels.empty());
  }
}

}  // namespace
}  // namespace xorloom
