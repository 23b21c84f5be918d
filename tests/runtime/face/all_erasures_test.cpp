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
#include "tests/runtime/engine/graph_scene.hpp"
#include "tests/support/sample.hpp"
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
    "raid6:k=4,w=4",
    "raid6:k=3,w=16",
    "raid6:k=3,w=3,arrangement=packet",
    "liberation:k=4,w=5,packet_bytes=8",
    "blaum-roth:k=4,w=4",
    "liber8tion:k=3",
    "evenodd:k=4,p=5",
    "rdp:k=3,p=5,packet_bytes=40",
    "x-code:p=5",
    "parity:k=4",
    "hamming:k=4,m=3",
    "hamming:k=1,m=3",  // one redundant cell is zero
    "hover:k=4,r=3,v=2,h=1",
    "shec:k=4,m=3,c=2",
    "shec:k=4,m=3,c=2,arrangement=packet",
    "lrc:k=4,m=2,l=3",
    "lrc:k=2,m=2,l=2,arrangement=packet",
    "clay:k=2,m=2",
    "clay:k=4,m=2",
    "clay:k=3,m=2,d=3",
    "clay:k=3,m=3,d=4",
    "clay:k=3,m=2,arrangement=packet",
    "zigzag:k=1,r=2",
    "zigzag:k=4,r=2",
    "zigzag:k=3,r=3",
    "zigzag:k=2,r=4,w=4",
    "zigzag:k=3,r=2,w=16",
    "zigzag:k=3,r=2,w=2,arrangement=packet",
    R"(file:{"format": "xorloom-code", "version": 1, "locations": 4, "rows": 2, "data": [1, 2, 4, 7],
       "equations": [{"target": 0, "xor": [2, 4, 7]}, {"target": 3, "xor": [0, 1]},
                     {"target": 5, "xor": [1, 7]}, {"target": 6, "xor": [2, 5]}]})",
    R"(file:{"format": "xorloom-code", "version": 1, "locations": 4, "w": 16, "data": [2, 0],
       "matrix": [[1, 1], [1, 2]]})",
    // Zero cells: all of a location, one of two rows, and two of three redundant symbols.
    R"(file:{"format": "xorloom-code", "version": 1, "locations": 4, "data": [0, 1],
       "equations": [{"target": 2, "xor": []}, {"target": 3, "xor": [0, 1, 2]}]})",
    R"(file:{"format": "xorloom-code", "version": 1, "locations": 3, "rows": 2, "data": [0, 1],
       "bits": ["00", "11", "10", "00"]})",
    R"(file:{"format": "xorloom-code", "version": 1, "locations": 4, "w": 8, "data": [1],
       "matrix": [[0], [3], [0]]})",
    R"(file:{"format": "xorloom-code", "version": 1, "locations": 3, "w": 4, "data": [0],
       "arrangement": "packet", "matrix": [[0], [1]]})",
};

/// Those, and the example of each family that they do not name.
std::vector<std::string> specs() {
  std::vector<std::string> result = kSpecs;
  for (const Family* family : families()) {
    const auto is_of_family = [&](const std::string& spec) {
      return spec.substr(0, spec.find(':')) == family->name;
    };
    if (std::ranges::none_of(kSpecs, is_of_family)) result.emplace_back(family->example);
  }
  return test::sample_if_sanitized(result, 20);
}

using Set = std::vector<std::size_t>;

/// Sets of up to that many locations as the family calls m, or as it promises, if that is more:
/// those that can be rebuilt, or those that cannot.
std::vector<Set> losses(const Code& code, bool recoverable) {
  std::vector<Set> result = test::subsets(code.locations, std::max(code.m, code.promised_losses));
  std::erase_if(result, [&](const Set& lost) { return is_recoverable(code, lost) != recoverable; });
  return result;
}

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

/// By equations or by a map; where that takes less, by sparse sums, too.
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

/// By the oracle, so that what is rebuilt from it is compared with that and nothing else.
Stripe encoded(const Code& code) {
  const std::size_t chunk_bytes = odd_chunk_bytes(chunk_multiple(code));
  const Stripe stripe(code.locations, chunk_bytes, 17, 9);
  oracle(code, encoding_map(code), stripe.chunks(), chunk_bytes);
  return stripe;
}

TEST_CASE("every code gives back every set of chunks it promises, on every ISA and executor") {
  for (const std::string& spec : specs()) {
    const Code code = make_code(spec);
    const Stripe original = encoded(code);
    for (const Isa isa : machine_isas()) {
      for (const Set& erased : losses(code, true)) {
        for (const Set& wanted : choices_of_wanted(erased)) {
          for (const Program& program : rebuilding(code, erased, wanted)) {
            const auto computation = make_computation(code, program, isa);
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
  for (const std::string& spec : specs()) {
    const Code code = make_code(spec);
    const Stripe original = encoded(code);
    std::vector<Codec> codecs;
    for (const Isa isa : machine_isas()) {
      for (const int threads : {1, 2}) {
        for (const Executor executor : {Executor::kRanges, Executor::kGraph, Executor::kPlan}) {
          codecs.emplace_back(spec, Options{.threads = threads, .isa = isa, .executor = executor});
        }
      }
    }
    std::size_t turn = 0;  // acceptance takes milliseconds: each set gets one codec after the other
    for (const Set& erased : losses(code, true)) {
      for (const Set& wanted : choices_of_wanted(erased)) {
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
  for (const std::string& spec : specs()) {
    const Code code = make_code(spec);
    const Stripe original = encoded(code);
    const Stripe data(code.locations, original.chunk_bytes(), 17, 9);  // what encoded() begins with
    for (const Isa isa : machine_isas()) {
      for (const Executor executor : {Executor::kRanges, Executor::kGraph, Executor::kPlan}) {
        const Codec codec(spec, Options{.threads = 2, .isa = isa, .executor = executor});
        CAPTURE(spec);
        CAPTURE(to_string(isa));
        const Stripe stripe = data;
        REQUIRE_FALSE(stripe == original);
        REQUIRE(codec.encode(stripe.chunks(), stripe.chunk_bytes()) == Status::kOk);
        REQUIRE(stripe == original);
        REQUIRE(stripe.guards_intact());
      }
    }
  }
}

TEST_CASE("what cannot be rebuilt is refused, and nothing is written then") {
  for (const std::string& spec : specs()) {
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
  for (const std::string& spec : specs()) {
    const Code code = make_code(spec);
    if (code.data.size() != (code.locations - code.promised_losses) * code.subchunks) continue;
    for (const Set& erased : test::subsets(code.locations, code.promised_losses + 1)) {
      if (erased.size() > code.promised_losses) REQUIRE_FALSE(is_recoverable(code, erased));
    }
  }
}

}  // namespace
}  // namespace xorloom
