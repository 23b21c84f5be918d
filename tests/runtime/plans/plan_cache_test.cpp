#include "runtime/plans/plan_cache.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "runtime/machine/roomy_thread.hpp"
#include "runtime/plans/plan.hpp"
#include "runtime/plans/plan_improver.hpp"
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

TEST_CASE("Plans that exceed a sixteenth of the cache do not exceed the cache together") {
  const Codec codec("cauchy-good:k=4,m=2,w=4");
  const Plan plan = codec.decoding(std::vector<std::size_t>{1});
  for (const std::size_t bytes : {100U, 101U, 500U, 801U, 1600U}) {
    CAPTURE(bytes);
    PlanCache cache(16 * 100);
    for (std::uint32_t i = 0; i < 200; ++i) {
      cache.keep({i}, plan, bytes);
      CHECK(cache.find({i}));  // the last one is kept in any case
      CHECK(cache.counts().bytes <= 16 * 100);
    }
    const PlanCounts counts = cache.counts();
    CHECK(counts.plans == 1600 / bytes);
    CHECK(counts.bytes == counts.plans * bytes);
    CHECK(counts.plans + counts.dropped == 200);
    cache.keep({200}, plan, 1601);
    CHECK_FALSE(cache.find({200}));
    CHECK(cache.counts().plans == counts.plans);
    cache.keep({201}, plan, 1);
    CHECK(cache.find({201}));
    CHECK(cache.counts().bytes <= 16 * 100);
  }
}

TEST_CASE("A codec keeps its plans within the bytes that its options name") {
  constexpr std::size_t kBytes = 20'000;
  const Codec codec("cauchy-good:k=10,m=4,w=8", {.plan_cache_bytes = kBytes});
  for (std::size_t a = 0; a < 14; ++a) {
    for (std::size_t b = a + 1; b < 14; b += 4) {
      static_cast<void>(codec.decoding(std::vector<std::size_t>{a, b}));
      CHECK(codec.plan_counts().bytes <= kBytes);
    }
  }
}

TEST_CASE("Threads that keep large plans at once never exceed the cache") {
  const Codec codec("cauchy-good:k=4,m=2,w=4");
  const Plan plan = codec.decoding(std::vector<std::size_t>{1});
  PlanCache cache(16 * 100);
  std::vector<std::thread> threads;
  for (std::uint32_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (std::uint32_t i = 0; i < 500; ++i) cache.keep({i % 50, t % 2}, plan, 90 + i % 300);
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(cache.counts().bytes <= 16 * 100);
  cache.keep({7}, plan, 1600);
  CHECK(cache.find({7}));
  CHECK(cache.counts().bytes == 1600);
}

TEST_CASE("A better plan goes on counting what its key decoded, and one made anew begins again") {
  const Codec codec("cauchy-good:k=4,m=2,w=4");
  const Plan plan = codec.decoding(std::vector<std::size_t>{1});
  PlanCache cache(16 * 100);
  const PlanCache::Key key{1};
  cache.keep(key, plan, 60);
  CHECK(cache.find(key, 1000)->decoded == 1000);
  cache.keep(key, plan, 50);
  CHECK(cache.find(key, 24)->decoded == 1024);
  for (std::uint32_t i = 2; cache.find(key); ++i) cache.keep({i}, plan, 60);
  cache.keep(key, plan, 60);
  CHECK(cache.find(key, 10)->decoded == 10);
}

TEST_CASE("No plan takes the place of one that more effort was spent on") {
  const Codec codec("cauchy-good:k=4,m=2,w=4");
  const Plan first = codec.decoding(std::vector<std::size_t>{1});
  const Plan second = codec.decoding(std::vector<std::size_t>{2});
  PlanCache cache(16 * 100);
  const PlanCache::Key key{1};
  const auto kept = [&] { return &PlanAccess::impl_of(cache.find(key)->plan); };
  cache.keep(key, first, 50, Effort::kNormal);
  cache.keep(key, second, 50, Effort::kQuick);
  CHECK(kept() == &PlanAccess::impl_of(first));
  cache.keep(key, second, 50, Effort::kNormal);
  CHECK(kept() == &PlanAccess::impl_of(second));
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

TEST_CASE("A plan that decodes much is made anew by a thread of its own, and stays right") {
  const Codec codec("cauchy-good:k=4,m=2,w=4", {.improves_plans = true});
  const std::vector<std::size_t> lost{0, 5};
  const Plan first = codec.decoding(lost);
  const std::size_t bytes = std::size_t{4} << 20;
  std::vector<std::vector<std::uint8_t>> data(6, std::vector<std::uint8_t>(bytes));
  std::vector<std::uint8_t*> chunks;
  for (std::vector<std::uint8_t>& chunk : data) chunks.push_back(chunk.data());
  for (std::uint64_t decoded = 0; decoded <= PlanImprover::kPayingBytes; decoded += 4 * bytes) {
    REQUIRE(codec.decode(chunks.data(), lost, bytes) == Status::kOk);
  }
  for (int i = 0; i < 3000 && codec.plan_counts().improved == 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  CHECK(codec.plan_counts().improved == 1);
  const Plan second = codec.decoding(lost);
  CHECK(&PlanAccess::impl_of(first) != &PlanAccess::impl_of(second));
  CHECK(second.writes() == lost);
}

/// Runs until it is told to stop, and says so.
struct EndlessWork {
  std::atomic<int> begun{0};
  std::atomic<int> stopped{0};

  void run(const std::function<bool()>& stop_requested) {
    ++begun;
    while (!stop_requested()) std::this_thread::yield();
    ++stopped;
  }
};

const PlanCache::Key kKey{1, 2};

TEST_CASE("Plans are offered once, by the bytes they decoded") {
  std::mutex mutex;
  std::vector<PlanCache::Key> keys;
  PlanImprover improver([&](const PlanCache::Key& key, const auto&) {
    const std::lock_guard lock(mutex);
    keys.push_back(key);
  });
  constexpr std::uint64_t kPaying = PlanImprover::kPayingBytes;
  improver.offer(kKey, kPaying - 1, 4096);
  improver.offer(kKey, kPaying + 4095, 4096);
  improver.offer(kKey, kPaying + 4096, 4096);
  improver.offer(kKey, 64 * kPaying, 4096);
  improver.offer({3}, kPaying, 4096);
  while (improver.improved() < 2) std::this_thread::yield();
  const std::lock_guard lock(mutex);
  CHECK(keys == std::vector{kKey, PlanCache::Key{3}});
}

TEST_CASE("A codec that goes away does not wait for plans to be made anew") {
  EndlessWork work;
  {
    PlanImprover improver(
        [&](const PlanCache::Key&, const auto& stop_requested) { work.run(stop_requested); });
    improver.offer(kKey, PlanImprover::kPayingBytes, 4096);
    while (work.begun == 0) std::this_thread::yield();
  }
  CHECK(work.stopped == 1);
}

TEST_CASE("A child process that inherits a thread's work does without it") {
  EndlessWork work;
  auto improver = std::make_unique<PlanImprover>(
      [&](const PlanCache::Key&, const auto& stop_requested) { work.run(stop_requested); });
  improver->offer(kKey, PlanImprover::kPayingBytes, 4096);
  while (work.begun == 0) std::this_thread::yield();
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::alarm(20);
    improver->offer({3}, PlanImprover::kPayingBytes, 4096);
    improver.reset();
    ::_exit(0);
  }
  int status = -1;
  CHECK(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

TEST_CASE("No process forks while a thread keeps that from it") {
  std::atomic<bool> is_held{false};
  std::atomic<bool> is_over{false};
  std::thread keeper([&] {
    const ForkGuard guard;
    is_held = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    is_over = true;
  });
  while (!is_held) std::this_thread::yield();
  const pid_t child = ::fork();
  if (child == 0) ::_exit(is_over ? 0 : 1);
  int status = -1;
  CHECK(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  keeper.join();
}

}  // namespace
}  // namespace xorloom
