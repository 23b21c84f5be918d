#include "runtime/stripes/locate_errors.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <string_view>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/linear_map.hpp"
#include "runtime/plans/plan.hpp"
#include "tests/support/sanitizers.hpp"
#include "tests/support/stripe.hpp"
#include "xorloom/xorloom.h"

namespace xorloom {
namespace {

using Locations = std::vector<std::size_t>;
using Verdict = ErrorLocation::Verdict;

/// A code with a stripe of random data, encoded.
struct Scene {
  explicit Scene(std::string_view spec, std::size_t multiples = 2)
      : code(make_code(spec)),
        encoding(make_plan(code, encoding_map(code), plan_options({}))),
        stripe(code.locations, multiples * chunk_multiple(code), 5) {
    REQUIRE(encoding.run(stripe.chunks(), stripe.chunk_bytes()) == Status::kOk);
  }

  ErrorLocation locate(const Stripe& of, const Locations& lost = {}) const {
    return locate_errors(code, encoding, lost, of.chunks(), of.chunk_bytes());
  }

  Code code;
  Plan encoding;
  Stripe stripe;
};

/// Changes a chunk: one bit, some bytes in a row, or all of it.
void spoil(Stripe& stripe, std::size_t location, std::mt19937& random) {
  const std::span<std::uint8_t> chunk = stripe.chunk(location);
  const std::size_t kind = random() % 3;
  const std::size_t begin = kind == 2 ? 0 : random() % chunk.size();
  chunk[begin] ^= static_cast<std::uint8_t>(kind == 0 ? 1U << random() % 8 : 1 + random() % 255);
  const std::size_t end = kind == 0   ? begin + 1
                          : kind == 1 ? std::min(chunk.size(), begin + 1 + random() % 16)
                                      : chunk.size();
  for (std::size_t i = begin + 1; i < end; ++i) chunk[i] ^= static_cast<std::uint8_t>(random());
}

/// Fills chunks with other bytes.
void scramble(Stripe& stripe, const Locations& locations, std::mt19937& random) {
  for (const std::size_t location : locations) {
    for (std::uint8_t& byte : stripe.chunk(location)) byte = static_cast<std::uint8_t>(random());
  }
}

/// Different ones, ascending.
Locations some_of(std::size_t locations, std::size_t count, std::mt19937& random) {
  Locations all(locations);
  for (std::size_t i = 0; i < locations; ++i) all[i] = i;
  std::shuffle(all.begin(), all.end(), random);
  all.resize(count);
  std::sort(all.begin(), all.end());
  return all;
}

TEST_CASE("Of 10 + 4, every one and every two wrong chunks are found, and no verdict is wrong") {
  std::mt19937 random(7);
#ifdef XORLOOM_IS_SANITIZED
  const std::size_t trials = 200;
#else
  const std::size_t trials = 3400;
#endif
  for (const char* const spec :
       {"cauchy-good:k=10,m=4,w=8", "rs:k=10,m=4", "cauchy-good:k=10,m=4,w=4"}) {
    CAPTURE(spec);
    const Scene scene(spec);
    for (std::size_t trial = 0; trial < trials; ++trial) {
      const Locations wrong = some_of(14, 1 + trial % 2, random);
      Stripe stripe = scene.stripe;
      for (const std::size_t location : wrong) spoil(stripe, location, random);
      const ErrorLocation found = scene.locate(stripe);
      REQUIRE(found.verdict == Verdict::kLocated);
      REQUIRE(found.wrong == wrong);
      REQUIRE(found.unique_up_to == 4 - wrong.size());
    }
  }
}

TEST_CASE("A codec names wrong chunks to its callers, in C++ and in C") {
  std::mt19937 random(3);
  for (const Family* family : families()) {
    if (family->name == "file") continue;
    CAPTURE(family->example);
    const Codec codec(family->example);
    Stripe stripe(codec.info().locations, 2 * codec.chunk_multiple(), 5);
    REQUIRE(codec.encode(stripe.chunks(), stripe.chunk_bytes()) == Status::kOk);
    CHECK(codec.locate_errors(stripe.chunks(), stripe.chunk_bytes()) == ErrorLocation{});
    spoil(stripe, 1, random);
    const ErrorLocation found = codec.locate_errors(stripe.chunks(), stripe.chunk_bytes());
    CHECK(found == locate_errors(make_code(family->example), codec.encoding(), {}, stripe.chunks(),
                                 stripe.chunk_bytes()));
    CHECK(found.verdict != Verdict::kConsistent);
  }
  xl_codec* codec = nullptr;
  REQUIRE(xl_codec_create("rs:k=10,m=4", nullptr, &codec) == XL_OK);
  Stripe stripe(14, 64, 5);
  REQUIRE(xl_encode(codec, stripe.chunks(), 64) == XL_OK);
  std::vector<std::uint8_t*> chunks(stripe.chunks(), stripe.chunks() + 14);
  std::vector<int> wrong(14, -1);
  xl_error_location found{};
  found.size = sizeof found;
  const auto located = [&](std::initializer_list<int> lost) {
    return xl_locate_errors(codec, chunks.data(), 64, lost.begin(), static_cast<int>(lost.size()),
                            wrong.data(), &found);
  };
  REQUIRE(located({}) == XL_OK);
  CHECK(found.verdict == XL_CONSISTENT);
  CHECK(found.num_wrong == 0);
  CHECK(wrong == std::vector<int>(14, -1));
  for (const std::size_t location : {3U, 12U}) spoil(stripe, location, random);
  REQUIRE(located({}) == XL_OK);
  CHECK(found.verdict == XL_LOCATED);
  CHECK(found.num_wrong == 2);
  CHECK(wrong[0] == 3);
  CHECK(wrong[1] == 12);
  CHECK(wrong[2] == -1);
  CHECK(found.unique_up_to == 2);
  // Lost chunks take from what the others tell, and their pointers are not used.
  chunks[0] = nullptr;
  CHECK(located({}) == XL_INVALID_ARGUMENT);
  REQUIRE(located({12, 0}) == XL_OK);
  CHECK(found.num_wrong == 1);
  CHECK(found.unique_up_to == 1);
  CHECK(wrong[0] == 3);
  CHECK(located({0, 0}) == XL_INVALID_ARGUMENT);
  CHECK(located({0, 14}) == XL_INVALID_ARGUMENT);
  CHECK(xl_locate_errors(codec, stripe.chunks(), 64, nullptr, 15, wrong.data(), &found) ==
        XL_INVALID_ARGUMENT);
  CHECK(xl_locate_errors(codec, stripe.chunks(), 63, nullptr, 0, wrong.data(), nullptr) ==
        XL_INVALID_ARGUMENT);
  found.size = 3;
  CHECK(located({12, 0}) == XL_INVALID_ARGUMENT);
  xl_codec_destroy(codec);
}

TEST_CASE("Three wrong chunks of 10 + 4 are found where their errors tell, else it is said") {
  std::mt19937 random(8);
  const Scene scene("rs:k=10,m=4", 64);
  std::size_t num_found = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Locations wrong = some_of(14, 3, random);
    Stripe stripe = scene.stripe;
    scramble(stripe, wrong, random);
    const ErrorLocation found = scene.locate(stripe);
    REQUIRE(found.verdict == Verdict::kLocated);
    REQUIRE(found.wrong == wrong);
    CHECK(found.unique_up_to == 0);
    CHECK(!found.is_smallest());
    ++num_found;
    for (const std::size_t location : some_of(14, 6, random)) spoil(stripe, location, random);
    CHECK(scene.locate(stripe).verdict != Verdict::kConsistent);
  }
  CHECK(num_found == 300);
}

TEST_CASE("Four wrong chunks of 10 + 4 cannot be told") {
  std::mt19937 random(9);
  const Scene scene("rs:k=10,m=4", 64);
  for (int trial = 0; trial < 100; ++trial) {
    Stripe stripe = scene.stripe;
    scramble(stripe, some_of(14, 4, random), random);
    CHECK(scene.locate(stripe).verdict == Verdict::kUnknown);
  }
}

TEST_CASE("What is lost does not matter, and takes as much from what can be told") {
  std::mt19937 random(10);
  const Scene scene("cauchy-good:k=10,m=4,w=8");
  for (int trial = 0; trial < 300; ++trial) {
    const Locations chosen = some_of(14, 3, random);
    const Locations lost{std::min(chosen[0], chosen[2]), std::max(chosen[0], chosen[2])};
    Stripe stripe = scene.stripe;
    for (const std::size_t location : lost) stripe.lose(location);
    CHECK(scene.locate(stripe, lost).verdict == Verdict::kConsistent);
    spoil(stripe, chosen[1], random);
    const ErrorLocation found = scene.locate(stripe, lost);
    REQUIRE(found.verdict == Verdict::kLocated);
    CHECK(found.wrong == Locations{chosen[1]});
    CHECK(found.unique_up_to == 1);
    // With another one lost, one redundant chunk is left: it tells that something is wrong.
    Locations more = lost;
    const std::size_t other = chosen[1] == 0 || chosen[0] == 0 ? (chosen[2] == 13 ? 12 : 13) : 0;
    if (std::ranges::find(chosen, other) != chosen.end()) continue;
    more.push_back(other);
    std::ranges::sort(more);
    stripe.lose(other);
    CHECK(scene.locate(stripe, more).verdict == Verdict::kUnknown);
  }
}

TEST_CASE("Every family's stripe is consistent, and what cannot be told is not told wrongly") {
  std::mt19937 random(11);
  for (const Family* family : families()) {
    if (family->name == "file") continue;
    CAPTURE(family->example);
    const Scene scene(family->example);
    CHECK(scene.locate(scene.stripe).verdict == Verdict::kConsistent);
    for (std::size_t location = 0; location < scene.code.locations; ++location) {
      Stripe stripe = scene.stripe;
      spoil(stripe, location, random);
      const ErrorLocation found = scene.locate(stripe);
      CAPTURE(location);
      CHECK(found.verdict != Verdict::kConsistent);
      if (scene.code.promised_losses < 2) continue;
      REQUIRE(found.verdict == Verdict::kLocated);
      CHECK(found.wrong == Locations{location});
      CHECK(found.is_smallest());
    }
    CHECK(scene.stripe.guards_intact());
  }
}

TEST_CASE("Other wrong chunks than those found come to the same, if they are more than it says") {
  const Scene scene("rs:k=4,m=2", 64);
  Stripe stripe = scene.stripe;
  for (const std::size_t location : {0UL, 1UL}) stripe.chunk(location)[3] ^= 16;
  const ErrorLocation found = scene.locate(stripe);
  REQUIRE(found.verdict == Verdict::kLocated);
  CHECK(found.wrong.size() == 1);
  CHECK(found.wrong != Locations{0});
  CHECK(found.unique_up_to == 1);
  CHECK(found.is_smallest());
}

TEST_CASE("Many wrong chunks of a wide code are found without trying all sets") {
  std::mt19937 random(12);
  const Scene scene("leopard:k=223,m=32", 64);
  const Locations wrong = some_of(255, 11, random);
  Stripe stripe = scene.stripe;
  scramble(stripe, wrong, random);
  const ErrorLocation found = scene.locate(stripe);
  CHECK(found.verdict == Verdict::kLocated);
  CHECK(found.wrong == wrong);
  CHECK(found.unique_up_to == 32 - 11);
}

}  // namespace
}  // namespace xorloom
