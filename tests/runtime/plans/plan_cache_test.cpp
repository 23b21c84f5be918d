#include "runtime/plans/plan_cache.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "runtime/plans/plan.hpp"
#include "tests/support/subsets.hpp"

namespace xorloom {
namespace {

TEST_CASE("A decoding is planned once, in whatever order its losses are named") {
  const Codec codec("cauchy-good:k=4,m=2,w=4");
  const Plan first = codec.decoding(std::vector<std::size_t>{1, 4});
  const Plan again = codec.decoding(std::vector<std::size_t>{4, 1});
  CHECK(&PlanAccess::impl_of(first) == &PlanAccess::impl_of(again));
  const Plan other = codec.decoding(std::vector<std::size_t>{4, 1}, std::vector<std::size_t>{4});
  CHECK(&PlanAccess::impl_of(first) != &PlanAccess::impl_of(other));
  const PlanCounts counts = codec.plan_counts();
  CHECK(counts.hits == 1);
  CHECK(counts.misses == 2);
  CHECK(counts.plans == 2);
  CHECK(counts.bytes > 1000);
}

TEST_CASE("A cache of no bytes keeps nothing") {
  const Codec codec("cauchy-good:k=4,m=2,w=4", {.plan_cache_bytes = 0});
  for (int i = 0; i < 2; ++i) static_cast<void>(codec.decoding(std::vector<std::size_t>{1}));
  CHECK(codec.plan_counts().misses == 2);
  CHECK(codec.plan_counts().plans == 0);
}

TEST_CASE("What was not used for longest makes room, and the bytes stay bounded") {
  const Codec codec("cauchy-good:k=4,m=2,w=4");
  const Plan plan = codec.decoding(std::vector<std::size_t>{1});
  PlanCache cache(16 * 100);  // 100 bytes a shard
  std::vector<PlanCache::Key> keys;
  for (std::uint32_t i = 0; i < 200; ++i) keys.push_back({i});
  for (const PlanCache::Key& key : keys) {
    cache.keep(key, plan, 30);
    CHECK(cache.find(keys[0]));  // always used
  }
  const PlanCounts counts = cache.counts();
  CHECK(counts.bytes <= 16 * 100);
  CHECK(counts.plans + counts.dropped == 200);
  CHECK(counts.plans <= 48);
  CHECK(counts.plans >= 32);
  CHECK_FALSE(cache.find(keys[1]));
  cache.keep(keys[1], plan, 2000);
  CHECK_FALSE(cache.find(keys[1]));
}

TEST_CASE("Threads that ask for the same decodings get right plans and lose no count") {
  const Codec codec("cauchy-good:k=4,m=2,w=4", {.plan_cache_bytes = 100'000});
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < 60; ++i) {
        const std::vector<std::size_t> lost{(i + t) % 6};
        if (codec.decoding(lost).writes() != lost) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
  const PlanCounts counts = codec.plan_counts();
  CHECK(counts.hits + counts.misses == 240);
}

TEST_CASE("A decoding that is used often is made anew by a thread of its own, and stays right") {
  Options options;
  options.improves_plans = true;
  const Codec codec("cauchy-good:k=4,m=2,w=4", options);
  const std::vector<std::size_t> lost{0, 5};
  const Plan first = codec.decoding(lost);
  for (int i = 0; i < 2000; ++i) static_cast<void>(codec.decoding(lost));
  for (int i = 0; i < 3000 && codec.plan_counts().improved == 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  CHECK(codec.plan_counts().improved == 1);
  const Plan second = codec.decoding(lost);
  CHECK(&PlanAccess::impl_of(first) != &PlanAccess::impl_of(second));
  CHECK(second.writes() == lost);
}

TEST_CASE("A codec that goes away does not wait for plans to be made anew") {
  Options options;
  options.improves_plans = true;
  const Codec codec("cauchy-good:k=10,m=4,w=8", options);
  for (std::size_t l = 0; l < 4; ++l) {
    const std::vector<std::size_t> lost{l, l + 1, l + 2, l + 3};
    for (int i = 0; i < 1500; ++i) static_cast<void>(codec.decoding(lost));
  }
  CHECK(codec.plan_counts().plans == 4);
}

}  // namespace
}  // namespace xorloom
