#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/stripe.hpp"
#include "xorloom/xorloom.hpp"

extern "C" {
#include <cauchy.h>
#include <jerasure.h>
#include <reed_sol.h>
}

namespace xorloom {
namespace {

struct Free {
  void operator()(int* p) const { std::free(p); }
};
using Ints = std::unique_ptr<int, Free>;

struct Case {
  const char* family;
  int k;
  int m;
  int w;
};

std::string spec_of(const Case& c, int packet_bytes) {
  std::string spec = std::string(c.family) + ":k=" + std::to_string(c.k) +
                     ",m=" + std::to_string(c.m) + ",w=" + std::to_string(c.w);
  if (packet_bytes != 0) spec += ",packet_bytes=" + std::to_string(packet_bytes);
  return spec;
}

std::vector<char*> pointers(const Stripe& stripe) {
  std::vector<char*> result;
  for (std::size_t i = 0; i < stripe.locations(); ++i) {
    result.push_back(reinterpret_cast<char*>(stripe.chunks()[i]));
  }
  return result;
}

void check_same(const Codec& codec, const Case& c, Stripe& theirs, std::uint64_t seed) {
  Stripe ours(theirs.locations(), theirs.chunk_bytes(), seed);
  REQUIRE(codec.encode(ours.chunks(), ours.chunk_bytes()) == Status::kOk);
  REQUIRE(ours == theirs);
  std::vector<std::size_t> lost;
  for (std::size_t i = 0; i < static_cast<std::size_t>(c.m); ++i) {
    lost.push_back((2 * i + 1) % theirs.locations());
  }
  for (const std::size_t location : lost) theirs.lose(location);
  REQUIRE(codec.decode(theirs.chunks(), lost, theirs.chunk_bytes()) == Status::kOk);
  REQUIRE(ours == theirs);
}

}  // namespace

TEST_CASE("cauchy and cauchy-good encode to the bytes Jerasure writes, and decode them") {
  constexpr std::uint64_t kSeed = 78;
  CAPTURE(kSeed);
  for (const char* family : {"cauchy", "cauchy-good"}) {
    const bool good = std::string(family) == "cauchy-good";
    for (const auto& [k, m, w] :
         {std::tuple{3, 2, 3}, {5, 3, 4}, {4, 2, 5}, {10, 4, 8}, {7, 5, 7}, {6, 3, 16}}) {
      const Case c{family, k, m, w};
      for (const int packet_bytes : {8, 32, 64, 200}) {
        const std::string spec = spec_of(c, packet_bytes);
        CAPTURE(spec);
        const Ints matrix(good ? cauchy_good_general_coding_matrix(k, m, w)
                               : cauchy_original_coding_matrix(k, m, w));
        const Ints bits(jerasure_matrix_to_bitmatrix(k, m, w, matrix.get()));
        const int chunk_bytes = 3 * w * packet_bytes;
        Stripe theirs(static_cast<std::size_t>(k + m), static_cast<std::size_t>(chunk_bytes),
                      kSeed);
        std::vector<char*> chunks = pointers(theirs);
        jerasure_bitmatrix_encode(k, m, w, bits.get(), chunks.data(), chunks.data() + k,
                                  chunk_bytes, packet_bytes);
        check_same(Codec(spec), c, theirs, kSeed);
      }
    }
  }
}

TEST_CASE("rs encodes to the bytes Jerasure's reed_sol_van writes, and decodes them") {
  constexpr std::uint64_t kSeed = 79;
  CAPTURE(kSeed);
  for (const auto& [k, m, w] :
       {std::tuple{2, 2, 8}, {10, 4, 8}, {6, 3, 16}, {17, 4, 16}, {5, 2, 32}, {9, 4, 32}}) {
    const Case c{"rs", k, m, w};
    const std::string spec = spec_of(c, 0);
    CAPTURE(spec);
    const Ints matrix(reed_sol_vandermonde_coding_matrix(k, m, w));
    for (const int chunk_bytes : {8, 64, 1000, 4096}) {
      CAPTURE(chunk_bytes);
      Stripe theirs(static_cast<std::size_t>(k + m), static_cast<std::size_t>(chunk_bytes), kSeed);
      std::vector<char*> chunks = pointers(theirs);
      jerasure_matrix_encode(k, m, w, matrix.get(), chunks.data(), chunks.data() + k, chunk_bytes);
      check_same(Codec(spec), c, theirs, kSeed);
    }
  }
}

}  // namespace xorloom
