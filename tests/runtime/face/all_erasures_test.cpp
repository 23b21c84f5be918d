#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/linear_map.hpp"
#include "equations/build/direct.hpp"
#include "equations/build/sparse_sums.hpp"
#include "equations/ir/oracle.hpp"
#include "runtime/engine/executor.hpp"
#include "runtime/engine/plan_options.hpp"
#include "runtime/engine/program_code.hpp"
#include "tests/runtime/engine/graph_scene.hpp"
#include "tests/runtime/small_codes.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/stripe.hpp"
#include "tests/support/subsets.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {
namespace {

using Set = std::vector<std::size_t>;

/// The recoverable sets of lost locations, or the unrecoverable ones. Sets have at most max(m,
/// promised losses) locations.
std::vector<Set> losses(const Code& code, bool recoverable) {
  std::vector<Set> result = test::subsets(code.locations, std::max(code.m, code.promised_losses));
  std::erase_if(result, [&](const Set& lost) { return is_recoverable(code, lost) != recoverable; });
  return result;
}

/// The recoverable sets to try: all, or a sample of 24 under sanitizers.
std::vector<Set> tried_losses(const Code& code) {
  return test::sample_if_sanitized(losses(code, true), 24);
}

/// Each instruction set with each executor.
std::vector<Options> ways(int threads) {
  std::vector<Options> all;
  for (const Isa isa : machine_isas()) {
    for (const Executor executor : {Executor::kRanges, Executor::kGraph, Executor::kPlan}) {
      all.push_back({.threads = threads, .isa = isa, .executor = executor});
    }
  }
  return test::sample_if_sanitized(all, 6);
}

/// Sets of wanted locations: all of `erased`, then a single one, chosen by `turn`. With
/// XORLOOM_TEST_WHOLE each single one.
std::vector<Set> choices_of_wanted(const Set& erased, std::size_t turn) {
  std::vector<Set> result{erased};
  if (erased.size() > 1) {
    for (const std::size_t location : test::one_by_turns(erased, turn)) {
      result.push_back({location});
    }
  }
  return result;
}

/// Loses the erased chunks, rebuilds, and compares: the wanted ones are back, the other lost ones
/// and the guards are as they were.
void check_rebuilt(const Stripe& original, const Set& erased, const Set& wanted,
                   const auto& rebuild) {
  Stripe stripe = original;
  Stripe expected = original;
  for (const std::size_t location : erased) {
    stripe.lose(location);
    if (std::ranges::find(wanted, location) == wanted.end()) expected.lose(location);
  }
  rebuild(stripe);
  REQUIRE(stripe == expected);
  REQUIRE(stripe.guards_intact());
}

std::size_t odd_chunk_bytes(std::size_t multiple) {
  return multiple >= 8 ? 5 * multiple : 301 * multiple;
}

/// Programs that rebuild `wanted`: packet codes have one of equations. Word codes have one of the
/// decoding matrix, and one of sparse sums if the code has these.
std::vector<Program> rebuilding(const Code& code, const Set& erased, const Set& wanted) {
  std::vector<Program> result;
  const auto add = [&](const Program& program) { result.push_back(program); };
  if (code.arrangement == Arrangement::kPacket) {
    add(direct_decoding(code, erased, wanted));
    return result;
  }
  const LinearMap map = decoding_map(code, erased, wanted);
  add(direct_symbols(code, map));
  if (const auto sparse = sparse_sums(code, map)) add(sparse->program);
  return result;
}

/// A stripe encoded by the oracle, so that rebuilt chunks are compared with the oracle alone.
Stripe encoded(const Code& code) {
  const std::size_t chunk_bytes = odd_chunk_bytes(chunk_multiple(code));
  const Stripe stripe(code.locations, chunk_bytes, 17, 9);
  oracle(code, encoding_map(code), stripe.chunks(), chunk_bytes);
  return stripe;
}

TEST_CASE("every code gives back every set of chunks it promises, with each ISA and executor") {
  const std::vector<Isa> isas = test::sample_if_sanitized(machine_isas(), 2);
  for (const std::string& spec : test::small_specs()) {
    const Code code = make_code(spec);
    const Stripe original = encoded(code);
    const std::vector<Set> tried = tried_losses(code);
    for (std::size_t turn = 0; turn < std::max(tried.size(), isas.size()); ++turn) {
      const Set& erased = tried[turn % tried.size()];  // few sets come again for the other ISAs
      std::size_t choice = 0;
      for (const Set& wanted : choices_of_wanted(erased, turn)) {
        const std::vector<Program> programs = rebuilding(code, erased, wanted);
        for (const Isa isa : test::one_by_turns(isas, turn + choice++)) {
          for (const Program& program : programs) {
            const auto computation = make_computation(code, program, {.isa = isa});
            const auto check = [&](Executor kind, std::size_t threads, SpareRuns* runs) {
              CAPTURE(spec);
              CAPTURE(to_string(isa));
              CAPTURE(to_string(kind));
              CAPTURE(threads);
              CAPTURE(set_text(erased));
              CAPTURE(set_text(wanted));
              check_rebuilt(original, erased, wanted, [&](const Stripe& stripe) {
                execute(*computation, runs, {kind, threads}, stripe.chunks(), stripe.chunk_bytes());
              });
            };
            check(Executor::kRanges, 1, nullptr);
            if (wanted != erased) continue;  // the same kernels over fewer equations
            check(Executor::kRanges, 2, nullptr);
            SpareRuns runs(graph_of(code, dealt_out(program, 2), isa));
            check(Executor::kGraph, 2, &runs);
            check(Executor::kPlan, 2, &runs);
          }
        }
      }
    }
  }
}

TEST_CASE("every set comes back through the codec, by a plan or by decode") {
  std::size_t number = 0;
  for (const std::string& spec : test::small_specs()) {
    const Code code = make_code(spec);
    const Stripe original = encoded(code);
    std::vector<Options> all = ways(1);
    for (const Options& options : ways(2)) all.push_back(options);
    // Making codecs and plans takes milliseconds: each code gets a fifth of them or all with
    // XORLOOM_TEST_WHOLE, and each set one after the other.
    std::vector<Codec> codecs;
    const std::size_t step = test::tries_all() ? 1 : 5;
    for (std::size_t i = number++ % step; i < all.size(); i += step) {
      codecs.emplace_back(spec, all[i]);
    }
    std::size_t turn = 0;
    for (const Set& erased : tried_losses(code)) {
      for (const Set& wanted : choices_of_wanted(erased, turn)) {
        const Codec& codec = codecs[turn++ % codecs.size()];
        CAPTURE(spec);
        CAPTURE(to_string(codec.info().isa));
        CAPTURE(to_string(codec.info().executor));
        CAPTURE(set_text(erased));
        CAPTURE(set_text(wanted));
        check_rebuilt(original, erased, wanted, [&](const Stripe& stripe) {
          const Status status =
              wanted == erased && turn % 5 < 2
                  ? codec.decode(stripe.chunks(), erased, stripe.chunk_bytes())
                  : codec.decoding(erased, wanted).run(stripe.chunks(), stripe.chunk_bytes());
          REQUIRE(status == Status::kOk);
        });
      }
    }
  }
}

TEST_CASE("encoding is what the oracle gives, on every ISA and executor") {
  for (const std::string& spec : test::small_specs()) {
    const Code code = make_code(spec);
    const Stripe original = encoded(code);
    const Stripe data(code.locations, original.chunk_bytes(), 17, 9);  // the data of encoded()
    for (const Options& options : ways(2)) {
      const Codec codec(spec, options);
      CAPTURE(spec);
      CAPTURE(to_string(codec.info().isa));
      CAPTURE(to_string(codec.info().executor));
      const Stripe stripe = data;
      REQUIRE_FALSE(stripe == original);
      REQUIRE(codec.encode(stripe.chunks(), stripe.chunk_bytes()) == Status::kOk);
      REQUIRE(stripe == original);
      REQUIRE(stripe.guards_intact());
    }
  }
}

TEST_CASE("what cannot be rebuilt is refused, and nothing is written then") {
  for (const std::string& spec : test::small_specs()) {
    const Code code = make_code(spec);
    const Codec codec(spec);
    const std::size_t chunk_bytes = chunk_multiple(code);
    const Stripe stripe(code.locations, chunk_bytes, 23);
    const Stripe untouched = stripe;
    CAPTURE(spec);
    for (const Set& erased : losses(code, false)) {
      CHECK(erased.size() > code.promised_losses);
      CAPTURE(set_text(erased));
      REQUIRE(codec.decode(stripe.chunks(), erased, chunk_bytes) == Status::kDamaged);
    }
    CHECK(stripe == untouched);
  }
}

TEST_CASE("codes of as many redundant chunks as losses give back no more than that") {
  for (const std::string& spec : test::small_specs()) {
    const Code code = make_code(spec);
    if (code.data.size() != (code.locations - code.promised_losses) * code.subchunks) continue;
    for (const Set& erased : test::subsets(code.locations, code.promised_losses + 1)) {
      if (erased.size() > code.promised_losses) REQUIRE_FALSE(is_recoverable(code, erased));
    }
  }
}

}  // namespace
}  // namespace xorloom
