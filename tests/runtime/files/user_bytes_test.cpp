#include "runtime/files/user_bytes.hpp"

#include <doctest/doctest.h>

#include <numeric>
#include <utility>
#include <vector>

#include "codes/families/families.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {
namespace {

std::vector<std::uint8_t> counting(std::size_t size) {
  std::vector<std::uint8_t> bytes(size);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{1});
  return bytes;
}

using Bytes = std::vector<std::vector<std::uint8_t>>;

/// Spreads bytes over chunks of a code, filled with 0xff before, and checks that they come back.
Bytes spread(const Code& code, const std::vector<std::uint8_t>& bytes, std::size_t chunk_bytes) {
  Bytes chunks(code.locations, std::vector<std::uint8_t>(chunk_bytes, 0xff));
  std::vector<std::uint8_t*> pointers;
  for (auto& chunk : chunks) pointers.push_back(chunk.data());
  spread_user_bytes(code, bytes, pointers.data(), chunk_bytes);
  std::vector<std::uint8_t> back(bytes.size());
  collect_user_bytes(code, pointers.data(), chunk_bytes, back);
  CHECK(back == bytes);
  return chunks;
}

/// A code of two locations of two sub-chunks each: cells 0 and 3 hold data, 1 and 2 redundancy.
Code interleaved(Arrangement arrangement) {
  Code code = make_code("rs:k=2,m=2");
  code.locations = 2;
  code.subchunks = 2;
  code.data = {3, 0};
  code.redundant = {1, 2};
  code.arrangement = arrangement;
  code.packet_bytes = arrangement == Arrangement::kPacket ? 1 : 0;
  return code;
}

}  // namespace

TEST_CASE("Data location i holds the i-th part, and zeros fill what is left") {
  const Code code = make_code("rs:k=3,m=1");
  const Bytes chunks = spread(code, {1, 2, 3, 4, 5}, 3);
  CHECK(chunks == Bytes{{1, 2, 3}, {4, 5, 0}, {0, 0, 0}, {0xff, 0xff, 0xff}});
}

TEST_CASE("Bytes come back whatever their number") {
  for (const char* spec : {"rs:k=3,m=1", "cauchy:k=3,m=1,w=2,packet_bytes=8"}) {
    const Code code = make_code(spec);
    const std::size_t chunk_bytes = 2 * chunk_multiple(code);
    for (std::size_t size = 0; size <= data_capacity(code, chunk_bytes); ++size) {
      spread(code, counting(size), chunk_bytes);
    }
  }
}

TEST_CASE("Sub-chunks of words lie one after the other, in the order of the data cells") {
  const Code code = interleaved(Arrangement::kWord);
  CHECK(data_capacity(code, 4) == 4);
  CHECK(spread(code, {1, 2, 3, 4}, 4) == Bytes{{3, 4, 0xff, 0xff}, {0xff, 0xff, 1, 2}});
}

TEST_CASE("Sub-chunks of packets take turns in every super-block") {
  const Code code = interleaved(Arrangement::kPacket);
  const std::size_t chunk_bytes = 2 * chunk_multiple(code);
  CHECK(chunk_bytes == 32);
  const Bytes chunks = spread(code, counting(32), chunk_bytes);
  for (std::uint8_t i = 0; i < 8; ++i) {
    CHECK(chunks[1][8U + i] == i + 1);
    CHECK(chunks[1][24U + i] == i + 9);
    CHECK(chunks[0][i] == i + 17);
    CHECK(chunks[0][16U + i] == i + 25);
    CHECK(chunks[0][8U + i] == 0xff);
  }
}

TEST_CASE("Rows of packets that are all data lie as they are in the chunk") {
  const Code code = make_code("liberation:k=2,w=3,packet_bytes=8");
  const Bytes chunks = spread(code, counting(96), 48);
  for (std::size_t i = 0; i < 96; ++i) CHECK(chunks[i / 48][i % 48] == i + 1);
}

TEST_CASE("Rows of data above redundancy take turns by super-block") {
  const Code code = make_code("x-code:p=5,packet_bytes=8");  // three rows of five hold data
  const Bytes chunks = spread(code, counting(240), 80);
  for (std::size_t i = 0; i < 240; ++i) {
    const std::size_t in_chunk = i % 48;
    CHECK(chunks[i / 48][in_chunk / 24 * 40 + in_chunk % 24] == i + 1);
  }
  CHECK(chunks[0][24] == 0xff);
}

TEST_CASE("Bytes are the smallest that hold the data, and at least one multiple") {
  const Code code = make_code("cauchy:k=3,m=1,w=2,packet_bytes=8");
  const std::vector<std::pair<std::size_t, std::size_t>> expected = {{0, 16},  {1, 16},  {48, 16},
                                                                     {49, 32}, {96, 32}, {97, 48}};
  for (const auto& [data, chunk] : expected) CHECK(chunk_bytes_for(code, data) == chunk);
}

TEST_CASE("Bytes too large to count are refused") {
  const Code code = make_code("rs:k=3,m=1");
  CHECK_THROWS_AS(data_capacity(code, std::size_t{1} << 61), Error);
}

}  // namespace xorloom
