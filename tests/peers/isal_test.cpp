#include <doctest/doctest.h>
#include <fmt/format.h>
#include <isa-l/erasure_code.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "tests/peers/exchange.hpp"
#include "tests/support/stripe.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {
namespace {

using Shapes = std::vector<std::pair<std::size_t, std::size_t>>;
using Bytes = std::vector<unsigned char>;
using test::Set;

/// The rows of k symbols that have these numbers.
Bytes choose_rows(const Bytes& matrix, std::size_t k, const Set& numbers) {
  Bytes result;
  for (const std::size_t row : numbers) {
    for (std::size_t c = 0; c < k; ++c) result.push_back(matrix[row * k + c]);
  }
  return result;
}

/// Writes each target as its row's combination of the sources.
void combine(Bytes rows, const Stripe& stripe, const Set& sources, const Set& targets) {
  if (targets.empty()) return;
  const auto pointers = [&](const Set& locations) {
    std::vector<unsigned char*> result;
    for (const std::size_t location : locations) result.push_back(stripe.chunks()[location]);
    return result;
  };
  const auto num_sources = static_cast<int>(sources.size());
  const auto num_targets = static_cast<int>(targets.size());
  Bytes tables(32 * rows.size());
  ec_init_tables(num_sources, num_targets, rows.data(), tables.data());
  ec_encode_data(static_cast<int>(stripe.chunk_bytes()), num_sources, num_targets, tables.data(),
                 pointers(sources).data(), pointers(targets).data());
}

/// ISA-L with a generator of k + m rows.
test::Peer isal(const Bytes& generator, std::size_t k, std::size_t m) {
  Set data(k);
  std::iota(data.begin(), data.end(), std::size_t{0});
  Set redundancy(m);
  std::iota(redundancy.begin(), redundancy.end(), k);
  const auto encode = [=](const Stripe& stripe) {
    combine(choose_rows(generator, k, redundancy), stripe, data, redundancy);
  };
  const auto decode = [=](const Stripe& stripe, const Set& lost) {
    Set left;
    for (std::size_t i = 0; left.size() < k; ++i) {
      if (std::ranges::find(lost, i) == lost.end()) left.push_back(i);
    }
    Bytes rows = choose_rows(generator, k, left);
    Bytes inverse(k * k);
    if (gf_invert_matrix(rows.data(), inverse.data(), static_cast<int>(k)) != 0) return false;
    const auto middle = std::ranges::lower_bound(lost, k);
    const Set lost_data(lost.begin(), middle);
    const Set lost_redundancy(middle, lost.end());
    combine(choose_rows(inverse, k, lost_data), stripe, left, lost_data);
    combine(choose_rows(generator, k, lost_redundancy), stripe, data, lost_redundancy);
    return true;
  };
  return {{encode}, {decode}};
}

using Generate = void (*)(unsigned char*, int, int);

void check_isal(const char* family, Generate generate, std::size_t k, std::size_t m,
                const std::vector<std::size_t>& lengths = {1, 31, 64, 257, 1000, 4651}) {
  constexpr std::uint64_t kSeed = 77;
  Bytes generator((k + m) * k);
  generate(generator.data(), static_cast<int>(k + m), static_cast<int>(k));
  const Codec codec(fmt::format("{}:k={},m={}", family, k, m));
  for (const std::size_t chunk_bytes : lengths) {
    for (const std::size_t misalignment : {0UL, 9UL}) {
      test::check_exchange(codec, isal(generator, k, m), chunk_bytes, kSeed, misalignment);
    }
  }
}

}  // namespace

TEST_CASE("isa-cauchy encodes to the bytes ISA-L writes, and each gives back the other's chunks") {
  for (const auto& [k, m] : Shapes{
           {1, 2}, {2, 2}, {4, 2}, {4, 3}, {2, 5}, {5, 3}, {10, 4}, {17, 3}, {28, 4}, {20, 10}}) {
    check_isal("isa-cauchy", gf_gen_cauchy1_matrix, k, m);
  }
  check_isal("isa-cauchy", gf_gen_cauchy1_matrix, 254, 2, {1001});
}

TEST_CASE("isa-vandermonde encodes to the bytes ISA-L writes, and each gives back the other's") {
  for (const auto& [k, m] :
       Shapes{{1, 1}, {4, 1}, {2, 2}, {4, 2}, {4, 3}, {5, 3}, {10, 4}, {17, 3}, {21, 4}, {60, 2}}) {
    check_isal("isa-vandermonde", gf_gen_rs_matrix, k, m);
  }
  check_isal("isa-vandermonde", gf_gen_rs_matrix, 254, 2, {1001});
}

TEST_CASE("isa-cauchy of one redundant chunk is plain parity: the first row of the other matrix") {
  for (const std::size_t k : {1UL, 4UL, 30UL}) check_isal("isa-cauchy", gf_gen_rs_matrix, k, 1);
}

}  // namespace xorloom
