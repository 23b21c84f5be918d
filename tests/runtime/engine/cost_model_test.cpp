#include "runtime/engine/cost_model.hpp"

#include <doctest/doctest.h>

#include "codes/families/families.hpp"
#include "equations/build/direct.hpp"
#include "runtime/engine/plan_options.hpp"
#include "runtime/engine/program_code.hpp"
#include "tests/runtime/engine/graph_scene.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kKiB = 1024;
constexpr std::size_t kMiB = 1024 * kKiB;

// Machines that were made up, each odd in one way.
constexpr Machine kDesktop{{32 * kKiB, kMiB, 32 * kMiB}, 8};
constexpr Machine kSmall{{16 * kKiB, 128 * kKiB, 512 * kKiB}, 4};
constexpr Machine kWithoutL3{{64 * kKiB, 2 * kMiB, 2 * kMiB}, 4};  // L3 counts as large as L2
constexpr Machine kGuest{{48 * kKiB, 2 * kMiB, 128 * kMiB}, 2};    // told of its host's L3
constexpr Machine kOneCore{{32 * kKiB, kMiB, 8 * kMiB}, 1};

constexpr Execution kAll{Executor::kAuto, 0};
constexpr std::size_t kCost = 400;  // XORs of a column, about those of 10 + 4

}  // namespace

TEST_CASE("Stores go past the caches from half of L3 on") {
  CHECK(non_temporal_bytes(kDesktop) == 16 * kMiB);
  CHECK(non_temporal_bytes(kSmall) == 256 * kKiB);
  CHECK(non_temporal_bytes(kOneCore) == 4 * kMiB);
  CHECK(stores_for(kDesktop, 16 * kMiB) == Stores::kOrdinary);
  CHECK(stores_for(kDesktop, 16 * kMiB + 1) == Stores::kNonTemporal);
}

TEST_CASE("What fits L2 is stored there, whatever L3 is") {
  CHECK(non_temporal_bytes(kWithoutL3) == 2 * kMiB);
  CHECK(non_temporal_bytes(kGuest) == 2 * kMiB);
  for (const Machine& machine : {kDesktop, kSmall, kWithoutL3, kGuest, kOneCore}) {
    CHECK(stores_for(machine, machine.caches.l2) == Stores::kNear);
    CHECK(stores_for(machine, machine.caches.l2 + 1) != Stores::kNear);
    CHECK(stores_for(machine, 1024 * kMiB) == Stores::kNonTemporal);
  }
}

TEST_CASE("Twelve ways hold lines of ten streams at one place of a page, eight need a kernel") {
  CHECK_FALSE(wants_crowded_kernel(kGuest, 10));
  CHECK(wants_crowded_kernel(kGuest, 11));
  for (const Machine& machine : {kDesktop, kSmall, kOneCore})
    CHECK(wants_crowded_kernel(machine, 2));
}

TEST_CASE("Equations share sums without being asked where that is found quickly") {
  CHECK(form_for(EquationForm::kAuto, kQuicklyShared) == EquationForm::kIterative);
  CHECK(form_for(EquationForm::kAuto, kQuicklyShared + 1) == EquationForm::kDirect);
  CHECK(form_for(EquationForm::kDirect, 1) == EquationForm::kDirect);
  CHECK(form_for(EquationForm::kIterative, 1'000'000) == EquationForm::kIterative);
}

TEST_CASE("Threads share a stripe from so much work on, or from nothing where that is asked for") {
  const std::size_t enough = columns_worth_sharing(kAll, kCost);
  CHECK(enough == kWorkWorthSharing / kCost);
  const Execution awake{Executor::kAuto, 0, std::chrono::microseconds(100)};
  CHECK(columns_worth_sharing(awake, kCost) == kWorkWorthSharingAwake / kCost);
  CHECK(threads_for(kDesktop, kAll, kCost, enough) == 8);
  CHECK(threads_for(kDesktop, kAll, kCost, enough - 1) == 1);
  CHECK(threads_for(kDesktop, {Executor::kAuto, 3}, kCost, enough) == 3);
  CHECK(threads_for(kDesktop, {Executor::kRanges, 3}, kCost, 64) == 3);
  CHECK(threads_for(kDesktop, {Executor::kGraph, 0}, kCost, 64) == 8);
  CHECK(threads_for(kDesktop, {Executor::kAuto, 1}, kCost, enough) == 1);
  CHECK(threads_for(kOneCore, kAll, kCost, enough) == 1);
}

TEST_CASE("A plan for cores is made without being asked where kernels would run, and pays") {
  const auto encoding = [](const char* spec, const Program& program, bool wants_code) {
    PlanOptions options{.isa = machine_isas().back()};
    if (!wants_code) options.engine = Engine::kKernels;
    return make_computation(make_code(spec), program, options);
  };
  const auto direct = [](const char* spec) { return direct_encoding(make_code(spec)); };
  const Execution two{Executor::kAuto, 2};
  const Execution awake{Executor::kAuto, 2, std::chrono::microseconds(100)};
  constexpr const char* kSmallCode = "cauchy-good:k=4,m=2,w=8";
  constexpr const char* kLargeCode = "cauchy-good:k=28,m=12,w=8";
  const auto small = encoding(kSmallCode, direct(kSmallCode), false);
  const auto large = encoding(kLargeCode, direct(kLargeCode), false);
  CHECK(is_worth_a_plan(*small, two, true));
  CHECK_FALSE(is_worth_a_plan(*small, two, false));
  CHECK_FALSE(is_worth_a_plan(*small, awake, false));
  CHECK_FALSE(is_worth_a_plan(*large, two, true));  // halves are too long, too
  CHECK(is_worth_a_plan(*large, awake, false));     // but each tile takes microseconds
  for (const Execution& other : {Execution{Executor::kAuto, 1}, Execution{Executor::kRanges, 2}}) {
    CHECK_FALSE(is_worth_a_plan(*small, other, true));
  }
  const auto with_code = encoding(kSmallCode, direct(kSmallCode), true);
  if (with_code->has_code()) CHECK_FALSE(is_worth_a_plan(*with_code, awake, true));
}

TEST_CASE("A plan is faster than ranges if it has machine code, or for less than a tile a thread") {
  const Code code = make_code("cauchy-good:k=4,m=2,w=8");
  const SpreadProgram two = dealt_out(direct_encoding(code), 2);
  const auto graph = [&](Isa isa) {
    return TaskGraph(code, parts_on_cores(two, values_per_location(code)), {.isa = isa});
  };
  const TaskGraph kernels = graph(Isa::kPortable);
  CHECK_FALSE(kernels.has_code());
  CHECK(is_plan_faster(kernels, 64, 2));
  CHECK_FALSE(is_plan_faster(kernels, 128, 2));
  const TaskGraph code_of_each = graph(machine_isas().back());
  CHECK(is_plan_faster(code_of_each, 100'000, 2) == code_of_each.has_code());
}

TEST_CASE("Work of no cost is never worth sharing before there is a lot of it") {
  CHECK(columns_worth_sharing(kAll, 0) == kWorkWorthSharing);
  CHECK(columns_worth_sharing(kAll, 2 * kWorkWorthSharing) == 1);
}

TEST_CASE("This machine has cores and caches that grow with the level") {
  const Machine& machine = this_machine();
  CHECK(machine.cores >= 1);
  CHECK(non_temporal_bytes(machine) >= machine.caches.l2);
}

}  // namespace xorloom
