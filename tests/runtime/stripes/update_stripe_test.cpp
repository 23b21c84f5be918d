#include "runtime/stripes/update_stripe.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/linear_map.hpp"
#include "codes/text/error.hpp"
#include "tests/support/stripe.hpp"

namespace xorloom {
namespace {

/// Locations that hold data alone.
std::vector<std::size_t> updatable(const Code& code) {
  std::set<std::size_t> with_data;
  for (const Cell cell : code.data) with_data.insert(code.location_of_cell(cell));
  for (const Cell cell : encoding_map(code).outputs) with_data.erase(code.location_of_cell(cell));
  return {with_data.begin(), with_data.end()};
}

std::vector<std::string> specs() {
  std::vector<std::string> found;
  for (const Family* family : families()) {
    if (family->name != "file") found.emplace_back(family->example);
  }
  found.push_back("leopard:k=20,m=10");
  found.push_back("cauchy-good:k=4,m=2,w=16");
  return found;
}

}  // namespace

TEST_CASE("An update gives the redundancy that encoding the new data gives, for every family") {
  for (const std::string& spec : specs()) {
    CAPTURE(spec);
    const Code code = make_code(spec);
    const Codec codec(spec);
    for (const std::size_t times : {1UL, 3UL, 200UL}) {
      const std::size_t bytes = times * codec.chunk_multiple();
      Stripe stripe(code.locations, bytes, times, 5);
      REQUIRE(codec.encode(stripe.chunks(), bytes) == Status::kOk);
      for (const std::size_t location : updatable(code)) {
        CAPTURE(location);
        Stripe fresh(1, bytes, location + 17, 3);
        Stripe expected = stripe;
        std::memcpy(expected.chunks()[location], fresh.chunks()[0], bytes);
        REQUIRE(codec.encode(expected.chunks(), bytes) == Status::kOk);
        const Status status = codec.update(location, stripe.chunks()[location], fresh.chunks()[0],
                                           stripe.chunks(), bytes);
        REQUIRE_MESSAGE(status == Status::kOk, last_error());
        std::memcpy(stripe.chunks()[location], fresh.chunks()[0], bytes);
        REQUIRE(stripe == expected);
        REQUIRE(stripe.guards_intact());
        REQUIRE(codec.verify(stripe.chunks(), bytes) == Status::kOk);
      }
    }
  }
}

TEST_CASE("Redundancy of zeros takes up the data location by location") {
  const Codec codec("cauchy-good:k=5,m=3,w=8");
  const std::size_t bytes = codec.round_up(300'000);
  Stripe stripe(8, bytes, 9);
  Stripe expected = stripe;
  REQUIRE(codec.encode(expected.chunks(), bytes) == Status::kOk);
  for (std::size_t location = 5; location < 8; ++location) {
    std::ranges::fill(stripe.chunk(location), std::uint8_t{0});
  }
  for (const std::size_t location : {3UL, 0UL, 4UL, 1UL, 2UL}) {
    std::vector<std::uint8_t*> redundancy(8);
    std::copy_n(stripe.chunks() + 5, 3, redundancy.begin() + 5);
    REQUIRE(codec.update(location, nullptr, stripe.chunks()[location], redundancy.data(), bytes) ==
            Status::kOk);
  }
  CHECK(stripe == expected);
}

TEST_CASE("A difference that is zero, and no bytes, change nothing") {
  const Codec codec("rs:k=4,m=2");
  Stripe stripe(6, 640, 1);
  const Stripe before = stripe;
  const std::uint8_t* const same = stripe.chunks()[2];
  CHECK(codec.update(2, same, same, stripe.chunks(), 640) == Status::kOk);
  CHECK(codec.update(2, nullptr, nullptr, nullptr, 0) == Status::kOk);
  CHECK(stripe == before);
}

TEST_CASE("A wrong update writes nothing and says why") {
  const Codec codec("cauchy:k=3,m=2,w=3");
  const std::size_t bytes = 2 * codec.chunk_multiple();
  Stripe stripe(5, bytes, 1);
  const Stripe before = stripe;
  const Stripe fresh(1, bytes, 2);
  const std::uint8_t* const data = fresh.chunks()[0];
  std::uint8_t* const* const chunks = stripe.chunks();
  const auto refused = [&](Status status, const std::string& sentence) {
    CHECK(status == Status::kInvalidArgument);
    CHECK(last_error() == sentence);
    CHECK(stripe == before);
  };
  refused(codec.update(5, nullptr, data, chunks, bytes), "location 5 is not one of 0 to 4");
  refused(
      codec.update(3, nullptr, data, chunks, bytes),
      "location 3 of cauchy:k=3,m=2,w=3 holds no data, and only a location of data alone can be "
      "updated");
  refused(codec.update(0, nullptr, data, chunks, bytes + 8),
          "chunk_bytes = 392 is not a multiple of 192");
  refused(codec.update(0, nullptr, nullptr, chunks, bytes), "the new data is null");
  refused(codec.update(0, nullptr, data, nullptr, bytes), "the array of chunk pointers is null");
  refused(codec.update(0, nullptr, chunks[4] + 1, chunks, bytes),
          "chunk 4, which is written, overlaps the new data within 384 bytes");
  refused(codec.update(0, chunks[3], data, chunks, bytes),
          "chunk 3, which is written, overlaps the old data within 384 bytes");
  std::vector<std::uint8_t*> others(chunks, chunks + 5);
  others[4] = others[3] + 1;
  refused(codec.update(0, nullptr, data, others.data(), bytes),
          "chunk 4, which is written, overlaps chunk 3 within 384 bytes");
  others[4] = nullptr;
  refused(codec.update(0, nullptr, data, others.data(), bytes),
          "the pointer to chunk 4 is null, and it is written");
  const Codec mixed("x-code:p=5");
  Stripe array(5, mixed.chunk_multiple(), 1);
  CHECK(mixed.update(0, nullptr, data, array.chunks(), mixed.chunk_multiple()) ==
        Status::kInvalidArgument);
  CHECK(std::string(last_error()).find("holds data and redundancy") != std::string::npos);
}

}  // namespace xorloom
