// The executor `plan` against the oracle: every family's example on 1 to 8 threads, which are more
// than the processors of most machines that test this, and a plan of two-input XORs from a file.

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/linear_map.hpp"
#include "equations/build/direct.hpp"
#include "equations/cores/list_schedule.hpp"
#include "equations/files/equation_file.hpp"
#include "equations/ir/oracle.hpp"
#include "runtime/kernels/isa.hpp"
#include "runtime/machine/threads.hpp"
#include "runtime/plans/codec_access.hpp"
#include "runtime/plans/plan.hpp"
#include "tests/runtime/engine/stopped_threads.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/support/stripe.hpp"
#include "tests/support/subsets.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {
namespace {

constexpr const char* kWorkedExample = "cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0";

Options on_plan(int threads, int awake_microseconds, Isa isa) {
  Options options;
  options.threads = threads;
  options.isa = isa;
  options.executor = Executor::kPlan;
  options.awake_microseconds = awake_microseconds;
  return options;
}

Stripe encoded(const Code& code, std::size_t chunk_bytes) {
  const Stripe stripe(code.locations, chunk_bytes, 20, 9);
  oracle(code, encoding_map(code), stripe.chunks(), chunk_bytes);
  return stripe;
}

void check_encoding(const Codec& codec, const Stripe& expected, const std::vector<Cell>& redundant,
                    const Code& code) {
  Stripe stripe = expected;
  for (const Cell cell : redundant) {
    const std::size_t location = code.location_of_cell(cell);
    const bool has_data = std::ranges::any_of(
        code.data, [&](Cell data) { return code.location_of_cell(data) == location; });
    if (!has_data) stripe.lose(location);
  }
  REQUIRE(codec.encode(stripe.chunks(), stripe.chunk_bytes()) == Status::kOk);
  REQUIRE(stripe == expected);
  REQUIRE(stripe.guards_intact());
}

void check_decoding(const Codec& codec, const Stripe& expected,
                    const std::vector<std::size_t>& lost) {
  Stripe stripe = expected;
  for (const std::size_t location : lost) stripe.lose(location);
  REQUIRE(codec.decode(stripe.chunks(), lost, stripe.chunk_bytes()) == Status::kOk);
  REQUIRE(stripe == expected);
  REQUIRE(stripe.guards_intact());
}

/// The equations that the paper of the worked example prints, as a plan for six cores.
GivenProgram published(const Code& code) {
  EquationFile file = read_equations(
      "15 = XOR(B,C,D)\n16 = XOR(D,E,F)\n17 = XOR(3,4,8,E,H)\n18 = XOR(2,4,6,7,C,F)\n"
      "19 = XOR(0,2,9,11,B,H)\n20 = XOR(5,7,10,12,A,G)\nA = XOR(2,3)\nB = XOR(4,5)\n"
      "C = XOR(11,12)\nD = XOR(7,9,A)\nE = XOR(10,11)\nF = XOR(0,8,13)\nG = XOR(1,6)\n"
      "H = XOR(14,G)\n",
      &code);
  CoreSchedule plan = schedule_on_cores(file.program, 6);
  return {std::move(file.program), std::move(plan), {}};
}

TEST_CASE("a thread that stops between two blocks of a call holds up neither it nor later ones") {
  if (usable_threads(2) < 2) return;  // there is none
  const Code code = make_code(kWorkedExample);
  const Stripe expected = encoded(code, 200 * chunk_multiple(code));
  const std::thread::id caller = std::this_thread::get_id();
  StoppedThreads stopped(
      [&](std::size_t, std::uint32_t, bool) { return std::this_thread::get_id() != caller; });
  for (std::size_t calls = 0, after = 0; calls < 10'000 && after < 20; ++calls) {
    const Codec codec(kWorkedExample, on_plan(3, 0, choose_isa()));
    const auto stripe = std::make_unique<Stripe>(expected);
    for (const std::size_t location : {5U, 6U}) stripe->lose(location);
    REQUIRE(codec.encode(stripe->chunks(), stripe->chunk_bytes()) == Status::kOk);
    REQUIRE(*stripe == expected);
    if (stopped.count() != 0) ++after;
  }
  CHECK(stopped.count() != 0);  // the codecs and stripes are gone
  stopped.let_go();
}

}  // namespace

TEST_CASE("a plan on 1 to 8 threads gives the oracle's bytes for every family's example") {
  for (const Family* family : families()) {
    if (std::string_view(family->name) == "file") continue;  // its example is a file of the user's
    const Code code = make_code(family->example);
    const std::size_t multiple = chunk_multiple(code);
    const Stripe expected = encoded(code, multiple * (multiple >= 64 ? 9 : 600 / multiple + 1));
    const std::vector<Isa> isas = machine_isas();
    const auto losses = test::subsets(code.locations, 1);
    for (int threads = 1; threads <= 8; ++threads) {
      const Isa isa = isas[static_cast<std::size_t>(threads) % isas.size()];
      CAPTURE(family->example);
      CAPTURE(threads);
      CAPTURE(to_string(isa));
      const Codec codec(family->example, on_plan(threads, threads % 2 * 50, isa));
      check_encoding(codec, expected, code.redundant, code);
      const auto& lost = losses[static_cast<std::size_t>(threads) % losses.size()];
      if (!lost.empty() && is_recoverable(code, lost)) check_decoding(codec, expected, lost);
    }
  }
}

TEST_CASE("the published equations run on six threads, and all losses come back") {
  const Code code = make_code(kWorkedExample);
  const Stripe expected = encoded(code, 33 * chunk_multiple(code));
  for (const Isa isa : machine_isas()) {
    for (const int threads : {1, 2, 6, 8}) {
      CAPTURE(to_string(isa));
      CAPTURE(threads);
      const Codec codec = CodecAccess::codec_of(code, on_plan(threads, 50, isa), published(code));
      check_encoding(codec, expected, code.redundant, code);
      for (const auto& lost : test::subsets(code.locations, 2)) {
        if (!lost.empty()) check_decoding(codec, expected, lost);
      }
    }
  }
}

TEST_CASE("given equations that rebuild are what decodes, whether or not the lost are all named") {
  const Code code = make_code(kWorkedExample);
  const std::vector<std::size_t> lost = {0, 1};
  Options options;
  options.threads = 1;
  const Codec codec =
      CodecAccess::codec_of(code, options, GivenProgram{direct_decoding(code, lost), {}, lost});
  const auto operations = [&](const Plan& plan) {
    return PlanAccess::impl_of(plan).computation->counts().operations;
  };
  const std::size_t given = operations(codec.decoding(lost, lost));
  CHECK(operations(codec.decoding(lost)) == given);
  CHECK_THROWS_WITH_AS(codec.decoding(lost, std::vector<std::size_t>{0, 2}),
                       "wanted location 2 is not one of the lost locations {0, 1}", Error);
  CHECK(operations(CodecAccess::codec_of(code, options).decoding(lost)) < given);
  const Stripe expected = encoded(code, 9 * chunk_multiple(code));
  check_decoding(codec, expected, lost);
  check_decoding(codec, expected, {1, 2});
}

TEST_CASE("a hundred thousand calls on six threads come to an end") {
  const Code code = make_code(kWorkedExample);
  const Stripe expected = encoded(code, 9 * chunk_multiple(code));
#ifdef XORLOOM_IS_SANITIZED
  constexpr int kCalls = 2000;
#else
  constexpr int kCalls = 50'000;
#endif
  for (const int awake : {0, 20}) {
    const Codec codec =
        CodecAccess::codec_of(code, on_plan(6, awake, choose_isa()), published(code));
    Stripe stripe = expected;
    for (int call = 0; call < kCalls; ++call) {
      if (call % 1000 == 0) stripe.lose(5);
      REQUIRE(codec.encode(stripe.chunks(), stripe.chunk_bytes()) == Status::kOk);
    }
    CHECK(stripe == expected);
  }
}

}  // namespace xorloom
