#include "cli/measuring/bench_sizes.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <string_view>

#include "runtime/machine/cache_sizes.hpp"
#include "runtime/plans/prediction.hpp"

namespace xorloom::cli {
namespace {

constexpr std::size_t kMostStripeBytes = std::size_t{512} << 20;
constexpr int kBits = 3;

/// Keeps the kBits leading bits of `number` and clears the others.
std::size_t few_bits(std::size_t number) {
  const int low = std::max(0, static_cast<int>(std::bit_width(number)) - kBits);
  return number >> low << low;
}

}  // namespace

const char* level_of(std::size_t stripe_bytes, const CacheSizes& caches) {
  return to_string(xorloom::level_of(caches, stripe_bytes));
}

std::size_t most_stripe_bytes(const CacheSizes& caches, std::size_t memory_bytes) {
  return std::min({4 * caches.l3, kMostStripeBytes, memory_bytes / 8});
}

std::vector<std::size_t> chunk_sizes(const Code& code, const CacheSizes& caches,
                                     std::size_t memory_bytes) {
  struct Wanted {
    std::string_view level;
    std::size_t stripe_bytes;
  };
  const Wanted all[] = {{"L1", caches.l1 / 2},
                        {"L2", caches.l2 / 2},
                        {"L3", 4 * caches.l2},
                        {"DRAM", most_stripe_bytes(caches, memory_bytes)}};
  const std::size_t multiple = std::lcm(chunk_multiple(code), kLineBytes);
  std::vector<std::size_t> sizes;
  for (const auto& [level, stripe_bytes] : all) {
    const std::size_t count = few_bits(stripe_bytes / code.locations / multiple);
    const std::size_t size = std::max<std::size_t>(1, count) * multiple;
    const bool is_new = sizes.empty() || size > sizes.back();
    if (is_new && level_of(size * code.locations, caches) == level) sizes.push_back(size);
  }
  if (sizes.empty()) sizes.push_back(multiple);
  return sizes;
}

}  // namespace xorloom::cli
