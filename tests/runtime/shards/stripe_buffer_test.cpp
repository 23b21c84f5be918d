#include "runtime/shards/stripe_buffer.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "runtime/files/user_bytes.hpp"
#include "tests/runtime/shards/shard_scene.hpp"

namespace xorloom {
namespace {

using test::random_text;
using test::text_of;

/// A code of two locations of two sub-chunks each: cells 3 and 0 hold data, 1 and 2 redundancy.
Code interleaved() {
  Code code = make_code("rs:k=2,m=2");
  code.locations = 2;
  code.subchunks = 2;
  code.data = {3, 0};
  code.redundant = {1, 2};
  return code;
}

/// A code whose data locations are not the first ones, nor in order.
Code shuffled() {
  Code code = make_code("rs:k=2,m=2");
  code.data = {3, 1};
  code.redundant = {0, 2};
  return code;
}

void fill(StripeBuffer& buffer, const Code& code) {
  for (std::size_t location = 0; location < code.locations; ++location) {
    std::ranges::fill(buffer.chunk(location), std::uint8_t{0xee});
  }
}

}  // namespace

TEST_CASE("The user's bytes get where the code has them, whatever their number, and come back") {
  const std::vector<Code> codes = {make_code("rs:k=3,m=2"),
                                   make_code("cauchy:k=3,m=1,w=2,packet_bytes=8"), shuffled(),
                                   interleaved()};
  for (std::size_t number = 0; number < codes.size(); ++number) {
    const Code& code = codes[number];
    const std::size_t multiple = chunk_multiple(code);
    StripeBuffer buffer(code, 4 * multiple);
    for (const std::size_t chunk_bytes : {4 * multiple, multiple, 3 * multiple}) {
      buffer.set_chunk_bytes(chunk_bytes);
      const std::size_t capacity = data_capacity(code, chunk_bytes);
      REQUIRE(buffer.chunk_bytes() == chunk_bytes);
      REQUIRE(buffer.user_bytes().size() == capacity);
      for (std::size_t count = 0; count <= capacity; ++count) {
        const std::string text = random_text(count, count);
        fill(buffer, code);
        std::ranges::copy(text, buffer.user_bytes().begin());
        buffer.spread(count);
        std::vector<std::uint8_t> expected(code.locations * chunk_bytes);
        std::vector<std::uint8_t*> chunks;
        for (std::size_t i = 0; i < code.locations; ++i) {
          chunks.push_back(expected.data() + i * chunk_bytes);
        }
        spread_user_bytes(code, test::bytes_of(text), chunks.data(), chunk_bytes);
        bool is_same = true;
        const std::size_t cell_bytes = chunk_bytes / code.subchunks;
        for (const Cell cell : code.data) {
          const std::size_t location = code.location_of_cell(cell);
          const std::size_t at = cell % code.subchunks * cell_bytes;
          is_same &= std::equal(chunks[location] + at, chunks[location] + at + cell_bytes,
                                buffer.chunk(location).begin() + static_cast<std::ptrdiff_t>(at));
        }
        buffer.collect(count);
        CAPTURE(number);
        CAPTURE(chunk_bytes);
        CAPTURE(count);
        CHECK(is_same);
        CHECK(text_of(buffer.user_bytes().first(count)) == text);
      }
    }
  }
}

TEST_CASE("The beginning of the user's bytes stays when chunks get smaller") {
  for (const Code& code : {make_code("rs:k=3,m=2"), shuffled(), interleaved()}) {
    StripeBuffer buffer(code, 64);
    const std::string text = random_text(10, 2);
    std::ranges::copy(text, buffer.user_bytes().begin());
    buffer.set_chunk_bytes(chunk_bytes_for(code, 10));
    CHECK(buffer.user_bytes().size() >= 10);
    CHECK(text_of(buffer.user_bytes().first(10)) == text);
    buffer.spread(10);
    std::ranges::fill(buffer.user_bytes().first(code.subchunks == 1 ? 0 : 10), std::uint8_t{0});
    buffer.collect(10);
    CHECK(text_of(buffer.user_bytes().first(10)) == text);
  }
}

TEST_CASE("Chunks do not overlap and stay within the memory that is said") {
  for (const Code& code : {make_code("rs:k=3,m=2"), shuffled(), interleaved()}) {
    StripeBuffer buffer(code, 32);
    for (const std::size_t chunk_bytes : {32U, 2U, 30U}) {
      buffer.set_chunk_bytes(chunk_bytes);
      std::vector<std::uint8_t*> begins(buffer.chunks(), buffer.chunks() + code.locations);
      for (std::size_t i = 0; i < code.locations; ++i) {
        CHECK(buffer.chunk(i).data() == begins[i]);
        CHECK(buffer.chunk(i).size() == chunk_bytes);
      }
      std::ranges::sort(begins);
      for (std::size_t i = 1; i < begins.size(); ++i) {
        CHECK(begins[i] - begins[i - 1] >= static_cast<std::ptrdiff_t>(chunk_bytes));
      }
    }
  }
  const Code rs = make_code("rs:k=3,m=2");
  CHECK(StripeBuffer::memory_bytes(rs, 32) == 5 * 32);
  CHECK(StripeBuffer::memory_bytes(interleaved(), 32) == 2 * 32 + 2 * 16);
}

TEST_CASE("A moved buffer keeps what it holds") {
  const Code code = make_code("rs:k=3,m=2");
  std::vector<StripeBuffer> buffers;
  buffers.emplace_back(code, 16);
  const std::string text = random_text(48, 4);
  std::ranges::copy(text, buffers[0].user_bytes().begin());
  for (int i = 0; i < 10; ++i) buffers.emplace_back(code, 16);
  CHECK(text_of(buffers[0].user_bytes()) == text);
  CHECK(text_of(buffers[0].chunk(1)) == text.substr(16, 16));
}

}  // namespace xorloom
