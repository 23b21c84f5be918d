#include "runtime/files/checksum.hpp"

#include <doctest/doctest.h>

#include <array>
#include <span>
#include <utility>
#include <vector>

namespace xorloom {
namespace {

/// The buffer of xxHash's own sanity check.
std::vector<std::uint8_t> published_input(std::size_t size) {
  std::vector<std::uint8_t> bytes(size);
  std::uint64_t generator = 2654435761U;
  for (std::uint8_t& byte : bytes) {
    byte = static_cast<std::uint8_t>(generator >> 56);
    generator *= 11400714785074694797U;
  }
  return bytes;
}

}  // namespace

TEST_CASE("Checksums are the published ones of XXH3, 64 bits, seed 0") {
  // xxHash 0.8.1, tests of xsum_sanity_check.c: each length takes another way through the
  // algorithm.
  constexpr std::array<std::pair<std::size_t, std::uint64_t>, 13> kPublished = {{
      {0, 0x2d06800538d394c2},
      {1, 0xc44bdff4074eecdb},
      {6, 0x27b56a84cd2d7325},
      {12, 0xa713daf0dfbb77e7},
      {24, 0xa3fe70bf9d3510eb},
      {48, 0x397da259ecba1f11},
      {80, 0xbcdefbbb2c47c90a},
      {195, 0xcd94217ee362ec3a},
      {403, 0xcdeb804d65c6dea4},
      {512, 0x617e49599013cb6b},
      {2048, 0xdd59e2c3a5f038e0},
      {2240, 0x6e73a90539cf2948},
      {2367, 0xcb37aeb9e5d361ed},
  }};
  for (const auto& published : kPublished) {
    CAPTURE(published.first);
    CHECK(checksum(published_input(published.first)) == published.second);
  }
}

TEST_CASE("Two spans have the checksum of one behind the other, wherever the cut is") {
  for (const std::size_t size :
       {0U, 1U, 15U, 16U, 17U, 127U, 128U, 129U, 240U, 241U, 1024U, 1025U}) {
    const std::vector<std::uint8_t> bytes = published_input(size);
    const std::span<const std::uint8_t> all = bytes;
    std::size_t differing = 0;
    for (std::size_t cut = 0; cut <= size; ++cut) {
      if (checksum(all.first(cut), all.subspan(cut)) != checksum(all)) ++differing;
    }
    CAPTURE(size);
    CHECK(differing == 0);
  }
}

}  // namespace xorloom
