#include "runtime/plans/prediction.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "codes/families/families.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/cost.hpp"
#include "runtime/engine/program_code.hpp"
#include "runtime/plans/plan.hpp"
#include "runtime/plans/plan_explanation.hpp"

namespace xorloom {
namespace {

/// Rates with a different value for each limit. A cycle takes a second, so seconds are cycles.
constexpr CoreRates kSlow{1, 4, 2, 2, 1, 1, 1000, 100, 10};

TileCounts tile_of_counts(std::size_t instructions, std::size_t operations, std::size_t loads,
                          std::size_t stores, std::size_t multiplications) {
  return {instructions, operations, loads, stores, multiplications, 10, 4, 64, 0};
}

PlanOptions options_on(Isa isa) {
  PlanOptions options;
  options.isa = isa;
  return options;
}

PlanExplanation explanation_of(const Code& code, const PlanOptions& options) {
  return explanation_of(code, encoding_map(code), options);
}

}  // namespace

TEST_CASE("The scarcest of what a tile needs says how long it takes") {
  const auto seconds = [](const TileCounts& tile) {
    return predicted_seconds(tile, Level::kL1, kSlow);
  };
  CHECK(seconds(tile_of_counts(400, 0, 0, 0, 0)) == 100);
  CHECK(seconds(tile_of_counts(400, 300, 0, 0, 0)) == 150);
  CHECK(seconds(tile_of_counts(400, 300, 320, 0, 0)) == 160);
  CHECK(seconds(tile_of_counts(400, 300, 320, 170, 0)) == 170);
  CHECK(seconds(tile_of_counts(400, 300, 320, 170, 180)) == 180);
}

TEST_CASE("Past L1 moving the bytes takes time beside computing") {
  const TileCounts tile = tile_of_counts(1600, 1, 1, 1, 0);  // 400 s; 896 bytes
  CHECK(predicted_seconds(tile, Level::kL1, kSlow) == 400);
  CHECK(predicted_seconds(tile, Level::kL2, kSlow) == doctest::Approx(std::hypot(400, 0.896)));
  CHECK(predicted_seconds(tile, Level::kL3, kSlow) == doctest::Approx(std::hypot(400, 8.96)));
  CHECK(predicted_seconds(tile, Level::kMemory, kSlow) == doctest::Approx(std::hypot(400, 89.6)));
}

TEST_CASE("The ordinary core copies ten chunks into four as fast as it is said to") {
  const TileCounts tile = tile_of_counts(24, 10, 10, 4, 0);
  const auto gigabytes = [&](Level level) { return 640 / predicted_seconds(tile, level) / 1e9; };
  CHECK(gigabytes(Level::kL2) == doctest::Approx(80).epsilon(0.01));
  CHECK(gigabytes(Level::kL3) == doctest::Approx(25).epsilon(0.01));
  CHECK(gigabytes(Level::kMemory) == doctest::Approx(12.1).epsilon(0.01));
}

TEST_CASE("A stripe is in the first cache it fits") {
  const CacheSizes caches{100, 1000, 10'000};
  CHECK(level_of(caches, 100) == Level::kL1);
  CHECK(level_of(caches, 101) == Level::kL2);
  CHECK(level_of(caches, 10'000) == Level::kL3);
  CHECK(level_of(caches, 10'001) == Level::kMemory);
  CHECK(to_string(Level::kMemory) == std::string("DRAM"));
}

TEST_CASE("The choices for a code are those its plan is made by") {
  for (const char* spec : {"cauchy-good:k=10,m=4,w=8", "cauchy:k=4,m=2,w=3,packet_bytes=4096",
                           "rs:k=10,m=4", "isa-cauchy:k=5,m=3", "rs:k=4,m=2,w=16"}) {
    const Code code = make_code(spec);
    const LinearMap map = encoding_map(code);
    for (const Isa isa : machine_isas()) {
      CAPTURE(spec);
      CAPTURE(to_string(isa));
      const PlanExplanation explanation = explanation_of(code, options_on(isa));
      const Plan plan = make_plan(code, map, options_on(isa));
      const Computation& computation = *PlanAccess::impl_of(plan).computation;
      const bool has_code = computation.has_code();
      CHECK((explanation.engine == Engine::kCode) == has_code);
      CHECK(explanation.why_kernels.empty() == has_code);
      CHECK((explanation.work.tile.code_bytes > 0) == has_code);
      CHECK(explanation.work.tile.code_bytes <= kMostCodeBytes);
      CHECK(explanation.cost == PlanAccess::impl_of(plan).computation->cost());
      CHECK(explanation.work.chunks == PlanAccess::impl_of(plan).needed.size());
      CHECK(explanation.work.tile.instructions >= explanation.work.tile.operations);
      CHECK(explanation.work.tile.vectors_read % map.inputs.size() == 0);
      CHECK(explanation.work.tile.vectors_written >= map.outputs.size());
    }
  }
}

TEST_CASE("Machine code of a tile multiplies as often as its map, dyadic blocks less often") {
  PlanOptions options = options_on(machine_isas().back());
  if (!has_gfni(options.isa) || !vector_machine(options.isa)) return;
  const Code code = make_code("isa-cauchy:k=10,m=4");
  const PlanExplanation with_code = explanation_of(code, options);
  options.engine = Engine::kKernels;
  const PlanExplanation with_kernels = explanation_of(code, options);
  CHECK(with_kernels.work.tile.multiplications == 40);
  CHECK(with_code.work.tile.multiplications < 2 * 40);  // two vectors per tile
  CHECK(with_kernels.why_kernels == "asked for");
}

TEST_CASE("Sums of sums have machine code, or the reason why not is that of any program") {
  for (const Isa isa : machine_isas()) {
    if (!vector_machine(isa)) continue;
    CAPTURE(to_string(isa));
    CHECK(explanation_of(make_code("clay:k=4,m=2"), options_on(isa)).engine == Engine::kCode);
    const PlanExplanation wide = explanation_of(make_code("clay:k=8,m=4"), options_on(isa));
    CHECK(wide.engine == Engine::kKernels);
    CHECK(wide.why_kernels == "the code would exceed 24576 bytes");
  }
}

TEST_CASE("Kernels are chosen with a reason where machine code cannot be") {
  const auto why = [](const char* spec, Isa isa) {
    return explanation_of(make_code(spec), options_on(isa)).why_kernels;
  };
  CHECK(why("rs:k=3,m=2", Isa::kPortable) == "no machine code is written for portable");
  const Isa best = machine_isas().back();
  if (!vector_machine(best)) return;
  CHECK(why("cauchy:k=3,m=2,w=3,packet_bytes=8", best) ==
        "packets of 8 bytes are not a multiple of 32");
  CHECK(why("cauchy:k=3,m=2,w=3,packet_bytes=8192", best) == "packets of 8192 bytes exceed 4096");
  CHECK(why("cauchy:k=60,m=8,w=8", best) == "15344 XORs exceed 8192");
  CHECK(why("rs:k=3,m=2,w=16", best) == "symbols of 16 bits exceed 8");
}

TEST_CASE("Where machine code is demanded and there is none, an explanation fails like a plan") {
  const Isa best = machine_isas().back();
  if (!vector_machine(best)) return;
  PlanOptions options = options_on(best);
  options.engine = Engine::kCode;
  const std::pair<const char*, const char*> without[] = {
      {"rs:k=3,m=2,w=16", ": symbols of 16 bits exceed 8"},
      {"cauchy:k=60,m=8,w=8", ": 15344 XORs exceed 8192"},
      {"cauchy:k=3,m=2,w=3,packet_bytes=8", ": packets of 8 bytes are not a multiple of 32"},
      {"clay:k=8,m=4", ": the code would exceed 24576 bytes"}};
  for (const auto& each : without) {
    const char* const spec = each.first;
    const char* const why = each.second;
    CAPTURE(spec);
    const Code code = make_code(spec);
    const auto refusal = [](const auto& make) -> std::string {
      try {
        make();
      } catch (const Error& error) {
        return error.what();
      }
      return "";
    };
    const std::string of_plan = refusal([&] { make_plan(code, encoding_map(code), options); });
    CHECK(of_plan.ends_with(why));
    CHECK(refusal([&] { explanation_of(code, options); }) == of_plan);
  }
  CHECK(explanation_of(make_code("rs:k=3,m=2"), options).engine == Engine::kCode);
}

TEST_CASE("Style and XORs are told for packets, direct ones where they are asked for") {
  const Code code = make_code("cauchy-good:k=10,m=4,w=8");
  PlanOptions options = options_on(Isa::kPortable);
  const PlanExplanation shared = explanation_of(code, options);
  CHECK(shared.style == EquationForm::kIterative);
  REQUIRE(shared.shared_xors);
  CHECK(*shared.shared_xors < shared.direct_xors);
  options.style = EquationForm::kDirect;
  const PlanExplanation direct = explanation_of(code, options);
  CHECK(direct.style == EquationForm::kDirect);
  CHECK_FALSE(direct.shared_xors);
  CHECK(direct.direct_xors == shared.direct_xors);
  CHECK(direct.direct_xors == xors(direct_program(code, encoding_map(code))));
}

}  // namespace xorloom
