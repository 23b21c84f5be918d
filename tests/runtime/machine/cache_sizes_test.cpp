#include "runtime/machine/cache_sizes.hpp"

#include <doctest/doctest.h>

namespace xorloom {

TEST_CASE("Cache sizes are what the system says, and the usual ones where it says nothing") {
  constexpr std::size_t kKiB = 1024;
  constexpr std::size_t kMiB = 1024 * kKiB;
  const auto check = [](const CacheSizes& sizes, std::size_t l1, std::size_t l2, std::size_t l3) {
    CHECK(sizes.l1 == l1);
    CHECK(sizes.l2 == l2);
    CHECK(sizes.l3 == l3);
  };
  check(cache_sizes(32768, 1048576, 33554432, 8), 32 * kKiB, kMiB, 32 * kMiB);
  check(cache_sizes(0, -1, 0, 8), 32 * kKiB, kMiB, 32 * kMiB);
  check(cache_sizes(49152, 0, 0, 1), 48 * kKiB, kMiB, 32 * kMiB);
  check(cache_sizes(49152, 16384, 8192, 1), 48 * kKiB, kMiB, 32 * kMiB);
}

TEST_CASE("An L3 larger than its cores can have is that of a host, and counts in part") {
  constexpr std::size_t kMiB = 1024 * 1024;
  CHECK(cache_sizes(49152, 2097152, 503316480, 2).l3 == 128 * kMiB);
  CHECK(cache_sizes(49152, 2097152, 503316480, 64).l3 == 480 * kMiB);
}

TEST_CASE("The caches of this machine grow with the level") {
  const CacheSizes sizes = cache_sizes();
  CHECK(sizes.l1 > 0);
  CHECK(sizes.l2 >= sizes.l1);
  CHECK(sizes.l3 >= sizes.l2);
}

}  // namespace xorloom
