#include "runtime/stripes/verify_stripe.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "tests/support/stripe.hpp"

namespace xorloom {

TEST_CASE("Every family's stripe verifies, and no chunk may differ by a bit") {
  for (const Family* family : families()) {
    if (family->name == "file") continue;
    CAPTURE(family->example);
    const Codec codec(family->example);
    const std::size_t locations = codec.info().locations;
    const std::size_t bytes = 5 * codec.chunk_multiple();
    Stripe stripe(locations, bytes, 3, 1);
    REQUIRE(codec.encode(stripe.chunks(), bytes) == Status::kOk);
    const Stripe before = stripe;
    REQUIRE_MESSAGE(codec.verify(stripe.chunks(), bytes) == Status::kOk, last_error());
    for (std::size_t location = 0; location < locations; ++location) {
      for (const std::size_t at : {std::size_t{0}, bytes / 2, bytes - 1}) {
        stripe.chunk(location)[at] ^= 4;
        CHECK(codec.verify(stripe.chunks(), bytes) == Status::kDamaged);
        stripe.chunk(location)[at] ^= 4;
      }
    }
    CHECK(stripe == before);
    CHECK(stripe.guards_intact());
  }
}

TEST_CASE("What does not agree is named with the byte, in chunks of many pieces, too") {
  for (const char* const spec : {"cauchy-good:k=4,m=2,w=8", "rs:k=4,m=2"}) {
    const Codec codec(spec);
    const std::size_t bytes = codec.round_up(700'000);
    Stripe stripe(6, bytes, 3);
    REQUIRE(codec.encode(stripe.chunks(), bytes) == Status::kOk);
    CHECK(codec.verify(stripe.chunks(), bytes) == Status::kOk);
    for (const std::size_t at : {std::size_t{0}, std::size_t{123'457}, bytes - 1}) {
      stripe.chunk(5)[at] ^= 1;
      CHECK(codec.verify(stripe.chunks(), bytes) == Status::kDamaged);
      CHECK(last_error() ==
            fmt::format("chunk 5 does not agree with the data, first at byte {} of {}", at, bytes));
      stripe.chunk(5)[at] ^= 1;
    }
  }
}

TEST_CASE("Without chunks there is nothing to verify, and wrong arguments are named") {
  const Codec codec("rs:k=4,m=2");
  const Stripe stripe(6, 64, 3);
  CHECK(codec.verify(nullptr, 0) == Status::kOk);
  CHECK(codec.verify(nullptr, 64) == Status::kInvalidArgument);
  CHECK(last_error() == std::string("the array of chunk pointers is null"));
  std::vector<std::uint8_t*> chunks(stripe.chunks(), stripe.chunks() + 6);
  for (const std::size_t gone : {1UL, 5UL}) {
    std::uint8_t* const kept = std::exchange(chunks[gone], nullptr);
    CHECK(codec.verify(chunks.data(), 64) == Status::kInvalidArgument);
    CHECK(last_error() == fmt::format("the pointer to chunk {} is null, and it is read", gone));
    chunks[gone] = kept;
  }
  const Codec packets("cauchy:k=3,m=2,w=3");
  CHECK(packets.verify(stripe.chunks(), 64) == Status::kInvalidArgument);
  CHECK(last_error() == std::string("chunk_bytes = 64 is not a multiple of 192"));
}

}  // namespace xorloom
