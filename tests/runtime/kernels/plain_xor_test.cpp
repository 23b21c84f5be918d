#include "runtime/kernels/plain_xor.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string_view>
#include <vector>

namespace xorloom {
namespace {

constexpr std::uint32_t kSeed = 81;
constexpr std::size_t kGuard = 64;

/// Seeded streams in one buffer, each a pitch after the one before, with guard bytes behind the
/// last.
struct Streams {
  Streams(std::size_t num_reads, std::size_t num_writes, std::size_t bytes, std::size_t first,
          std::size_t pitch)
      : memory(first + pitch * (num_reads + num_writes) + bytes + kGuard + 4096) {
    std::mt19937 random(kSeed);
    for (std::uint8_t& byte : memory) byte = static_cast<std::uint8_t>(random());
    const auto page = (4096 - reinterpret_cast<std::uintptr_t>(memory.data()) % 4096) % 4096;
    for (std::size_t i = 0; i < num_reads + num_writes; ++i) {
      pointers.push_back(memory.data() + page + first + i * pitch);
    }
    for (std::size_t at = 0; at < bytes; ++at) {
      std::uint8_t sum = 0;
      for (std::size_t i = 0; i < num_reads; ++i) {
        sum = static_cast<std::uint8_t>(sum ^ pointers[i][at]);
      }
      sums.push_back(sum);
    }
    expected = memory;
    for (std::size_t i = num_reads; i < pointers.size(); ++i) {
      std::copy(sums.begin(), sums.end(), expected.begin() + (pointers[i] - memory.data()));
    }
    view = {pointers.data(), num_reads, pointers.data() + num_reads, num_writes};
  }

  std::vector<std::uint8_t> memory;
  std::vector<std::uint8_t> expected;
  std::vector<std::uint8_t> sums;
  std::vector<std::uint8_t*> pointers;
  PlainXorStreams view{};
};

void check_all_variants(std::size_t num_reads, std::size_t num_writes, std::size_t bytes,
                        std::size_t first, std::size_t pitch, std::size_t range = 1 << 20) {
  CAPTURE(kSeed);
  CAPTURE(num_reads);
  CAPTURE(num_writes);
  CAPTURE(bytes);
  CAPTURE(first);
  for (const Isa isa : machine_isas()) {
    for (const PlainXorVariant& variant : plain_xor_variants(isa)) {
      Streams streams(num_reads, num_writes, bytes, first, pitch);
      for (std::size_t begin = 0; begin < bytes; begin += range) {
        plain_xor(isa, variant.shape, streams.view, begin, std::min(bytes, begin + range));
      }
      INFO(to_string(isa), ", ", variant.name);
      REQUIRE(streams.memory == streams.expected);
    }
  }
}

}  // namespace

TEST_CASE("Plain XOR writes the XOR of all streams read to every stream written, in any size") {
  for (const std::size_t bytes :
       {0UL, 1UL, 63UL, 64UL, 65UL, 127UL, 256UL, 511UL, 512UL, 1000UL, 4096UL, 4160UL, 9999UL}) {
    check_all_variants(10, 4, bytes, 0, 12288);
  }
}

TEST_CASE("Plain XOR takes any number of streams") {
  for (const std::size_t num_reads : {1UL, 2UL, 3UL, 7UL, 8UL, 9UL, 16UL, 17UL, 40UL}) {
    for (const std::size_t num_writes : {1UL, 2UL, 5UL}) {
      check_all_variants(num_reads, num_writes, 4864, 0, 5120);
    }
  }
}

TEST_CASE("Plain XOR takes any alignment, and touches nothing beside its streams") {
  for (const std::size_t first : {1UL, 8UL, 32UL, 63UL}) {
    check_all_variants(10, 4, 5000, first, 5000);
    check_all_variants(5, 2, 4096, first, 4096 + 576);
  }
}

TEST_CASE("Plain XOR gives the same bytes range by range") {
  check_all_variants(10, 4, 20000, 0, 20480, 4096);
  check_all_variants(3, 2, 1000, 0, 1024, 100);
}

TEST_CASE("Every variant has a name of its own") {
  for (const Isa isa : machine_isas()) {
    const auto variants = plain_xor_variants(isa);
    for (std::size_t i = 0; i < variants.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        CHECK(std::string_view(variants[i].name) != variants[j].name);
      }
    }
  }
}

}  // namespace xorloom
