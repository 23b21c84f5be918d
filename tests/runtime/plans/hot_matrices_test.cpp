#include "runtime/plans/hot_matrices.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>

#include "codes/families/families.hpp"
#include "codes/linear_map.hpp"
#include "codes/text/error.hpp"
#include "runtime/plans/plan.hpp"
#include "runtime/plans/quick_plans.hpp"

namespace xorloom {
namespace {

constexpr std::uint64_t kNanoseconds = 1000;  ///< expected time to make a plan, in ns
constexpr std::uint64_t kCall = 500 * kWorkOfNanosecond;

/// A clock that advances by `for_each` ns whenever a plan is made.
std::uint64_t now = 0;
std::uint64_t for_each = kNanoseconds;
std::uint64_t told() { return now; }

Plan small_plan() {
  now += for_each;
  const Code code = make_code("rs:k=2,m=1");
  return make_plan(code, encoding_map(code), plan_options(Options{}));
}

/// Calls until a plan is answered, at most `most`.
std::size_t calls_until_plan(HotMatrices& matrices, const HotMatrices::Key& key,
                             std::size_t most = 100'000) {
  for (std::size_t calls = 1; calls <= most; ++calls) {
    if (matrices.find(key, kCall, small_plan)) return calls;
  }
  return 0;
}

}  // namespace

TEST_CASE("a plan is made once calls have taken four times as long, and then it is kept") {
  HotMatrices matrices(std::size_t{1} << 20, kNanoseconds, told);
  CHECK(calls_until_plan(matrices, {1, 2, 3}) == 8);
  for (int call = 0; call < 5; ++call) {
    CHECK(matrices.find({1, 2, 3}, kCall, []() -> Plan {
      fail(Status::kInternal, "a plan that is kept is made again");
    }));
  }
  CHECK(matrices.counts().plans == 1);
}

TEST_CASE("after a plan took long, others have to pay more") {
  HotMatrices matrices(std::size_t{1} << 20, kNanoseconds, told);
  for_each = 41 * kNanoseconds;
  REQUIRE(calls_until_plan(matrices, {1}) == 8);
  for_each = kNanoseconds;
  CHECK(calls_until_plan(matrices, {2}) == 88);  // a quarter of the last one counts
}

TEST_CASE("a matrix without a plan is asked for again after as many calls as before") {
  HotMatrices matrices(std::size_t{1} << 20, kNanoseconds, told);
  int makings = 0;
  for (int call = 0; call < 24; ++call) {
    CHECK_FALSE(matrices.find({5}, kCall, [&]() -> Plan {
      ++makings;
      fail(Status::kUnsupported, "there is none");
    }));
  }
  CHECK(makings == 3);
}

TEST_CASE("more matrices than plans fit stay without plans, nearly always, in bounded memory") {
  constexpr std::size_t kPlans = 64;
  const std::size_t bytes = kPlans * memory_bytes(small_plan());
  HotMatrices matrices(bytes, kNanoseconds, told);
  std::size_t makings = 0;
  const auto make = [&] {
    ++makings;
    return small_plan();
  };
  constexpr std::uint32_t kMatrices = 1820;
  for (int round = 0; round < 20; ++round) {
    for (std::uint32_t i = 0; i < kMatrices; ++i) {
      static_cast<void>(matrices.find({i, 77}, 2 * kCall, make));
    }
  }
  CHECK(makings > kPlans / 2);
  CHECK(makings < kMatrices);  // in 36,400 calls
  CHECK(matrices.counts().bytes <= bytes);
}

}  // namespace xorloom
