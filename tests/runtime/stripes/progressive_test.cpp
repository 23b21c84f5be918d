#include "xorloom/progressive.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "tests/runtime/face/allocations.hpp"
#include "tests/support/stripe.hpp"

namespace xorloom {
namespace {

using Set = std::vector<std::size_t>;

struct ArrivingCode {
  const char* spec;
  std::size_t losses;  ///< any losses of this number are survived
  bool is_mds;
};

constexpr ArrivingCode kArrivingCodes[] = {
    {"isa-cauchy:k=10,m=4", 4, true},     {"rs:k=3,m=2,w=4", 2, true},
    {"rs:k=5,m=3,w=16", 3, true},         {"rs:k=3,m=2,w=32", 2, true},
    {"leopard:k=5,m=3", 3, true},         {"isa-vandermonde:k=4,m=2", 2, true},
    {"lrc:k=4,m=2,l=3", 2, false},        {"isa-cauchy:k=12,m=12", 12, true},
    {"cauchy:k=3,m=2,w=3", 2, true},      {"cauchy-good:k=6,m=3,w=8,packet_bytes=128", 3, true},
    {"cauchy-good:k=4,m=3,w=4", 3, true}, {"rs:k=5,m=2,arrangement=packet", 2, true},
};

std::string what_happened(const auto& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

TEST_CASE("whatever chunks come first, in any order, the wanted ones are rebuilt") {
  std::mt19937_64 random(5);
  for (const ArrivingCode& code : kArrivingCodes) {
    CAPTURE(std::string(code.spec));
    const Codec codec(code.spec);
    const std::size_t k = codec.info().k;
    const std::size_t locations = codec.info().locations;
    for (int turn = 0; turn < 40; ++turn) {
      CAPTURE(turn);
      const std::size_t chunk_bytes = codec.round_up(1 + random() % (turn < 4 ? 200'000 : 3000));
      Stripe stripe(locations, chunk_bytes, random(), 1);
      REQUIRE(codec.encode(stripe.chunks(), chunk_bytes) == Status::kOk);
      Set order(locations);
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::ranges::shuffle(order, random);
      const Set wanted(order.begin(),
                       order.begin() + static_cast<std::ptrdiff_t>(1 + random() % code.losses));
      Set coming(order.begin() + static_cast<std::ptrdiff_t>(wanted.size()), order.end());
      const Set named = random() % 2 == 0 ? Set{} : coming;
      ProgressiveDecoder decoder(codec, wanted, chunk_bytes, named);
      std::ranges::shuffle(coming, random);
      std::size_t added = 0;
      for (const std::size_t location : coming) {
        if (decoder.is_done()) break;
        CHECK(decoder.chunk(wanted.front()) == nullptr);
        std::vector<std::uint8_t> arrived(stripe.chunk(location).begin(),
                                          stripe.chunk(location).end());
        const Status status = decoder.add(location, arrived.data());
        REQUIRE(status == Status::kOk);
        std::ranges::fill(arrived, std::uint8_t{0xee});                 // the decoder kept a copy
        REQUIRE(decoder.add(location, arrived.data()) == Status::kOk);  // nor the second time
        ++added;
      }
      REQUIRE(decoder.is_done());
      if (code.is_mds) CHECK(added == k);
      for (const std::size_t location : wanted) {
        CHECK(std::memcmp(decoder.chunk(location), stripe.chunk(location).data(), chunk_bytes) ==
              0);
      }
      CHECK(decoder.chunk(coming.front()) == nullptr);
      CHECK(decoder.add(coming.back(), stripe.chunk(coming.back()).data()) == Status::kOk);
    }
  }
}

TEST_CASE("chunks of a local group are enough for one of it") {
  const Codec codec("lrc:k=4,m=2,l=3");
  const std::size_t chunk_bytes = 64;
  Stripe stripe(codec.info().locations, chunk_bytes, 1);
  REQUIRE(codec.encode(stripe.chunks(), chunk_bytes) == Status::kOk);
  const Plan plan = codec.repair({.erased = {0}});
  ProgressiveDecoder decoder(codec, Set{0}, chunk_bytes);
  REQUIRE(plan.reads().size() < 4);
  for (const std::size_t location : plan.reads()) {
    CHECK_FALSE(decoder.is_done());
    CHECK(decoder.add(location, stripe.chunk(location).data()) == Status::kOk);
  }
  REQUIRE(decoder.is_done());
  CHECK(std::memcmp(decoder.chunk(0), stripe.chunk(0).data(), chunk_bytes) == 0);
}

TEST_CASE("a progressive decoder refuses what it cannot take, by name") {
  const Codec codec("isa-cauchy:k=4,m=2");
  const auto refusal = [&](const Codec& of, const Set& wanted, std::size_t bytes,
                           const Set& coming = {}) {
    return what_happened([&] { const ProgressiveDecoder made(of, wanted, bytes, coming); });
  };
  CHECK(refusal(codec, {6}, 64) == "wanted location 6 is not one of 0 to 5");
  CHECK(refusal(codec, {1}, 64, {9}) == "coming location 9 is not one of 0 to 5");
  CHECK(refusal(codec, {1, 1}, 64) == "location 1 is named twice");
  CHECK(refusal(codec, {1}, 64, {0, 1, 2, 3}) == "location 1 is named twice");
  CHECK(refusal(codec, {1}, 64, {0, 2, 3}) == "the coming chunks do not determine chunk 1");
  CHECK(refusal(Codec("rs:k=3,m=2,w=16"), {1}, 65) == "chunk_bytes = 65 is not a multiple of 2");
  CHECK(refusal(Codec("cauchy:k=3,m=2,w=3"), {1}, 190) ==
        "chunk_bytes = 190 is not a multiple of 192");
  CHECK(refusal(Codec("clay:k=4,m=2"), {1}, 64 * 8) ==
        "a chunk of clay:k=4,m=2,d=5 has 8 cells, and chunks that arrive one by one are decoded if "
        "it has one");
  ProgressiveDecoder decoder(codec, Set{1}, 64, Set{0, 2, 3, 4});
  const std::vector<std::uint8_t> chunk(64);
  CHECK(decoder.add(5, chunk.data()) == Status::kInvalidArgument);
  CHECK(std::string(last_error()) == "location 5 is not one of those that may come");
  CHECK(decoder.add(77, chunk.data()) == Status::kInvalidArgument);
  CHECK(decoder.add(1, chunk.data()) == Status::kInvalidArgument);
  CHECK(decoder.add(0, nullptr) == Status::kInvalidArgument);
  CHECK(std::string(last_error()) == "the pointer to chunk 0 is null");
  const ProgressiveDecoder nothing(codec, {}, 64);
  CHECK(nothing.is_done());
}

TEST_CASE("a chunk that came while memory was short may be added again") {
  const Codec codec("isa-cauchy:k=4,m=3");
  Stripe stripe(7, 640, 3);
  REQUIRE(codec.encode(stripe.chunks(), 640) == Status::kOk);
  const Set order = {5, 0, 4, 3, 6};
  ProgressiveDecoder decoder(codec, Set{1, 2}, 640);
  bool was_refused = false;
  for (const std::size_t location : order) {
    Status status = Status::kUnsupported;
    for (std::size_t granted = 0; status != Status::kOk; ++granted) {
      REQUIRE(granted < 1000);
      const AllocationLimit limit(granted);
      status = decoder.add(location, stripe.chunk(location).data());
      if (status != Status::kOk) was_refused = true;
    }
  }
  CHECK(was_refused);
  REQUIRE(decoder.is_done());
  for (const std::size_t location : {1U, 2U}) {
    CHECK(std::memcmp(decoder.chunk(location), stripe.chunk(location).data(), 640) == 0);
  }
}

}  // namespace
}  // namespace xorloom
