#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/stripe.hpp"
#include "xorloom/split_repair.hpp"

namespace xorloom {

TEST_CASE("a chunk becomes the sum of any number of sums of any size, at any address") {
  for (const std::size_t misalignment : {0UL, 1UL, 13UL}) {
    for (const std::size_t bytes : {0UL, 1UL, 7UL, 63UL, 64UL, 65UL, 256UL, 1000UL, 4097UL}) {
      for (const std::size_t num_sums : {0UL, 1UL, 2UL, 3UL, 8UL, 16UL, 20UL}) {
        CAPTURE(misalignment);
        CAPTURE(bytes);
        CAPTURE(num_sums);
        Stripe stripe(num_sums + 1, bytes, 5, misalignment);
        Stripe expected = stripe;
        for (std::size_t at = 0; at < bytes; ++at) {
          std::uint8_t sum = 0;
          for (std::size_t i = 0; i < num_sums; ++i) {
            sum = static_cast<std::uint8_t>(sum ^ stripe.chunk(i)[at]);
          }
          expected.chunk(num_sums)[at] = sum;
        }
        REQUIRE(add_sums(stripe.chunks(), num_sums, stripe.chunks()[num_sums], bytes) ==
                Status::kOk);
        REQUIRE(stripe == expected);
        REQUIRE(stripe.guards_intact());
      }
    }
  }
}

TEST_CASE(
    "sums that are missing, or that the chunk overlaps, are refused before a byte is written") {
  std::vector<std::uint8_t> bytes(64, 3);
  std::uint8_t* const begin = bytes.data();
  const auto refused = [&](const std::vector<const std::uint8_t*>& sums, std::uint8_t* chunk,
                           const char* sentence) {
    CHECK(add_sums(sums.data(), sums.size(), chunk, 16) == Status::kInvalidArgument);
    CHECK(std::string(last_error()) == sentence);
    CHECK(bytes == std::vector<std::uint8_t>(64, 3));
  };
  refused({begin}, nullptr, "the pointer to the chunk is null");
  refused({begin, nullptr}, begin + 16, "the pointer to sum 1 is null");
  refused({begin, begin + 16}, begin + 31, "the chunk overlaps sum 1 within 16 bytes");
  refused({begin + 32}, begin + 32, "the chunk overlaps sum 0 within 16 bytes");
  CHECK(add_sums(nullptr, 2, begin, 16) == Status::kInvalidArgument);
  CHECK(std::string(last_error()) == "the array of sums is null");
  CHECK(add_sums(nullptr, 2, nullptr, 0) == Status::kOk);
}

}  // namespace xorloom
