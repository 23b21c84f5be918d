#include "xorloom/fragment.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "codes/families/families.hpp"
#include "tests/runtime/stripes/counted.hpp"
#include "xorloom/xorloom.h"

namespace xorloom {
namespace {

using Bytes = std::vector<std::uint8_t>;

std::vector<std::span<const std::uint8_t>> spans_of(const std::vector<Bytes>& fragments) {
  return {fragments.begin(), fragments.end()};
}

Status status_of(const Codec& codec, const std::vector<Bytes>& fragments) {
  try {
    static_cast<void>(join_fragments(codec, spans_of(fragments)));
    return Status::kOk;
  } catch (const Error& error) {
    return error.kind();
  }
}

Status status_of(std::span<const std::uint8_t> fragment) {
  try {
    static_cast<void>(read_fragment_header(fragment));
    return Status::kOk;
  } catch (const Error& error) {
    return error.kind();
  }
}

}  // namespace

TEST_CASE("data comes back from fragments in any order, for every family, some damaged") {
  for (const Family* family : families()) {
    if (family->name == "file") continue;
    CAPTURE(family->example);
    const Codec codec(family->example);
    for (const std::size_t bytes : {0UL, 1UL, 4099UL}) {
      const Bytes data = counted(bytes);
      std::vector<Bytes> fragments = make_fragments(codec, data);
      REQUIRE(fragments.size() == codec.info().locations);
      for (std::size_t i = 0; i < fragments.size(); ++i) {
        const Fragment about = read_fragment_header(fragments[i]);
        CHECK(about.location == i);
        CHECK(about.chunk_bytes + kFragmentHeaderBytes == fragments[i].size());
        CHECK(about.data_bytes == bytes);
      }
      std::reverse(fragments.begin(), fragments.end());
      CHECK(join_fragments(codec, spans_of(fragments)) == data);
      fragments.back()[kFragmentHeaderBytes] ^= 1;  // the chunk of location 0
      CHECK(join_fragments(codec, spans_of(fragments)) == data);
      fragments.pop_back();
      CHECK(join_fragments(codec, spans_of(fragments)) == data);
    }
  }
}

TEST_CASE("the header is that of liberasurecode 1.6.2, byte for byte") {
  // What pyeclib 1.6 wrote: k = 4, m = 2, checksum inline_crc32, 1283 bytes, fragment 1.
  Bytes data(1283);
  for (std::size_t i = 0; i < 1280; ++i) data[i] = static_cast<std::uint8_t>(i);
  std::memcpy(data.data() + 1280, "xyz", 3);
  struct Written {
    const char* spec;
    std::size_t bytes;
    std::uint32_t chunk_crc;
    std::uint8_t backend;
    std::uint32_t backend_version;
    std::uint32_t header_crc;
  };
  for (const Written& written :
       {Written{"isa-vandermonde:k=4,m=2", 401, 0x7f7d8815, 4, 0x20d00, 0x20f48d6d},
        {"isa-cauchy:k=4,m=2", 401, 0x7f7d8815, 7, 0x20e01, 0xddae2e81},
        {"rs:k=4,m=2,w=16", 402, 0xa41182e0, 1, 0x20000, 0xdfa8d7eb},
        {"cauchy:k=4,m=2,w=4,packet_bytes=1024", 4176, 0xc71c0011, 2, 0x20000, 0xe439ec97}}) {
    CAPTURE(written.spec);
    const std::vector<Bytes> fragments = make_fragments(Codec(written.spec), data);
    REQUIRE(fragments[1].size() == written.bytes);
    const auto number_at = [&](std::size_t at) {
      std::uint32_t number = 0;
      std::memcpy(&number, fragments[1].data() + at, sizeof number);
      return number;
    };
    CHECK(number_at(21) == written.chunk_crc);
    CHECK(fragments[1][54] == written.backend);
    CHECK(number_at(55) == written.backend_version);
    CHECK(number_at(59) == 0x0b0c5ecc);
    CHECK(number_at(63) == 0x10602);
    CHECK(number_at(67) == written.header_crc);
  }
}

TEST_CASE("what is cut short, damaged, or no fragment is told apart") {
  const Codec codec("rs:k=4,m=2");
  const std::vector<Bytes> fragments = make_fragments(codec, counted(1000));
  const std::span<const std::uint8_t> whole(fragments[3]);
  CHECK(status_of(whole) == Status::kOk);
  CHECK(status_of(whole.first(0)) == Status::kParse);
  CHECK(status_of(whole.first(79)) == Status::kParse);
  CHECK(status_of(whole.first(80)) == Status::kDamaged);
  CHECK(status_of(whole.first(whole.size() - 1)) == Status::kDamaged);
  CHECK(status_of(counted(500)) == Status::kParse);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    Bytes damaged = fragments[3];
    damaged[at] ^= 0x40;
    if (at >= 63 && at < kFragmentHeaderBytes && (at < 67 || at >= 71)) continue;  // nobody's
    CHECK(status_of(damaged) != Status::kOk);
  }
}

TEST_CASE("too few fragments, and those of other stripes, are refused") {
  const Codec codec("rs:k=4,m=2");
  std::vector<Bytes> fragments = make_fragments(codec, counted(1000));
  CHECK(status_of(codec, {}) == Status::kDamaged);
  CHECK(status_of(codec, {fragments[0], fragments[0], fragments[1], fragments[2]}) ==
        Status::kDamaged);
  CHECK(status_of(codec, {fragments[0], fragments[1], fragments[2], fragments[4]}) == Status::kOk);
  const std::vector<Bytes> others = make_fragments(codec, counted(2000));
  CHECK(status_of(codec, {fragments[0], others[1], fragments[2], fragments[4]}) ==
        Status::kInvalidArgument);
  const std::vector<Bytes> wide = make_fragments(Codec("rs:k=8,m=4"), counted(2000));
  CHECK(status_of(codec, wide) == Status::kInvalidArgument);
  // A header, rightly made, that promises more data than the chunks hold.
  Bytes liar = fragments[0];
  write_fragment_header(codec, {0, liar.size() - kFragmentHeaderBytes, 1'000'000'000'000},
                        liar.data());
  CHECK(status_of(codec, {liar}) == Status::kInvalidArgument);
  CHECK_THROWS_AS(write_fragment_header(codec, {6, 8, 8}, liar.data()), Error);
  CHECK_THROWS_AS(write_fragment_header(codec, {0, std::size_t{1} << 32, 8}, liar.data()), Error);
}

TEST_CASE("the functions of C do the same") {
  xl_codec* codec = nullptr;
  REQUIRE(xl_codec_create("rs:k=4,m=2", nullptr, &codec) == XL_OK);
  const Bytes data = counted(1000);
  const std::vector<Bytes> fragments = make_fragments(Codec("rs:k=4,m=2"), data);
  Bytes again = fragments[5];
  std::fill_n(again.begin(), XL_FRAGMENT_HEADER_BYTES, std::uint8_t{0});
  const xl_fragment about{5, again.size() - XL_FRAGMENT_HEADER_BYTES, 1000};
  REQUIRE(xl_write_fragment_header(codec, &about, again.data()) == XL_OK);
  CHECK(again == fragments[5]);
  xl_fragment read{};
  REQUIRE(xl_read_fragment_header(again.data(), again.size(), &read) == XL_OK);
  CHECK(read.location == 5);
  CHECK(read.data_bytes == 1000);
  const std::array<const std::uint8_t*, 5> pointers{
      fragments[5].data(), nullptr, fragments[1].data(), fragments[2].data(), fragments[4].data()};
  const std::array<std::size_t, 5> sizes{again.size(), 0, again.size(), again.size(), again.size()};
  Bytes back(1000);
  CHECK(xl_join_fragments(codec, pointers.data(), sizes.data(), 5, back.data(), 1000) == XL_OK);
  CHECK(back == data);
  CHECK(xl_join_fragments(codec, pointers.data(), sizes.data(), 5, back.data(), 999) ==
        XL_INVALID_ARGUMENT);
  CHECK(xl_join_fragments(codec, pointers.data(), sizes.data(), 4, back.data(), 1000) ==
        XL_DAMAGED);
  CHECK(xl_read_fragment_header(nullptr, 0, &read) == XL_INVALID_ARGUMENT);
  CHECK(xl_write_fragment_header(codec, nullptr, again.data()) == XL_INVALID_ARGUMENT);
  xl_codec_destroy(codec);
}

TEST_CASE("a stripe may be encoded in pieces") {
  for (const char* spec : {"cauchy-good:k=4,m=2,w=8", "rs:k=4,m=2,w=16", "leopard:k=10,m=4"}) {
    CAPTURE(spec);
    const Codec codec(spec);
    const std::size_t locations = codec.info().locations;
    const std::size_t piece = codec.round_up(1000);
    const std::size_t chunk_bytes = 5 * piece;
    std::vector<Bytes> chunks(locations, Bytes(chunk_bytes));
    for (std::size_t i = 0; i < locations; ++i)
      std::iota(chunks[i].begin(), chunks[i].end(), static_cast<std::uint8_t>(31 * i));
    std::vector<Bytes> pieces = chunks;
    std::vector<std::uint8_t*> whole;
    for (Bytes& chunk : chunks) whole.push_back(chunk.data());
    REQUIRE(codec.encode(whole.data(), chunk_bytes) == Status::kOk);
    for (std::size_t at = 0; at < chunk_bytes; at += piece) {
      std::vector<std::uint8_t*> part;
      for (Bytes& chunk : pieces) part.push_back(chunk.data() + at);
      REQUIRE(codec.encode(part.data(), piece) == Status::kOk);
    }
    CHECK(pieces == chunks);
  }
}

}  // namespace xorloom
