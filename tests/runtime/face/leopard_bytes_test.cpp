// Checksums of what Leopard itself (version 6e5725e) wrote for the same data. Its symbols have 16
// bits if 8 do not suffice.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "runtime/files/checksum.hpp"
#include "runtime/kernels/isa.hpp"
#include "tests/support/sample.hpp"
#include "tests/support/stripe.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kChunkBytes = 640;

struct Written {
  std::size_t k, m;
  std::uint64_t sum;  ///< checksum of all redundant chunks in order
};
constexpr Written kWritten[] = {
    {2, 1, 0x806ac923ceba3481},     {4, 2, 0x553d142097cf71c3},    {10, 4, 0x8fcbc59e0d0ad2b6},
    {28, 4, 0x2d3e8b6eeb67d13f},    {17, 3, 0x6f077f7c575836d1},   {128, 128, 0xd7681aa1efa7f748},
    {223, 32, 0x1f41676d7e95dbcf},  {192, 64, 0xc7f210f405402bd9}, {1, 1, 0xe555fdac3423bee9},
    {5, 5, 0x15e4eb84ef0b8585},     {255, 2, 0xadea15e2fcfcc5a9},  {241, 15, 0xb263dd1caf430fa6},
    {129, 128, 0x59c1c960aa24e07a}, {300, 1, 0x0818379c4f6b209b},
};

std::string spec_of(const Written& one) {
  return "leopard:k=" + std::to_string(one.k) + ",m=" + std::to_string(one.m);
}

/// Locations by number, the seed of the data: 1000 k + m.
Stripe data_of(const Written& one) { return {one.k + one.m, kChunkBytes, 1000 * one.k + one.m}; }

std::uint64_t sum_of_redundancy(const Stripe& stripe, std::size_t k) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = k; i < stripe.locations(); ++i) {
    bytes.insert(bytes.end(), stripe.chunk(i).begin(), stripe.chunk(i).end());
  }
  return checksum(bytes);
}

/// Encodes as Leopard does, and decodes m lost locations.
void check_bytes(const Written& one, Isa isa) {
  INFO(to_string(isa), ", ", spec_of(one));
  Options options;
  options.isa = isa;
  const Codec codec(spec_of(one), options);
  const Stripe stripe = data_of(one);
  REQUIRE(codec.encode(stripe.chunks(), kChunkBytes) == Status::kOk);
  CHECK(sum_of_redundancy(stripe, one.k) == one.sum);
  std::vector<std::size_t> lost(one.k + one.m);
  std::iota(lost.begin(), lost.end(), std::size_t{0});
  std::shuffle(lost.begin(), lost.end(), std::mt19937(1));
  lost.resize(one.m);
  Stripe damaged = stripe;
  for (const std::size_t location : lost) damaged.lose(location);
  REQUIRE(codec.decode(damaged.chunks(), lost, kChunkBytes) == Status::kOk);
  CHECK(damaged == stripe);
}

}  // namespace

TEST_CASE("leopard writes the bytes of Leopard on every instruction set, and decodes them") {
  for (const Isa isa : machine_isas()) {
    for (const Written& one : kWritten) check_bytes(one, isa);
  }
}

TEST_CASE("leopard writes the bytes of Leopard on more than 2^24 pairs of locations") {
  check_bytes({5000, 4000, 0xd6ec639facdb4dde}, machine_isas().back());
  // All locations of its field. The matrix takes 4 GiB.
  if (test::tries_all()) check_bytes({32768, 32768, 0x972b39da88c50c6e}, machine_isas().back());
}

}  // namespace xorloom
