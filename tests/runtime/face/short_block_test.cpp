// Chunks whose last block is short: symbols of 16 bits in planes, chunks of any even size. The
// bytes are those of whole blocks with zeros behind the symbols, the planes moved together.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "runtime/kernels/isa.hpp"
#include "tests/support/page_edge.hpp"
#include "tests/support/stripe.hpp"
#include "xorloom/error_location.hpp"
#include "xorloom/progressive.hpp"
#include "xorloom/xorloom.h"
#include "xorloom/xorloom.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kBlock = 64;
constexpr std::size_t kPlane = 32;

/// Few rows, many rows, and transforms.
constexpr const char* kPlanes[] = {"leopard:k=4,m=2,w=16", "leopard:k=10,m=6,w=16",
                                   "leopard:k=200,m=60"};

using Locations = std::vector<std::size_t>;

/// Moves the symbols of chunks to whole blocks, with zeros behind them, or back.
void move_rest(const Stripe& from, const Stripe& to, std::size_t short_bytes, bool to_whole) {
  const std::size_t whole = short_bytes / kBlock * kBlock;
  const std::size_t half = short_bytes % kBlock / 2;
  for (std::size_t i = 0; i < from.locations(); ++i) {
    const std::uint8_t* const a = from.chunks()[i];
    std::uint8_t* const b = to.chunks()[i];
    if (to_whole) std::memset(b, 0, to.chunk_bytes());
    std::memcpy(b, a, whole);
    std::memcpy(b + whole, a + whole, half);
    std::memcpy(b + whole + (to_whole ? kPlane : half), a + whole + (to_whole ? half : kPlane),
                half);
  }
}

/// A stripe whose redundancy was computed on whole blocks.
Stripe whole_block_stripe(const Codec& codec, std::size_t bytes, std::uint64_t seed) {
  const std::size_t locations = codec.info().locations;
  Stripe stripe(locations, bytes, seed, 1);
  if (bytes % kBlock == 0) {
    REQUIRE(codec.encode(stripe.chunks(), bytes) == Status::kOk);
    return stripe;
  }
  const Stripe whole(locations, bytes / kBlock * kBlock + kBlock, seed);
  move_rest(stripe, whole, bytes, true);
  REQUIRE(codec.encode(whole.chunks(), whole.chunk_bytes()) == Status::kOk);
  move_rest(whole, stripe, bytes, false);
  return stripe;
}

Locations some_of(std::size_t locations, std::size_t count, std::uint32_t seed) {
  Locations all(locations);
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::shuffle(all.begin(), all.end(), std::mt19937(seed));
  all.resize(count);
  return all;
}

void lose_all(Stripe& stripe, const Locations& lost) {
  for (const std::size_t location : lost) stripe.lose(location);
}

Locations redundant(const Codec& codec) {
  Locations found;
  for (std::size_t i = codec.info().k; i < codec.info().locations; ++i) found.push_back(i);
  return found;
}

/// Sizes with every rest, behind no block, one block and many.
std::vector<std::size_t> sizes_of(bool is_wide) {
  std::vector<std::size_t> sizes;
  for (std::size_t rest = 2; rest < kBlock; rest += 2) {
    sizes.push_back(rest);
    if (!is_wide || rest % 10 == 2) sizes.push_back(kBlock + rest);
    if (!is_wide || rest % 20 == 2) sizes.push_back(33 * kBlock + rest);
  }
  return sizes;
}

TEST_CASE("Chunks of any even size hold the bytes of whole blocks, and come back from losses") {
  for (const Isa isa : machine_isas()) {
    for (const char* spec : kPlanes) {
      Options options;
      options.isa = isa;
      const Codec codec(spec, options);
      const std::size_t m = codec.info().m;
      for (const std::size_t bytes : sizes_of(codec.info().k > 100)) {
        INFO(to_string(isa), ", ", spec, ", ", bytes);
        const Stripe right = whole_block_stripe(codec, bytes, bytes);
        Stripe made = right;
        lose_all(made, redundant(codec));
        REQUIRE(codec.encode(made.chunks(), bytes) == Status::kOk);
        REQUIRE(made == right);
        for (const std::size_t count : {std::size_t{1}, m}) {
          const auto lost = some_of(made.locations(), count, static_cast<std::uint32_t>(bytes));
          lose_all(made, lost);
          REQUIRE(codec.decode(made.chunks(), lost, bytes) == Status::kOk);
          REQUIRE(made == right);
        }
        CHECK(made.guards_intact());
        CHECK(codec.verify(right.chunks(), bytes) == Status::kOk);
      }
    }
  }
}

TEST_CASE("No byte behind a short block is read or written") {
  const Codec codec("leopard:k=4,m=2,w=16");
  for (const std::size_t bytes : sizes_of(false)) {
    CAPTURE(bytes);
    const Stripe right = whole_block_stripe(codec, bytes, bytes);
    std::vector<std::unique_ptr<test::PageEdge<std::uint8_t>>> edges;
    std::vector<std::uint8_t*> chunks;
    for (std::size_t i = 0; i < right.locations(); ++i) {
      std::vector<std::uint8_t> chunk(right.chunk(i).begin(), right.chunk(i).end());
      if (i >= 4) std::ranges::fill(chunk, std::uint8_t{0xee});
      edges.push_back(std::make_unique<test::PageEdge<std::uint8_t>>(chunk));
      chunks.push_back(edges.back()->data());
    }
    REQUIRE(codec.encode(chunks.data(), bytes) == Status::kOk);
    std::memset(chunks[0], 0xee, bytes);
    std::memset(chunks[5], 0xee, bytes);
    REQUIRE(codec.decode(chunks.data(), Locations{0, 5}, bytes) == Status::kOk);
    for (std::size_t i = 0; i < right.locations(); ++i) {
      CHECK(std::memcmp(chunks[i], right.chunk(i).data(), bytes) == 0);
    }
  }
}

TEST_CASE("Changes reach the redundancy of a short block") {
  for (const char* spec : kPlanes) {
    const Codec codec(spec);
    for (const std::size_t bytes :
         {std::size_t{2}, std::size_t{62}, kBlock + 10, 20'000 * kBlock / 64 + 34}) {
      CAPTURE(std::string(spec));
      CAPTURE(bytes);
      Stripe before = whole_block_stripe(codec, bytes, 1);
      const Stripe other(1, bytes, 7);
      Stripe after = before;
      std::ranges::copy(other.chunk(0), after.chunk(1).begin());
      REQUIRE(codec.encode(after.chunks(), bytes) == Status::kOk);
      Stripe made = before;
      REQUIRE(codec.update(1, before.chunk(1).data(), other.chunk(0).data(), made.chunks(),
                           bytes) == Status::kOk);
      std::ranges::copy(other.chunk(0), made.chunk(1).begin());
      CHECK(made == after);
      CHECK(made.guards_intact());
      // Data after data, from redundancy of zeros.
      for (const std::size_t i : redundant(codec))
        std::ranges::fill(made.chunk(i), std::uint8_t{0});
      for (std::size_t i = 0; i < codec.info().k; ++i) {
        REQUIRE(codec.update(i, nullptr, made.chunk(i).data(), made.chunks(), bytes) ==
                Status::kOk);
      }
      CHECK(made == after);
    }
  }
}

TEST_CASE("Batches of stripes have short blocks, each stripe with its losses") {
  const Codec codec("leopard:k=10,m=6,w=16");
  for (const std::size_t bytes : {std::size_t{6}, 5 * kBlock + 62}) {
    std::vector<Stripe> right;
    std::vector<Stripe> made;
    std::vector<std::uint8_t* const*> stripes;
    std::vector<Locations> lost;
    for (std::uint32_t s = 0; s < 9; ++s) {
      right.push_back(whole_block_stripe(codec, bytes, 100 + s));
      made.push_back(right.back());
      lost.push_back(some_of(16, 1 + s % 6, s / 2));
    }
    for (Stripe& stripe : made) {
      lose_all(stripe, redundant(codec));
      stripes.push_back(stripe.chunks());
    }
    std::vector<Status> statuses(stripes.size());
    REQUIRE(codec.encode_batch(stripes, bytes, statuses) == Status::kOk);
    std::vector<std::span<const std::size_t>> sets;
    for (std::size_t s = 0; s < made.size(); ++s) {
      CHECK(made[s] == right[s]);
      lose_all(made[s], lost[s]);
      sets.emplace_back(lost[s]);
    }
    REQUIRE(codec.decode_batch(stripes, sets, bytes, statuses) == Status::kOk);
    for (std::size_t s = 0; s < made.size(); ++s) CHECK(made[s] == right[s]);
  }
}

TEST_CASE("Progressive decoding rebuilds short blocks") {
  const Codec codec("leopard:k=10,m=6,w=16");
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{2}, kBlock + 30, 700 * kBlock + 62}) {
    CAPTURE(bytes);
    const Stripe right = whole_block_stripe(codec, bytes, 3);
    for (std::uint32_t seed = 1; seed <= 5; ++seed) {
      const Locations order = some_of(16, 16, seed);
      const Locations wanted(order.begin(), order.begin() + 4);
      ProgressiveDecoder decoder(codec, wanted, bytes);
      for (std::size_t i = 4; i < 16 && !decoder.is_done(); ++i) {
        REQUIRE(decoder.add(order[i], right.chunk(order[i]).data()) == Status::kOk);
      }
      REQUIRE(decoder.is_done());
      for (const std::size_t location : wanted) {
        CHECK((bytes == 0 ||
               std::memcmp(decoder.chunk(location), right.chunk(location).data(), bytes) == 0));
      }
    }
  }
}

TEST_CASE("Wrong bytes of a short block are found, and the chunk is named") {
  const Codec codec("leopard:k=10,m=6,w=16");
  for (const std::size_t bytes : {std::size_t{2}, std::size_t{62}, 3 * kBlock + 18}) {
    for (const std::size_t at : {bytes - 1, bytes / kBlock * kBlock}) {
      CAPTURE(bytes);
      CAPTURE(at);
      Stripe stripe = whole_block_stripe(codec, bytes, 5);
      stripe.chunk(7)[at] ^= 0x10;
      CHECK(codec.verify(stripe.chunks(), bytes) == Status::kDamaged);
      CHECK(codec.locate_errors(stripe.chunks(), bytes).wrong == Locations{7});
    }
  }
}

TEST_CASE("Data of any length lies in chunks of an even size") {
  const Codec codec("leopard:k=4,m=2,w=16");
  const Stripe stripe(6, 70, 1);
  CHECK(codec.data_bytes(70) == 280);
  CHECK(codec.chunk_multiple() == 64);  // used by round_up() and chunk_bytes_for()
  std::vector<std::uint8_t> data(279);
  std::iota(data.begin(), data.end(), std::uint8_t{1});
  REQUIRE(codec.spread(data, stripe.chunks(), 70) == Status::kOk);
  std::vector<std::uint8_t> read(279);
  REQUIRE(codec.collect(stripe.chunks(), 70, read) == Status::kOk);
  CHECK(read == data);
  CHECK(codec.encode(Chunks(codec, 70).data(), 70) == Status::kOk);
}

TEST_CASE("Chunks of an odd size are refused, and those of packets as before") {
  const Codec codec("leopard:k=4,m=2,w=16");
  const Stripe stripe(6, 640, 1);
  for (const std::size_t bytes : {1UL, 63UL, 65UL, 129UL}) {
    CHECK(codec.encode(stripe.chunks(), bytes) == Status::kInvalidArgument);
    CHECK(std::string(last_error()) ==
          "chunk_bytes = " + std::to_string(bytes) + " is not a multiple of 2");
    CHECK(codec.decode(stripe.chunks(), Locations{1}, bytes) == Status::kInvalidArgument);
    CHECK(codec.verify(stripe.chunks(), bytes) == Status::kInvalidArgument);
  }
  const Codec packets("leopard:k=4,m=2,w=16,arrangement=packet");
  CHECK(packets.encode(stripe.chunks(), 66) == Status::kInvalidArgument);
}

TEST_CASE("The C interface takes chunks of any even size") {
  xl_codec* codec = nullptr;
  REQUIRE(xl_codec_create("leopard:k=4,m=2,w=16", nullptr, &codec) == XL_OK);
  const Codec same("leopard:k=4,m=2,w=16");
  const Stripe right = whole_block_stripe(same, 150, 9);
  Stripe made = right;
  lose_all(made, {4, 5});
  CHECK(xl_encode(codec, made.chunks(), 150) == XL_OK);
  CHECK(made == right);
  const int lost[] = {1, 4};
  lose_all(made, {1, 4});
  CHECK(xl_decode(codec, made.chunks(), lost, 2, 150) == XL_OK);
  CHECK(made == right);
  xl_codec_destroy(codec);
}

}  // namespace
}  // namespace xorloom
