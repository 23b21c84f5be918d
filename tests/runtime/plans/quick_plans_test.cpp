#include "runtime/plans/quick_plans.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <random>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/linear_map.hpp"
#include "codes/text/error.hpp"
#include "equations/ir/oracle.hpp"
#include "runtime/plans/codec_access.hpp"
#include "runtime/plans/plan_cache.hpp"
#include "runtime/plans/repair_plan.hpp"
#include "runtime/transforms/transform_kernels.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/stripe.hpp"
#include "tests/support/subsets.hpp"

namespace xorloom {
namespace {

using Set = std::vector<std::size_t>;

const Computation& computation_of(const Plan& plan) {
  return *PlanAccess::impl_of(plan).computation;
}

TEST_CASE("Losses of codes on packets and on words are rebuilt by kernels") {
  for (const char* spec :
       {"cauchy-good:k=5,m=3,w=4", "cauchy-good:k=4,m=2,w=8,packet_bytes=8", "isa-cauchy:k=5,m=3",
        "rs:k=4,m=3,w=16", "rs:k=3,m=2,w=4", "evenodd:k=5", "lrc:k=4,m=2,l=3", "clay:k=4,m=2",
        "clay:k=6,m=2", "clay:k=4,m=3", "zigzag:k=5,r=2,w=4", "zigzag:k=5,r=2,w=16",
        "zigzag:k=5,r=2,w=32", "leopard:k=6,m=3", "leopard:k=6,m=1"}) {
    CAPTURE(spec);
    const Code code = make_code(spec);
    const PlanOptions options = plan_options(Options{});
    const Codec codec(spec);
    const std::size_t bytes = 3 * codec.chunk_multiple();
    const Stripe stripe(code.locations, bytes, 7);
    REQUIRE(codec.encode(stripe.chunks(), bytes) == Status::kOk);
    QuickPlans quick(code, options, true);
    for (const Set& lost :
         test::sample_if_sanitized(test::subsets(code.locations, code.promised_losses), 24)) {
      if (lost.empty()) continue;
      const auto made = quick.make(lost, {}, 1);
      REQUIRE(made);
      CHECK_FALSE(computation_of(made->plan).has_code());
      Stripe broken = stripe;
      for (const std::size_t location : lost) broken.lose(location);
      REQUIRE(made->plan.run(broken.chunks(), bytes) == Status::kOk);
      CHECK(broken == stripe);
      CHECK(broken.guards_intact());
      CHECK(made->plan.writes() == lost);
    }
  }
}

TEST_CASE("A quick plan is made as long as its calls take less than another takes to be made") {
  const Code code = make_code("isa-cauchy:k=10,m=4");
  const PlanOptions options = plan_options(Options{});
  const Set lost{0, 3};
  QuickPlans quick(code, options, true);
  const auto made = quick.make(lost, {}, 1000);
  REQUIRE(made);
  CHECK(made->enough > 1'000'000);
  CHECK_FALSE(quick.make(lost, {}, made->enough));
  for (int i = 0; i < 100; ++i) quick.note_making(1'000);
  const auto later = quick.make(lost, {}, 1000);
  REQUIRE(later);
  CHECK(later->enough < made->enough / 100);
}

TEST_CASE("Codes that have transforms decode by rows or by transforms, whichever takes less time") {
  struct Case {
    const char* spec;
    std::size_t losses;
    std::size_t chunk_bytes;
    bool by_transforms;
  };
  std::mt19937 random(11);
  for (const Case& one : {Case{"leopard:k=128,m=128", 128, 64, true},
                          {"leopard:k=128,m=128", 1, 4096, false},
                          {"leopard:k=200,m=50", 25, 1408, true},
                          {"leopard:k=200,m=50", 1, 8192, false},
                          {"leopard:k=500,m=200", 100, 64, true},
                          {"leopard:k=500,m=200", 1, 4096, false}}) {
    CAPTURE(one.spec);
    CAPTURE(one.losses);
    const Code code = make_code(one.spec);
    const PlanOptions options = plan_options(Options{});
    QuickPlans quick(code, options, true);
    const Stripe stripe(code.locations, one.chunk_bytes, 7);
    oracle(code, encoding_map(code), stripe.chunks(), one.chunk_bytes);
    Set lost(code.locations);
    std::iota(lost.begin(), lost.end(), std::size_t{0});
    std::ranges::shuffle(lost, random);
    lost.resize(one.losses);
    const auto made = quick.make(lost, {}, code.k * one.chunk_bytes);
    REQUIRE(made);
    const auto* const computation = &computation_of(made->plan);
    CHECK((dynamic_cast<const TransformKernels*>(computation) != nullptr) == one.by_transforms);
    CHECK(memory_bytes(made->plan) < std::size_t{1} << 20);
    Stripe broken = stripe;
    for (const std::size_t location : lost) broken.lose(location);
    REQUIRE(made->plan.run(broken.chunks(), one.chunk_bytes) == Status::kOk);
    CHECK(broken == stripe);
    CHECK_THROWS_AS(quick.make(Set{0, 0}, {}, 1), Error);
    CHECK_THROWS_AS(quick.make(Set{code.locations}, {}, 1), Error);
  }
}

TEST_CASE("All redundancy lost is encoding, whose quick plan reads the data alone") {
  for (const char* spec :
       {"isa-cauchy:k=6,m=3", "leopard:k=6,m=3", "leopard:k=100,m=60", "leopard:k=300,m=100"}) {
    CAPTURE(spec);
    const Code code = make_code(spec);
    const PlanOptions options = plan_options(Options{});
    const std::size_t bytes = 5 * chunk_multiple(code);
    const Stripe stripe(code.locations, bytes, 7);
    oracle(code, encoding_map(code), stripe.chunks(), bytes);
    const Set redundant(code.redundant.begin(), code.redundant.end());
    const auto made = QuickPlans(code, options, true).make(redundant, {}, code.k * bytes);
    REQUIRE(made);
    CHECK(made->plan.reads() == Set(code.data.begin(), code.data.end()));
    Stripe broken = stripe;
    for (const std::size_t location : redundant) broken.lose(location);
    REQUIRE(made->plan.run(broken.chunks(), bytes) == Status::kOk);
    CHECK(broken == stripe);
  }
}

TEST_CASE("Who asks for something else has no quick plan") {
  const Code code = make_code("isa-cauchy:k=4,m=2");
  const Set lost{0};
  const auto is_made = [&](const Options& options, bool are_wanted = true) {
    const PlanOptions chosen = plan_options(options);
    return QuickPlans(code, chosen, are_wanted).make(lost, {}, 1).has_value();
  };
  CHECK(is_made({}));
  CHECK(is_made({.engine = Engine::kKernels}));
  CHECK_FALSE(is_made({}, false));
  CHECK_FALSE(is_made({.effort = Effort::kFast}));
  CHECK_FALSE(is_made({.engine = Engine::kCode}));
  CHECK_FALSE(is_made({.executor = Executor::kPlan}));
}

TEST_CASE("No search is part of a quick plan, and local groups are read where they suffice") {
  const PlanOptions options = plan_options(Options{});
  const auto reads = [&](const char* spec, const Set& lost) {
    const Code code = make_code(spec);
    const auto made = QuickPlans(code, options, true).make(lost, {}, 1);
    REQUIRE(made);
    return made->plan.reads().size();
  };
  CHECK(reads("lrc:k=12,m=4,l=4", {0}) == 4);
  CHECK(reads("lrc:k=12,m=4,l=4", {0, 5}) == 8);
  CHECK(reads("evenodd:k=10,p=11", {3}) == 10);
  CHECK(reads("evenodd:k=30,p=31", {3, 7}) == 30);
  CHECK(reads("clay:k=6,m=2", {3}) == 7);
  // A search tries up to 2^16 sets here, which takes milliseconds.
  const Code code = make_code("lrc:k=12,m=4,l=4");
  const auto map = in_memory_map(code, Set{0, 1}, {}, 0);
  CHECK(map.inputs.size() >= in_memory_map(code, Set{0, 1}, {}).inputs.size());
}

TEST_CASE("Sums that compute something else are refused, and the plan is made by the matrix") {
  const PlanOptions options = plan_options(Options{});
  Code code = make_code("clay:k=6,m=2");
  const std::size_t bytes = 3 * chunk_multiple(code);
  const Stripe stripe(code.locations, bytes, 7);
  oracle(code, encoding_map(code), stripe.chunks(), bytes);
  code.sums.back().terms.front().factor ^= 1;
  const Set lost{1, 6};
  const auto made = QuickPlans(code, options, true).make(lost, {}, 1);
  REQUIRE(made);
  Stripe broken = stripe;
  for (const std::size_t location : lost) broken.lose(location);
  REQUIRE(made->plan.run(broken.chunks(), bytes) == Status::kOk);
  CHECK(broken == stripe);
}

TEST_CASE("With kernels asked for, no call makes another plan") {
  for (const char* spec : {"cauchy-good:k=6,m=3,w=8", "isa-cauchy:k=6,m=3"}) {
    const Codec codec(spec, {.engine = Engine::kKernels});
    const std::size_t bytes = codec.round_up(1 << 18);
    const Stripe stripe(9, bytes, 1);
    const Set lost{1, 7};
    for (int i = 0; i < 50; ++i) {
      REQUIRE(codec.encode(stripe.chunks(), bytes) == Status::kOk);
      REQUIRE(codec.decode(stripe.chunks(), lost, bytes) == Status::kOk);
    }
    CHECK(CodecAccess::encoding_now(codec).units_read(0).empty());  // only quick plans have none
    CHECK(codec.plan_counts().plans == 1);
    CHECK(codec.decoding(lost).units_read(0).size() == codec.info().units);
  }
}

TEST_CASE("What cannot be rebuilt is refused as by any plan") {
  for (const char* spec : {"isa-cauchy:k=4,m=2", "clay:k=6,m=2"}) {
    CAPTURE(spec);
    const Code code = make_code(spec);
    const PlanOptions options = plan_options(Options{});
    QuickPlans quick(code, options, true);
    CHECK_THROWS_AS(quick.make(Set{0, 1, 2}, {}, 1), Error);
    CHECK_THROWS_AS(quick.make(Set{0, 0}, {}, 1), Error);
    CHECK_THROWS_AS(quick.make(Set{code.locations}, {}, 1), Error);
    CHECK_THROWS_AS(quick.make(Set{0, 1}, Set{2}, 1), Error);
    CHECK_THROWS_AS(quick.make(Set{0, 1}, Set{1, 1}, 1), Error);
  }
}

TEST_CASE("A codec decodes losses by kernels first, and by machine code once that pays") {
  const Codec codec("cauchy-good:k=6,m=3,w=8");
  const std::size_t bytes = codec.round_up(4096);
  const Stripe stripe(9, bytes, 1);
  REQUIRE(codec.encode(stripe.chunks(), bytes) == Status::kOk);
  const Set lost{1, 7};
  std::size_t first = 0;
  for (int i = 0; i < 20'000; ++i) {
    Stripe broken = stripe;
    for (const std::size_t location : lost) broken.lose(location);
    REQUIRE(codec.decode(broken.chunks(), lost, bytes) == Status::kOk);
    if (i % 1000 == 0) REQUIRE(broken == stripe);
    if (i == 0) first = codec.plan_counts().bytes;
    if (codec.plan_counts().bytes != first) break;  // another plan is in its place
  }
  CHECK(codec.plan_counts().bytes != first);
  CHECK(codec.plan_counts().plans == 1);
  CHECK(codec.plan_counts().misses == 1);
  const Plan plan = codec.decoding(lost);
  CHECK(plan.units_read(0).size() == 8);  // a plan made on request knows the units it reads
}

TEST_CASE("Whoever asks for the plan itself gets no quick one") {
  const Codec codec("cauchy-good:k=6,m=3,w=8");
  const std::size_t bytes = codec.round_up(4096);
  Stripe stripe(9, bytes, 1);
  REQUIRE(codec.encode(stripe.chunks(), bytes) == Status::kOk);
  const Set lost{1, 7};
  REQUIRE(codec.decode(stripe.chunks(), lost, bytes) == Status::kOk);
  CHECK(codec.decoding(lost).units_read(0).size() == 8);
  CHECK(codec.plan_counts().plans == 1);
}

TEST_CASE("A cache says when a plan is due, and none takes the place of a better one") {
  const Codec codec("cauchy-good:k=4,m=2,w=4");
  const Plan quick = codec.decoding(Set{1});
  const Plan better = codec.decoding(Set{2});
  PlanCache cache(16 * 100);
  const PlanCache::Key key{1};
  cache.keep(key, quick, 50, Effort::kFast, 1000);
  CHECK_FALSE(cache.find(key, 999)->is_due());
  CHECK(cache.find(key, 1)->is_due());
  cache.keep(key, better, 50);
  CHECK_FALSE(cache.find(key, 1'000'000)->is_due());
  cache.keep(key, quick, 50, Effort::kFast, 1000);
  CHECK(&PlanAccess::impl_of(cache.find(key)->plan) == &PlanAccess::impl_of(better));
}

}  // namespace
}  // namespace xorloom
