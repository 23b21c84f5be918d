#include <doctest/doctest.h>
#include <isa-l/erasure_code.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/stripe.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {
namespace {

/// Encodes the stripe with ISA-L, which takes chunks of any length.
void encode_with_isal(bool cauchy, int k, int m, Stripe& stripe) {
  std::vector<unsigned char> matrix(static_cast<std::size_t>((k + m) * k));
  (cauchy ? gf_gen_cauchy1_matrix : gf_gen_rs_matrix)(matrix.data(), k + m, k);
  std::vector<unsigned char> tables(static_cast<std::size_t>(32 * k * m));
  ec_init_tables(k, m, matrix.data() + k * k, tables.data());
  std::vector<unsigned char*> chunks(stripe.chunks(), stripe.chunks() + k + m);
  ec_encode_data(static_cast<int>(stripe.chunk_bytes()), k, m, tables.data(), chunks.data(),
                 chunks.data() + k);
}

}  // namespace

TEST_CASE("isa-cauchy and isa-vandermonde encode to the bytes ISA-L writes, and decode them") {
  constexpr std::uint64_t kSeed = 77;
  CAPTURE(kSeed);
  for (const bool cauchy : {true, false}) {
    for (const auto& [k, m] : {std::pair{2, 2}, {4, 2}, {5, 3}, {10, 4}, {17, 3}, {28, 4}}) {
      if (!cauchy && m == 4 && k > 21) continue;
      const std::string spec = std::string(cauchy ? "isa-cauchy" : "isa-vandermonde") +
                               ":k=" + std::to_string(k) + ",m=" + std::to_string(m);
      CAPTURE(spec);
      const Codec codec(spec);
      for (const std::size_t bytes : {1UL, 31UL, 64UL, 1000UL, 4651UL}) {
        CAPTURE(bytes);
        const auto locations = static_cast<std::size_t>(k + m);
        Stripe theirs(locations, bytes, kSeed);
        encode_with_isal(cauchy, k, m, theirs);
        Stripe ours(locations, bytes, kSeed);
        REQUIRE(codec.encode(ours.chunks(), bytes) == Status::kOk);
        REQUIRE(ours == theirs);
        std::vector<std::size_t> lost;
        for (std::size_t i = 0; i < static_cast<std::size_t>(m); ++i)
          lost.push_back(2 * i % locations);
        for (const std::size_t location : lost) theirs.lose(location);
        REQUIRE(codec.decode(theirs.chunks(), lost, bytes) == Status::kOk);
        REQUIRE(ours == theirs);
      }
    }
  }
}

}  // namespace xorloom
