#include "runtime/transforms/transform_decoder.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/oracle.hpp"
#include "runtime/engine/codewords.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/stripe.hpp"

namespace xorloom {
namespace {

using Set = std::vector<std::size_t>;

Set random_losses(const Code& code, std::size_t count, std::mt19937& random) {
  Set all(code.locations);
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::ranges::shuffle(all, random);
  all.resize(count);
  return all;
}

}  // namespace

TEST_CASE("Any losses are decoded by transforms, with each instruction set and at each size") {
  std::mt19937 random(2);
  for (const char* spec : {"leopard:k=2,m=2", "leopard:k=5,m=2", "leopard:k=13,m=9",
                           "leopard:k=3,m=20", "leopard:k=128,m=128", "leopard:k=5,m=2,w=16",
                           "leopard:k=70,m=33,w=16", "leopard:k=300,m=60"}) {
    CAPTURE(spec);
    const Code code = make_code(spec);
    const std::size_t unit = chunk_multiple(code);
    for (const Isa isa : machine_isas()) {
      CAPTURE(to_string(isa));
      const auto decoder = TransformDecoder::make(code, isa);
      REQUIRE(decoder);
      for (const std::size_t units : {std::size_t{1}, 130 / unit + 1, 1400 / unit + 3}) {
        const Stripe stripe(code.locations, units * unit, 7, 13);
        oracle(code, encoding_map(code), stripe.chunks(), units * unit);
        for (int trial = 0; trial < 3; ++trial) {
          const std::size_t count = trial == 0 ? code.m : 1 + random() % code.m;
          const Set lost = random_losses(code, count, random);
          Set wanted = lost;
          if (trial == 2) wanted.resize((count + 1) / 2);
          const auto made = decoder->decoding(lost, trial == 0 ? Set{} : wanted);
          REQUIRE(made);
          CHECK(made->cells.inputs.size() == code.k);
          Stripe broken = stripe;
          for (const std::size_t location : wanted) broken.lose(location);
          made->kernels->run(broken.chunks(), units * unit, 0, units * unit,
                             trial == 1 ? Stores::kNonTemporal : Stores::kOrdinary);
          CHECK(broken == stripe);
          CHECK(broken.guards_intact());
        }
      }
    }
  }
}

TEST_CASE("The rows by a locator are those of the recovery map") {
  std::mt19937 random(4);
  for (const char* spec : {"leopard:k=13,m=9", "leopard:k=100,m=40", "leopard:k=20,m=70,w=16"}) {
    const Code code = make_code(spec);
    const auto decoder = TransformDecoder::make(code, machine_isas().front());
    REQUIRE(decoder);
    for (std::size_t losses = 1; losses <= code.m; losses += 1 + random() % 4) {
      Set lost = random_losses(code, losses, random);
      if (std::ranges::none_of(lost, [&](std::size_t l) { return l < code.k; })) lost[0] = 0;
      std::ranges::sort(lost);
      lost.erase(std::unique(lost.begin(), lost.end()), lost.end());
      const auto map = decoder->map(lost, {});
      REQUIRE(map);
      const LinearMap expected = decoding_map(code, lost);
      CHECK(map->inputs == expected.inputs);
      CHECK(map->outputs == expected.outputs);
      CHECK(map->coefficients == expected.coefficients);
    }
  }
}

TEST_CASE("Transforms with a wrong factor, in any pass, are refused") {
  for (const char* spec : {"leopard:k=100,m=40", "leopard:k=70,m=33,w=16"}) {
    CAPTURE(spec);
    const Code code = make_code(spec);
    const Codewords codewords(code);
    const Isa isa = machine_isas().front();
    const auto decoder = TransformDecoder::make(code, isa);
    const auto all = TransformKernels::make_decoding_of_all(code, isa);
    Set lost;
    for (std::size_t i = 0; i < code.m; ++i) lost.push_back(2 * i);
    const auto made = decoder->decoding(lost, {});
    REQUIRE(made);
    const TransformKernels::Decoding given = made->kernels->decoding();
    CHECK_NOTHROW(codewords.check(made->cells, *all->with(given)));
    const auto is_there = [](const std::vector<std::uint32_t>& places, std::size_t first,
                             std::size_t rows) {
      const auto begin = places.begin() + static_cast<std::ptrdiff_t>(first);
      return std::any_of(begin, begin + static_cast<std::ptrdiff_t>(rows),
                         [](std::uint32_t place) { return place < PlacedTransforms::kNowhere; });
    };
    const std::size_t size = all->form().bytes();
    std::vector<std::size_t> refused(kTransformKinds);
    for (const TransformStep& step : test::sample_if_sanitized(all->passes().steps(), 60)) {
      using enum TransformKind;
      const std::size_t rows = std::size_t{1} << step.levels;
      const std::size_t block = rows * step.distance;
      // Constants of the first block may be 0 that nobody looks at, and zeros have any factor.
      if (step.is_clear || step.row == 0) continue;
      if (step.row + block > code.transform_points + code.k) continue;
      bool counts = true;
      std::size_t constant = step.first_constant + rows - 2;
      if (step.kind == kScaledInputs) {
        constant = step.first_constant;
        counts = is_there(given.location_of_input, step.row, 1);
      } else if (step.kind == kScaledOutputs) {
        constant = step.first_constant + rows - 1;
        counts = is_there(given.place_of_output, step.row, 1);
      } else if (step.is_down()) {
        counts = is_there(given.place_of_output, step.row, block);
      }
      TransformKernels::Decoding wrong = given;
      std::uint8_t* const factor = wrong.factors.data() + constant * size;
      all->form().write(77, factor);
      if (wrong.factors == given.factors) all->form().write(78, factor);
      const auto kernels = all->with(wrong);
      if (counts) {
        CHECK_THROWS_AS(codewords.check(made->cells, *kernels), Error);
        ++refused[static_cast<std::size_t>(step.kind)];
      } else {
        CHECK_NOTHROW(codewords.check(made->cells, *kernels));
      }
    }
    for (const TransformKind kind : {TransformKind::kScaledInputs, TransformKind::kUp,
                                     TransformKind::kDownDerived, TransformKind::kScaledOutputs}) {
      CAPTURE(static_cast<std::size_t>(kind));
      CHECK(refused[static_cast<std::size_t>(kind)] != 0);
    }
  }
}

TEST_CASE("The decoder of other losses is refused") {
  const Code code = make_code("leopard:k=20,m=8");
  const auto decoder = TransformDecoder::make(code, machine_isas().front());
  const auto some = decoder->decoding(Set{1, 2, 3}, {});
  const auto others = decoder->decoding(Set{1, 2, 4}, {});
  REQUIRE(some);
  REQUIRE(others);
  CHECK_NOTHROW(decoder->codewords().check(some->cells, *some->kernels));
  CHECK_THROWS_AS(decoder->codewords().check(some->cells, *others->kernels), Error);
}

TEST_CASE("Sets that are none, and too many losses, have no decoder") {
  const Code code = make_code("leopard:k=6,m=3");
  const auto decoder = TransformDecoder::make(code, machine_isas().front());
  CHECK(decoder->decoding(Set{0, 1, 2}, {}));
  CHECK(decoder->decoding(Set{6, 7, 8}, {}));
  CHECK(decoder->decoding(Set{0, 1, 8}, Set{8}));
  CHECK_FALSE(decoder->decoding(Set{0, 1, 2, 3}, {}));
  CHECK_FALSE(decoder->decoding(Set{0, 6, 7, 8}, {}));
  CHECK_FALSE(decoder->decoding(Set{0, 0}, {}));
  CHECK_FALSE(decoder->decoding(Set{9}, {}));
  CHECK_FALSE(decoder->decoding(Set{0}, Set{1}));
  CHECK_FALSE(decoder->decoding(Set{0, 1}, Set{1, 1}));
  CHECK_FALSE(TransformDecoder::make(make_code("isa-cauchy:k=4,m=2"), machine_isas().front()));
  CHECK_FALSE(TransformDecoder::make(make_code("leopard:k=1,m=2"), machine_isas().front()));
}

}  // namespace xorloom
