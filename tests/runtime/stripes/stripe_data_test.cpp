#include "runtime/stripes/stripe_data.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "tests/runtime/stripes/counted.hpp"
#include "tests/support/stripe.hpp"

namespace xorloom {

TEST_CASE("Data of any length comes back, for every family") {
  for (const Family* family : families()) {
    if (family->name == "file") continue;
    CAPTURE(family->example);
    const Codec codec(family->example);
    for (const std::size_t bytes : {0UL, 1UL, 1000UL, 4099UL}) {
      const std::vector<std::uint8_t> data = counted(bytes);
      const std::size_t chunk_bytes = codec.chunk_bytes_for(bytes);
      REQUIRE(chunk_bytes % codec.chunk_multiple() == 0);
      REQUIRE(chunk_bytes != 0);
      REQUIRE(codec.data_bytes(chunk_bytes) >= bytes);
      const std::size_t less = chunk_bytes - codec.chunk_multiple();
      CHECK((less == 0 || codec.data_bytes(less) < bytes));
      const Stripe stripe(codec.info().locations, chunk_bytes, 7, 1);
      REQUIRE(codec.spread(data, stripe.chunks(), chunk_bytes) == Status::kOk);
      std::vector<std::uint8_t> all(codec.data_bytes(chunk_bytes), 0xaa);
      REQUIRE(codec.collect(stripe.chunks(), chunk_bytes, all) == Status::kOk);
      CHECK(std::equal(data.begin(), data.end(), all.begin()));
      const auto rest = all.begin() + static_cast<std::ptrdiff_t>(bytes);
      CHECK(std::all_of(rest, all.end(), [](std::uint8_t byte) { return byte == 0; }));
      CHECK(stripe.guards_intact());
    }
  }
}

TEST_CASE("Chunks that hold none of the first bytes are not needed to collect those") {
  const Codec codec("rs:k=4,m=2");
  const Stripe stripe(6, 64, 3);
  const std::vector<std::uint8_t> data = counted(100);
  REQUIRE(codec.spread(data, stripe.chunks(), 64) == Status::kOk);
  const std::vector<std::uint8_t*> two{
      stripe.chunks()[0], stripe.chunks()[1], nullptr, nullptr, nullptr, nullptr};
  std::vector<std::uint8_t> back(100);
  CHECK(codec.collect(two.data(), 64, back) == Status::kOk);
  CHECK(back == data);
  CHECK(codec.spread(data, two.data(), 64) == Status::kInvalidArgument);
  CHECK(last_error() == std::string("the pointer to chunk 2 is null, and it holds data"));
}

TEST_CASE("Too much data and wrong sizes are refused with the numbers") {
  const Codec codec("cauchy:k=3,m=2,w=3");
  const Stripe stripe(5, 192, 3);
  const Stripe before = stripe;
  std::vector<std::uint8_t> data = counted(577);
  CHECK(codec.spread(data, stripe.chunks(), 192) == Status::kInvalidArgument);
  CHECK(last_error() ==
        std::string("a stripe with chunks of 192 bytes holds 576 bytes of data, fewer than 577"));
  CHECK(codec.collect(stripe.chunks(), 192, data) == Status::kInvalidArgument);
  CHECK(codec.spread(data, stripe.chunks(), 200) == Status::kInvalidArgument);
  CHECK(last_error() == std::string("chunk_bytes = 200 is not a multiple of 192"));
  CHECK(codec.spread(data, nullptr, 384) == Status::kInvalidArgument);
  CHECK(codec.data_bytes(200) == 0);
  CHECK(codec.chunk_bytes_for(577) == 384);
  CHECK(stripe == before);
}

}  // namespace xorloom
