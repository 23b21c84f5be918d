// State that threads share, tested with std::thread alone: this program does not link TBB, since a
// thread sanitizer cannot see into its packaged build.

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "codes/families/families.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/oracle.hpp"
#include "runtime/engine/graph_run.hpp"
#include "runtime/engine/plan_options.hpp"
#include "runtime/engine/program_code.hpp"
#include "runtime/engine/range_run.hpp"
#include "runtime/kernels/isa.hpp"
#include "runtime/machine/thread_team.hpp"
#include "tests/runtime/engine/graph_scene.hpp"
#include "tests/support/chained_program.hpp"
#include "tests/support/stripe.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kThreads = 4;

void on_threads(std::size_t count, const auto& work) {
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < count; ++i) threads.emplace_back([&work, i] { work(i); });
  for (std::thread& thread : threads) thread.join();
}

struct Case {
  std::string name;
  Code code;
  Program program;
  std::unique_ptr<const Computation> computation;
};

std::vector<Case> cases(Isa isa) {
  std::vector<Case> result;
  const Code packets = make_code("cauchy:k=5,m=2,w=3");
  const Program direct = direct_encoding(packets);
  const auto add = [&](const char* name, const Code& code, const Program& program) {
    result.push_back({name, code, program, make_computation(code, program, {.isa = isa})});
  };
  add("direct equations", packets, direct);
  add("chained equations", packets, chained(direct));
  for (const char* spec : {"rs:k=4,m=2,w=4", "rs:k=4,m=2,w=16", "isa-cauchy:k=4,m=3"}) {
    const Code words = make_code(spec);
    add(spec, words, direct_symbols(words, encoding_map(words)));
  }
  return result;
}

struct Stripes {
  Stripe stripe;
  Stripe expected;
};

/// A stripe of about `columns` columns, and the stripe that the oracle makes of it.
Stripes stripes_of(const Code& code, std::size_t columns, std::uint64_t seed) {
  const std::size_t multiple = chunk_multiple(code);
  const bool is_packet = code.arrangement == Arrangement::kPacket;
  const std::size_t bytes = is_packet ? columns / code.packet_bytes * multiple : columns * multiple;
  Stripes result{Stripe(code.locations, bytes, seed, 5), Stripe(code.locations, bytes, seed, 5)};
  oracle(code, encoding_map(code), result.expected.chunks(), bytes);
  return result;
}

TEST_CASE("threads take the pieces of one stripe") {
  for (const Isa isa : machine_isas()) {
    for (const Case& c : cases(isa)) {
      for (const std::size_t cost_ahead : {0U, 10'000U}) {
        CAPTURE(c.name);
        const Stripes s = stripes_of(c.code, 2000, 1);
        RangeRun run(*c.computation, s.stripe.chunks(), s.stripe.chunk_bytes(), kThreads,
                     cost_ahead, Stores::kOrdinary);
        on_threads(kThreads, [&](std::size_t i) { run.help(i); });
        CHECK(s.stripe == s.expected);
        CHECK(s.stripe.guards_intact());
      }
    }
  }
}

TEST_CASE("threads run the groups of a dependency graph over block after block") {
  for (const Isa isa : machine_isas()) {
    for (const Case& c : cases(isa)) {
      for (const std::size_t cores : {2U, 3U, 100U}) {
        CAPTURE(c.name);
        CAPTURE(cores);
        const TaskGraph graph = graph_of(c.code, dealt_out(c.program, cores), isa);
        GraphRun run(graph);
        for (int round = 0; round < 3; ++round) {
          const Stripes s = stripes_of(c.code, 2000, 2);
          run.begin(s.stripe.chunks(), s.stripe.chunk_bytes(), 64, 1, Stores::kOrdinary);
          on_threads(kThreads, [&](std::size_t i) { run.help(i); });
          CHECK(s.stripe == s.expected);
          CHECK(s.stripe.guards_intact());
        }
      }
    }
  }
}

TEST_CASE("threads share the blocks of a dependency graph, each with all groups of a block") {
  for (const Isa isa : machine_isas()) {
    for (const Case& c : cases(isa)) {
      for (const std::size_t groups : {2U, 3U}) {
        CAPTURE(c.name);
        CAPTURE(groups);
        const TaskGraph graph = graph_of(c.code, dealt_out(c.program, groups), isa);
        BlockRun run(graph);
        for (const std::size_t shares : {2U, 4U, 7U}) {
          const Stripes s = stripes_of(c.code, 2000, 2);
          run.begin(s.stripe.chunks(), s.stripe.chunk_bytes(), 64, shares, Stores::kNear);
          on_threads(kThreads, [&](std::size_t i) { run.help(i); });
          CHECK(s.stripe == s.expected);
          CHECK(s.stripe.guards_intact());
        }
      }
    }
  }
}

TEST_CASE("a team of threads runs one job after the other, awake, asleep and outnumbered") {
  for (const int awake : {0, 50, 1000}) {
    ThreadTeam team;
    team.grow(kThreads);
    for (std::size_t call = 0; call < 300; ++call) {
      std::vector<std::size_t> sums(kThreads);
      std::atomic<std::size_t> next{0};
      REQUIRE(team.run(kThreads, std::chrono::microseconds(awake), [&](std::size_t i) noexcept {
        for (std::size_t n = next++; n < 1000; n = next++) sums[i] += n;
      }));
      std::size_t sum = 0;
      for (const std::size_t s : sums) sum += s;
      REQUIRE(sum == 1000 * 999 / 2);
    }
  }
}

TEST_CASE("threads run one computation on stripes of their own") {
  for (const Case& c : cases(machine_isas().back())) {
    CAPTURE(c.name);
    std::vector<int> is_good(kThreads);
    on_threads(kThreads, [&](std::size_t i) {
      const Stripes s = stripes_of(c.code, 640, i);
      const std::size_t bytes = s.stripe.chunk_bytes();
      for (int round = 0; round < 3; ++round) {
        c.computation->run(s.stripe.chunks(), bytes, 0, c.computation->columns(bytes));
      }
      is_good[i] = s.stripe == s.expected ? 1 : 0;
    });
    CHECK(is_good == std::vector<int>(kThreads, 1));
  }
}

TEST_CASE("threads make codes, decode plans and choices of an instruction set at once") {
  std::vector<int> is_good(kThreads);
  on_threads(kThreads, [&](std::size_t i) {
    const Code code = make_code(i % 2 == 0 ? "cauchy-good:k=4,m=2,w=4" : "rs:k=4,m=2,w=8");
    const Isa isa = choose_isa();
    const Stripes s = stripes_of(code, 640, i);
    const std::size_t bytes = s.stripe.chunk_bytes();
    Stripe stripe = s.expected;
    const std::vector<std::size_t> lost = {i % code.locations, 5};
    for (const std::size_t location : lost) stripe.lose(location);
    const Program program = code.arrangement == Arrangement::kWord
                                ? direct_symbols(code, decoding_map(code, lost))
                                : direct_decoding(code, lost);
    const auto computation = make_computation(code, program, {.isa = isa});
    computation->run(stripe.chunks(), bytes, 0, computation->columns(bytes));
    is_good[i] = stripe == s.expected ? 1 : 0;
  });
  CHECK(is_good == std::vector<int>(kThreads, 1));
}

}  // namespace
}  // namespace xorloom
