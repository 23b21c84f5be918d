#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "codes/families.hpp"
#include "equations/direct.hpp"
#include "runtime/executor.hpp"
#include "tests/support/stripe.hpp"
#include "tests/support/subsets.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {
namespace {

const std::vector<std::string> kSpecs = {
    "cauchy:k=3,m=2,w=3",
    "cauchy:k=4,m=2,w=3,packet_bytes=8",
    "cauchy-good:k=4,m=2,w=4",
    "cauchy-good:k=3,m=3,w=8,packet_bytes=40",
    "rs:k=3,m=2,w=4",
    "rs:k=3,m=2,w=8",
    "rs:k=3,m=2,w=16",
    "rs:k=3,m=2,w=32",
    "rs:k=3,m=2,w=5,arrangement=packet,packet_bytes=64",
    "isa-cauchy:k=4,m=3",
    "isa-vandermonde:k=4,m=2",
};

using Set = std::vector<std::size_t>;

/// All of them wanted, then each alone.
std::vector<Set> choices_of_wanted(const Set& erased) {
  std::vector<Set> result{erased};
  if (erased.size() > 1) {
    for (const std::size_t location : erased) result.push_back({location});
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

Computation rebuilding(const Code& code, const Set& erased, const Set& wanted, Isa isa) {
  if (code.arrangement == Arrangement::kWord) {
    return Computation(code, decoding_map(code, erased, wanted), isa);
  }
  return Computation(code, direct_decoding(code, erased, wanted), isa);
}

Stripe encoded(const std::string& spec) {
  const Codec codec(spec);
  const std::size_t chunk_bytes = odd_chunk_bytes(codec.chunk_multiple());
  const Stripe stripe(codec.info().locations, chunk_bytes, 17, 9);
  REQUIRE(codec.encode(stripe.chunks(), chunk_bytes) == Status::kOk);
  return stripe;
}

TEST_CASE("every code gives back every set of chunks it promises, on every ISA and executor") {
  for (const std::string& spec : kSpecs) {
    const Code code = make_code(spec);
    const Stripe original = encoded(spec);
    for (const Isa isa : machine_isas()) {
      for (const Set& erased : test::subsets(code.locations, code.m)) {
        for (const Set& wanted : choices_of_wanted(erased)) {
          const Computation computation = rebuilding(code, erased, wanted, isa);
          const Grouping each_step = group_each_step(computation);
          const Grouping for_cores = group_for_cores(computation, 2);
          const auto check = [&](ExecutorKind kind, std::size_t threads, const Grouping& grouping) {
            CAPTURE(spec);
            CAPTURE(to_string(isa));
            CAPTURE(to_string(kind));
            CAPTURE(threads);
            CAPTURE(grouping.num_groups());
            CAPTURE(set_text(erased));
            CAPTURE(set_text(wanted));
            check_rebuilt(original, erased, wanted, [&](const Stripe& stripe) {
              execute(computation, grouping, {kind, threads}, stripe.chunks(),
                      stripe.chunk_bytes());
            });
          };
          check(ExecutorKind::kRanges, 1, each_step);
          check(ExecutorKind::kRanges, 2, each_step);
          check(ExecutorKind::kGraph, 2, each_step);
          check(ExecutorKind::kGraph, 2, for_cores);
        }
      }
    }
  }
}

TEST_CASE("every set comes back through the codec, by a plan or by decode") {
  for (const std::string& spec : kSpecs) {
    const Stripe original = encoded(spec);
    std::vector<Codec> codecs;
    for (const Isa isa : machine_isas()) {
      for (const int threads : {1, 2}) {
        for (const char* executor : {"ranges", "graph"}) {
          codecs.emplace_back(
              spec, Options{.threads = threads, .isa = to_string(isa), .executor = executor});
        }
      }
    }
    const Info info = codecs.front().info();
    std::size_t turn = 0;  // acceptance takes milliseconds: each set gets one codec after the other
    for (const Set& erased : test::subsets(info.locations, info.m)) {
      for (const Set& wanted : choices_of_wanted(erased)) {
        const Codec& codec = codecs[turn++ % codecs.size()];
        CAPTURE(spec);
        CAPTURE(codec.info().isa);
        CAPTURE(codec.info().executor);
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

TEST_CASE("no code gives back more chunks than it has redundant ones, and it writes none then") {
  for (const std::string& spec : kSpecs) {
    const Codec codec(spec);
    const Info info = codec.info();
    const Stripe stripe(info.locations, info.chunk_multiple, 23);
    const Stripe untouched = stripe;
    for (const Set& erased : test::subsets(info.locations, info.m + 1)) {
      if (erased.size() <= info.m) continue;
      REQUIRE(codec.decode(stripe.chunks(), erased, info.chunk_multiple) == Status::kDamaged);
    }
    CHECK(stripe == untouched);
  }
}

}  // namespace
}  // namespace xorloom
