#include "runtime/engine/executor.hpp"

#include <doctest/doctest.h>
#include <pthread.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/oracle.hpp"
#include "runtime/engine/plan_options.hpp"
#include "runtime/engine/program_code.hpp"
#include "tests/runtime/engine/graph_scene.hpp"
#include "tests/runtime/engine/graph_trial.hpp"
#include "tests/runtime/face/allocations.hpp"
#include "tests/support/chained_program.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/support/stripe.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {
namespace {

constexpr std::array kExecutors = {Executor::kRanges, Executor::kGraph, Executor::kPlan,
                                   Executor::kAuto};

struct ExecutorCase {
  std::string name;
  Code code;
  Program program;
  std::unique_ptr<const Computation> computation;
};

/// Packets and words, direct and with temporaries, on an instruction set.
std::vector<ExecutorCase> cases(Isa isa) {
  std::vector<ExecutorCase> result;
  const auto add = [&](const char* form, const Code& code, const Program& program) {
    result.push_back(
        {code.spec + ", " + form, code, program, make_computation(code, program, {.isa = isa})});
  };
  for (const char* spec : {"cauchy:k=5,m=2,w=3", "cauchy-good:k=4,m=3,w=4,packet_bytes=24",
                           "cauchy:k=3,m=2,w=3,packet_bytes=1000"}) {
    const Code code = make_code(spec);
    const Program direct = direct_encoding(code);
    add("direct", code, direct);
    add("chained", code, chained(direct));
  }
  for (const char* spec : {"rs:k=4,m=3,w=4", "rs:k=4,m=3,w=8", "rs:k=3,m=2,w=32"}) {
    const Code code = make_code(spec);
    add("rows", code, direct_symbols(code, encoding_map(code)));
  }
  return result;
}

Stripe encoded_by_oracle(const Code& code, const Stripe& stripe) {
  Stripe result = stripe;
  oracle(code, encoding_map(code), result.chunks(), result.chunk_bytes());
  return result;
}

TEST_CASE("every executor computes what the oracle does, on any number of threads and groups") {
  const std::vector<std::size_t> numbers{0, 1, 2, 5};
  std::size_t turn = 0;
  for (const Isa isa : machine_isas()) {
    for (const ExecutorCase& c : cases(isa)) {
      std::deque<SpareRuns> graphs;
      for (const std::size_t cores : {1U, 3U, 100U}) {
        graphs.emplace_back(graph_of(c.code, dealt_out(c.program, cores), isa));
      }
      for (const std::size_t multiples : {0U, 1U, 2U, 17U, 70U}) {
        const std::size_t chunk_bytes = multiples * chunk_multiple(c.code);
        const Stripe given(c.code.locations, chunk_bytes, 7 + multiples, multiples % 2 * 13);
        const Stripe expected = encoded_by_oracle(c.code, given);
        ++turn;  // so that each executor gets another number of threads
        for (const auto kind : kExecutors) {
          for (const std::size_t threads : test::one_by_turns(numbers, turn++)) {
            for (SpareRuns& runs : graphs) {
              Stripe stripe = given;
              const std::chrono::microseconds awake(multiples % 3 * 20);
              prepare({kind, threads, awake});
              execute(*c.computation, &runs, {kind, threads, awake}, stripe.chunks(), chunk_bytes);
              CAPTURE(c.name);
              CAPTURE(to_string(isa));
              CAPTURE(to_string(kind));
              CAPTURE(threads);
              CAPTURE(runs.graph().cores().size());
              CAPTURE(multiples);
              REQUIRE(stripe == expected);
              REQUIRE(stripe.guards_intact());
            }
          }
        }
      }
    }
  }
}

TEST_CASE("a large stripe goes through many blocks of the graph") {
  const Code code = make_code("cauchy:k=3,m=2,w=3");
  const Program program = chained(direct_encoding(code));
  const auto computation = make_computation(code, program, {.isa = machine_isas().back()});
  SpareRuns runs(graph_of(code, dealt_out(program, 3), machine_isas().back()));
  const std::size_t chunk_bytes = 2000 * chunk_multiple(code);
  const Stripe given(code.locations, chunk_bytes, 11, 5);
  const Stripe expected = encoded_by_oracle(code, given);
  for (const auto kind : kExecutors) {
    CAPTURE(to_string(kind));
    Stripe stripe = given;
    execute(*computation, &runs, {kind, 2}, stripe.chunks(), chunk_bytes);
    CHECK(stripe == expected);
    CHECK(stripe.guards_intact());
  }
}

TEST_CASE("where memory runs out the calling thread computes all of it") {
  const Code code = make_code("cauchy:k=5,m=2,w=3");
  const Program program = chained(direct_encoding(code));
  const auto computation = make_computation(code, program, {.isa = Isa::kPortable});
  const std::size_t chunk_bytes = 40 * chunk_multiple(code);
  const Stripe given(code.locations, chunk_bytes, 3);
  const Stripe expected = encoded_by_oracle(code, given);
  prepare({Executor::kGraph, 2});
  bool was_refused = true;
  for (std::size_t granted = 0; was_refused && granted < 10'000; ++granted) {
    CAPTURE(granted);
    Stripe stripe = given;
    SpareRuns runs(graph_of(code, dealt_out(program, 3), Isa::kPortable));
    {
      const AllocationLimit limit(granted);
      execute(*computation, &runs, {Executor::kGraph, 2}, stripe.chunks(), chunk_bytes);
      was_refused = limit.was_reached();
    }
    REQUIRE(stripe == expected);
  }
  CHECK(!was_refused);
}

TEST_CASE("on one thread every executor allocates nothing") {
  const Code code = make_code("cauchy:k=5,m=2,w=3");
  const Program program = chained(direct_encoding(code));
  const auto computation = make_computation(code, program, {.isa = machine_isas().back()});
  SpareRuns runs(graph_of(code, dealt_out(program, 3), machine_isas().back()));
  const std::size_t chunk_bytes = 40 * chunk_multiple(code);
  const Stripe stripe(code.locations, chunk_bytes, 3);
  for (const auto kind : kExecutors) {
    const AllocationCount count;
    execute(*computation, &runs, {kind, 1}, stripe.chunks(), chunk_bytes);
    CHECK(count.so_far() == 0);
  }
}

#ifndef XORLOOM_ADDRESS_SANITIZER  // whose frames are larger and whose stack is its own
/// Bytes of stack that work takes on a thread of its own, the thread's own few KiB included.
std::size_t stack_bytes(const std::function<void()>& work) {
  constexpr std::uint8_t kUntouched = 0xa7;
  std::vector<std::uint8_t> stack((std::size_t{1} << 20) + 4096, kUntouched);
  const auto misaligned = reinterpret_cast<std::uintptr_t>(stack.data()) % 4096;
  std::uint8_t* const begin = stack.data() + (4096 - misaligned);
  pthread_attr_t attributes;
  REQUIRE(pthread_attr_init(&attributes) == 0);
  REQUIRE(pthread_attr_setstack(&attributes, begin, std::size_t{1} << 20) == 0);
  const auto start = [](void* argument) -> void* {
    (*static_cast<const std::function<void()>*>(argument))();
    return nullptr;
  };
  pthread_t thread;
  REQUIRE(pthread_create(&thread, &attributes, start,
                         const_cast<void*>(static_cast<const void*>(&work))) == 0);
  REQUIRE(pthread_join(thread, nullptr) == 0);
  REQUIRE(pthread_attr_destroy(&attributes) == 0);
  const std::uint8_t* const end = begin + (std::size_t{1} << 20);
  const auto* const touched = std::find_if(static_cast<const std::uint8_t*>(begin), end,
                                           [](std::uint8_t byte) { return byte != kUntouched; });
  return static_cast<std::size_t>(end - touched);
}

TEST_CASE("on one thread a run takes at most 32 KiB of stack") {
  for (const char* spec : {"cauchy-good:k=10,m=4,w=8,packet_bytes=4096", "cauchy:k=9,m=7,w=8",
                           "rs:k=40,m=20,w=8", "rs:k=20,m=6,w=32"}) {
    const Code code = make_code(spec);
    const Program program = encoding_program(code);
    const std::size_t chunk_bytes = 100 * chunk_multiple(code);
    const Stripe stripe(code.locations, chunk_bytes, 3);
    for (const Isa isa : machine_isas()) {
      const auto computation = make_computation(code, program, {.isa = isa});
      CAPTURE(code.spec);
      CAPTURE(to_string(isa));
      CHECK(stack_bytes([&] {
              execute(*computation, nullptr, {Executor::kAuto, 1}, stripe.chunks(), chunk_bytes);
            }) <= 32 * 1024);
    }
  }
}
#endif

}  // namespace
}  // namespace xorloom
