#include "runtime/transforms/transform_kernels.hpp"
#include "runtime/transforms/encoding_passes.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/oracle.hpp"
#include "runtime/engine/accept.hpp"
#include "runtime/engine/word_kernels.hpp"
#include "tests/runtime/face/allocations.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/stripe.hpp"

namespace xorloom {
namespace {

bool always(std::size_t) { return true; }

std::unique_ptr<const TransformKernels> transforms(const Code& code, const LinearMap& map,
                                                   Isa isa) {
  return TransformKernels::make(code, map, isa, always);
}

const char* const kSpecs[] = {
    "leopard:k=5,m=2",    "leopard:k=13,m=9",     "leopard:k=40,m=16",     "leopard:k=70,m=33",
    "leopard:k=3,m=20",   "leopard:k=5,m=2,w=16", "leopard:k=20,m=7,w=16", "leopard:k=70,m=33,w=16",
    "leopard:k=223,m=32", "leopard:k=120,m=70"};

/// Shape of an encoding: units of a chunk, and the bytes by which chunks are misaligned.
struct Encoding {
  std::size_t units;
  std::size_t misalignment;
};

std::vector<Encoding> encodings(std::size_t unit) {
  std::vector<Encoding> all;
  for (const std::size_t units : {std::size_t{1}, 63 / unit + 1, 320 / unit, 2500 / unit + 1}) {
    for (const std::size_t misalignment : {std::size_t{0}, std::size_t{13}}) {
      all.push_back({units, misalignment});
    }
  }
  return test::sample_if_sanitized(all, 2);
}

/// Ways to draw what is lost.
std::vector<std::size_t> turns() {
  return test::sample_if_sanitized(std::vector<std::size_t>{0, 1, 2, 3}, 2);
}

}  // namespace

TEST_CASE("Encoding by transforms agrees with the oracle at every size, and writes nothing else") {
  for (const char* spec : kSpecs) {
    const Code code = make_code(spec);
    const LinearMap map = encoding_map(code);
    std::vector<std::unique_ptr<const TransformKernels>> computations;
    for (const Isa isa : machine_isas()) {
      computations.push_back(transforms(code, map, isa));
      REQUIRE(computations.back());
      accept(code, map, *computations.back());
    }
    const std::size_t unit = chunk_multiple(code);
    for (const Encoding& encoding : encodings(unit)) {
      const std::size_t bytes = encoding.units * unit;
      const Stripe given(code.locations, bytes, 7, encoding.misalignment);
      const Stripe expected = given;
      oracle(code, map, expected.chunks(), bytes);
      for (std::size_t i = 0; i < computations.size(); ++i) {
        INFO(to_string(machine_isas()[i]), " ", spec, " ", encoding.units);
        for (const Stores stores : {Stores::kOrdinary, Stores::kNonTemporal}) {
          const Stripe stripe = given;
          computations[i]->run(stripe.chunks(), bytes, 0, bytes, stores);
          CHECK(stripe == expected);
          CHECK(stripe.guards_intact());
        }
      }
    }
  }
}

TEST_CASE("Decoding by syndromes gives back lost data and lost redundancy") {
  std::mt19937 random(5);
  for (const char* spec : kSpecs) {
    const Code code = make_code(spec);
    std::vector<std::size_t> order(code.locations);
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (const std::size_t turn : turns()) {
      std::ranges::shuffle(order, random);
      std::size_t most = code.m;
      if (turn == 1) {  // data alone
        std::stable_partition(order.begin(), order.end(),
                              [&](std::size_t i) { return i < code.k; });
        most = std::min(code.k, code.m);
      }
      std::vector<std::size_t> lost(
          order.begin(),
          order.begin() + static_cast<std::ptrdiff_t>(turn < 2 ? most : 1 + random() % code.m));
      std::ranges::sort(lost);
      const auto map = recovery_map(code, lost, lost);
      REQUIRE(map);
      for (const Isa isa : machine_isas()) {
        INFO(to_string(isa), " ", spec, " ", set_text(lost));
        const auto computation = transforms(code, *map, isa);
        const bool are_all_data_lost = lost.size() >= code.k;
        if (!computation) {
          CHECK(are_all_data_lost);
          continue;
        }
        accept(code, *map, *computation);
        CHECK(computation->counts().vectors_written == lost.size());
      }
    }
  }
}

/// Computations for stripes of other sizes: those past the caches, and, where few groups are summed
/// at once, those in the second cache.
std::size_t others_of(const Code& code, Isa isa) {
  if (vector_bytes(isa) != 64) return 0;
  const std::size_t groups = (code.k + code.transform_points - 1) / code.transform_points;
  return groups == 1 || groups * code.transform_points <= kRowsOfStrips ? 2 : 1;
}

TEST_CASE("Stripes past the caches, whose last tile is short, are encoded and recovered") {
  const Isa isa = machine_isas().back();
  for (const char* spec : {"leopard:k=40,m=16", "leopard:k=223,m=32", "leopard:k=120,m=70"}) {
    CAPTURE(spec);
    const Code code = make_code(spec);
    const std::size_t bytes = ((std::size_t{17} << 20) / code.locations / 128 * 128) + 320;
    Stripe stripe(code.locations, bytes, 8, 0);
    Stripe encoded = stripe;
    const auto encoder = transforms(code, encoding_map(code), isa);
    CHECK(encoder->others().size() == others_of(code, isa));
    encoder->run(encoded.chunks(), bytes, 0, bytes, Stores::kOrdinary);
    encoder->run(stripe.chunks(), bytes, 0, bytes, Stores::kNonTemporal);
    CHECK(stripe == encoded);
    std::vector<std::size_t> lost{0, 3, 17, 38, code.k + 1, code.k + 10};
    const auto map = recovery_map(code, lost, lost);
    REQUIRE(map);
    for (const std::size_t location : lost) std::fill_n(stripe.chunks()[location], bytes, 0xa5);
    transforms(code, *map, isa)->run(stripe.chunks(), bytes, 0, bytes, Stores::kNonTemporal);
    CHECK(stripe == encoded);
    for (const std::size_t location : lost) std::fill_n(stripe.chunks()[location], bytes, 0x5a);
    TransformKernels::make_decoding(code, *map, isa, always)
        ->run(stripe.chunks(), bytes, 0, bytes, Stores::kNonTemporal);
    CHECK(stripe == encoded);
    CHECK(stripe.guards_intact());
  }
}

TEST_CASE("Stripes in the second cache have the bytes of those that are not") {
  for (const Isa isa : machine_isas()) {
    for (const char* spec : {"leopard:k=40,m=16", "leopard:k=61,m=17", "leopard:k=120,m=70"}) {
      CAPTURE(spec);
      const Code code = make_code(spec);
      const auto encoder = transforms(code, encoding_map(code), isa);
      CHECK(encoder->others().size() == others_of(code, isa));
      for (const std::size_t bytes : {std::size_t{1}, std::size_t{130}, std::size_t{4096 + 77}}) {
        CAPTURE(bytes);
        const std::size_t begin = bytes > 128 ? 64 : 0;
        Stripe stripe(code.locations, bytes, 8, 0);
        Stripe encoded = stripe;
        encoder->run(encoded.chunks(), bytes, begin, bytes, Stores::kOrdinary);
        encoder->run(stripe.chunks(), bytes, begin, bytes, Stores::kNear);
        CHECK(stripe == encoded);
        CHECK(stripe.guards_intact());
      }
    }
  }
}

TEST_CASE("Rows, syndromes and transforms alone recover the same bytes") {
  std::mt19937 random(6);
  for (const char* spec : kSpecs) {
    const Code code = make_code(spec);
    std::vector<std::size_t> order(code.locations);
    std::iota(order.begin(), order.end(), std::size_t{0});
    const std::size_t unit = chunk_multiple(code);
    for (const std::size_t turn : turns()) {
      std::ranges::shuffle(order, random);
      std::vector<std::size_t> lost(
          order.begin(),
          order.begin() + static_cast<std::ptrdiff_t>(turn == 0 ? code.m : 1 + random() % code.m));
      std::ranges::sort(lost);
      std::vector<std::size_t> wanted = lost;
      if (turn == 1) wanted.resize(1 + random() % lost.size());
      const auto map = recovery_map(code, lost, wanted);
      REQUIRE(map);
      const bool is_encoding =
          std::ranges::all_of(map->inputs, [&](Cell cell) { return cell < code.k; });
      const Program by_rows = direct_symbols(code, *map);
      for (const Isa isa : machine_isas()) {
        INFO(to_string(isa), " ", spec, " ", set_text(lost));
        const auto alone = TransformKernels::make_decoding(code, *map, isa, always);
        CHECK((alone == nullptr) == is_encoding);
        if (!alone) continue;
        accept(code, *map, *alone);
        CHECK(alone->counts().vectors_written == wanted.size());
        const auto syndromes = transforms(code, *map, isa);
        const WordKernels rows(code, by_rows, isa);
        for (const std::size_t units : {std::size_t{1}, 63 / unit + 1, 2500 / unit + 1}) {
          const std::size_t bytes = units * unit;
          for (const Stores stores : {Stores::kOrdinary, Stores::kNonTemporal}) {
            Stripe expected(code.locations, bytes, 9, turn == 2 ? 13 : 0);
            Stripe by_transforms = expected;
            Stripe by_syndromes = expected;
            rows.run(expected.chunks(), bytes, 0, bytes, stores);
            alone->run(by_transforms.chunks(), bytes, 0, bytes, stores);
            CHECK(by_transforms == expected);
            CHECK(by_transforms.guards_intact());
            if (!syndromes) continue;
            syndromes->run(by_syndromes.chunks(), bytes, 0, bytes, stores);
            CHECK(by_syndromes == expected);
          }
        }
      }
    }
  }
}

TEST_CASE("Transforms are refused where they are not those of the code") {
  Code code = make_code("leopard:k=13,m=9");
  const LinearMap encoding = encoding_map(code);
  CHECK_FALSE(
      TransformKernels::make(code, encoding, Isa::kPortable, [](std::size_t) { return false; }));
  LinearMap other = encoding;
  other.coefficients(3, 4) ^= 1;
  CHECK_THROWS_WITH_AS(transforms(code, other, Isa::kPortable),
                       "transforms of leopard:k=13,m=9,w=8 give cell 4 another factor in cell 16 "
                       "than its matrix",
                       Error);
  const std::vector<std::size_t> lost{1, 4, 15};
  LinearMap decoding = *recovery_map(code, lost, lost);
  decoding.coefficients(1, 2) ^= 1;
  for (const auto make : {TransformKernels::make, TransformKernels::make_decoding}) {
    CHECK_FALSE(make(code, decoding, Isa::kPortable, [](std::size_t) { return false; }));
    CHECK_THROWS_WITH_AS(make(code, decoding, Isa::kPortable, always),
                         "transforms of leopard:k=13,m=9,w=8 give cell 3 another factor in cell 4 "
                         "than its matrix",
                         Error);
  }
  code.transform_points = 0;
  CHECK_FALSE(TransformKernels::make_decoding(code, decoding, Isa::kPortable, always));
  CHECK_FALSE(transforms(code, encoding, Isa::kPortable));
}

TEST_CASE("A thread alone allocates nothing, and several threads write the same bytes") {
  const Code code = make_code("leopard:k=40,m=16");
  const LinearMap map = encoding_map(code);
  const Isa isa = machine_isas().back();
  const auto computation = transforms(code, map, isa);
  constexpr std::size_t kBytes = 4096;
  const Stripe stripe(code.locations, kBytes, 3);
  computation->run(stripe.chunks(), kBytes, 0, kBytes, Stores::kOrdinary);
  const Stripe expected = stripe;
  const AllocationCount count;
  computation->run(stripe.chunks(), kBytes, 0, kBytes, Stores::kOrdinary);
  CHECK(count.so_far() == 0);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int turn = 0; turn < 20; ++turn) {
        computation->run(stripe.chunks(), kBytes, t * 1024, (t + 1) * 1024, Stores::kOrdinary);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(stripe == expected);
}

}  // namespace xorloom
