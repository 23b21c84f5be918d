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

/// CRC-32, bit by bit; as liberasurecode had it before 1.6, each shift by a byte copies bit 23 into
/// the bits above.
std::uint32_t slow_crc(std::span<const std::uint8_t> bytes, bool is_legacy = false) {
  std::uint32_t crc = 0xffffffff;
  for (const std::uint8_t byte : bytes) {
    std::uint32_t factor = (crc ^ byte) & 0xff;
    for (int bit = 0; bit < 8; ++bit) factor = factor >> 1 ^ (factor % 2 == 0 ? 0 : 0xedb88320);
    crc >>= 8;
    if (is_legacy && (crc & 0x800000) != 0) crc |= 0xff000000;
    crc ^= factor;
  }
  return ~crc;
}

void put(Bytes& fragment, std::size_t at, std::uint32_t number) {
  std::memcpy(fragment.data() + at, &number, sizeof number);
}

std::span<const std::uint8_t> checked_part(const Bytes& fragment) {
  return std::span(fragment).first(59);
}

/// The fragment as liberasurecode writes it: without the marks of a code and a stripe.
Bytes unmarked(Bytes fragment) {
  std::fill_n(fragment.begin() + 25, 16, std::uint8_t{0});
  put(fragment, 67, slow_crc(checked_part(fragment)));
  return fragment;
}

std::vector<Bytes> unmarked(std::vector<Bytes> fragments) {
  for (Bytes& fragment : fragments) fragment = unmarked(std::move(fragment));
  return fragments;
}

/// The fragment as a machine of the other byte order writes it.
Bytes swapped(Bytes fragment) {
  const auto swap = [&](std::size_t at, std::ptrdiff_t bytes) {
    const auto begin = fragment.begin() + static_cast<std::ptrdiff_t>(at);
    std::reverse(begin, begin + bytes);
  };
  swap(12, 8);
  for (const std::size_t at : {0U, 4U, 8U, 55U, 59U, 63U}) swap(at, 4);
  for (std::size_t at = 21; at < 53; at += 4) swap(at, 4);
  put(fragment, 67, slow_crc(checked_part(fragment)));
  swap(67, 4);
  return fragment;
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

TEST_CASE("the header is that of liberasurecode 1.6.2, but for the marks of code and stripe") {
  // A fragment that pyeclib 1.6 wrote: k = 4, m = 2, checksum inline_crc32, 1283 bytes, fragment 1.
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
    const std::vector<Bytes> fragments = unmarked(make_fragments(Codec(written.spec), data));
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

TEST_CASE("fragments of another code are refused, whatever its sizes") {
  const Bytes data = counted(100'003);
  const std::array specs = {"isa-vandermonde:k=4,m=2",
                            "isa-cauchy:k=4,m=2",
                            "isa-vandermonde:k=5,m=1",
                            "isa-vandermonde:k=4,m=3",
                            "rs:k=4,m=2,w=8",
                            "rs:k=4,m=2,w=8,poly=0x12b",
                            "rs:k=4,m=2,w=16",
                            "rs-poly:k=4,m=2",
                            "cauchy-good:k=4,m=2,w=4",
                            "cauchy:k=4,m=2,w=4",
                            "cauchy:k=4,m=2,w=4,packet_bytes=128"};
  for (const char* writer : specs) {
    const std::vector<Bytes> fragments = make_fragments(Codec(writer), data);
    for (const char* reader : specs) {
      CAPTURE(writer);
      CAPTURE(reader);
      CHECK(status_of(Codec(reader), fragments) ==
            (writer == reader ? Status::kOk : Status::kInvalidArgument));
    }
  }
}

TEST_CASE("what liberasurecode wrote tells codes apart by backend and size") {
  const Bytes data = counted(100'003);
  const std::vector<Bytes> fragments =
      unmarked(make_fragments(Codec("isa-vandermonde:k=4,m=2"), data));
  CHECK(status_of(Codec("isa-vandermonde:k=4,m=2"), fragments) == Status::kOk);
  for (const char* other : {"isa-cauchy:k=4,m=2", "isa-vandermonde:k=5,m=1", "rs:k=4,m=2",
                            "isa-vandermonde:k=3,m=3", "rs:k=4,m=2,w=16"}) {
    CAPTURE(other);
    CHECK(status_of(Codec(other), fragments) == Status::kInvalidArgument);
  }
  // For one byte the chunk size does not depend on k, so only redundancy reveals the wrong k.
  const std::vector<Bytes> small =
      unmarked(make_fragments(Codec("isa-vandermonde:k=4,m=2"), counted(1)));
  CHECK(status_of(Codec("isa-vandermonde:k=4,m=2"), small) == Status::kOk);
  CHECK(status_of(Codec("isa-vandermonde:k=3,m=3"), small) == Status::kDamaged);
}

TEST_CASE("codes that liberasurecode does not have are not given one of its numbers") {
  for (const char* spec :
       {"rs:k=4,m=2,w=16,poly=0x1002d", "cauchy:k=4,m=2,w=4,packet_bytes=1024,x=1+0",
        "cauchy:k=4,m=2,w=4,packet_bytes=64", "isa-cauchy:k=4,m=1",
        "isa-vandermonde:k=4,m=2,arrangement=packet"}) {
    CAPTURE(spec);
    CHECK(make_fragments(Codec(spec), counted(99))[0][54] == 0);
  }
}

TEST_CASE("fragments of two objects of one size are not mixed") {
  const Bytes data = counted(1000);
  Bytes other = data;
  other[700] ^= 1;
  for (const char* spec :
       {"isa-vandermonde:k=4,m=2", "cauchy-good:k=4,m=2,w=4", "lrc:k=4,m=2,l=3"}) {
    CAPTURE(spec);
    const Codec codec(spec);
    std::vector<Bytes> mixed = make_fragments(codec, data);
    const std::vector<Bytes> others = make_fragments(codec, other);
    mixed[2] = others[2];
    CHECK(status_of(codec, mixed) == Status::kInvalidArgument);
    mixed.pop_back();
    mixed.pop_back();
    CHECK(status_of(codec, mixed) == Status::kInvalidArgument);
  }
  // liberasurecode names no object: redundancy tells, if there is more of it than is needed.
  const Codec codec("isa-vandermonde:k=4,m=2");
  std::vector<Bytes> mixed = unmarked(make_fragments(codec, data));
  CHECK(status_of(codec, mixed) == Status::kOk);
  CHECK(status_of(codec, {mixed[0], mixed[1], mixed[3], mixed[4], mixed[5]}) == Status::kOk);
  mixed[2] = unmarked(make_fragments(codec, other)[2]);
  CHECK(status_of(codec, mixed) == Status::kDamaged);
  CHECK(status_of(codec, {mixed[1], mixed[2], mixed[3], mixed[4], mixed[5]}) == Status::kDamaged);
  CHECK(status_of(codec, {mixed[2], mixed[3], mixed[4], mixed[5]}) == Status::kOk);
  // A fragment without marks, as liberasurecode reconstructs it, joins fragments with marks.
  std::vector<Bytes> some = make_fragments(codec, data);
  some[1] = unmarked(some[1]);
  CHECK(join_fragments(codec, spans_of(some)) == data);
}

TEST_CASE("a stripe may be named after its chunks were written") {
  const Codec codec("rs:k=4,m=2");
  std::vector<Bytes> fragments = make_fragments(codec, counted(1000));
  const std::size_t chunk_bytes = fragments[0].size() - kFragmentHeaderBytes;
  for (std::size_t i = 0; i < fragments.size(); ++i) {
    write_fragment_header(codec, {i, chunk_bytes, 1000}, fragments[i].data());
  }
  CHECK(status_of(codec, fragments) == Status::kOk);
  for (Bytes& fragment : fragments) set_fragment_stripe(7, fragment);
  CHECK(status_of(codec, fragments) == Status::kOk);
  set_fragment_stripe(std::uint64_t{7} << 32, fragments[3]);
  CHECK(status_of(codec, fragments) == Status::kInvalidArgument);
  fragments[3][90] ^= 1;
  CHECK_THROWS_AS(set_fragment_stripe(7, fragments[3]), Error);
}

TEST_CASE("a fragment that the code does not have, or comes again, counts as not there") {
  const Codec codec("isa-vandermonde:k=4,m=2");
  const Bytes data = counted(1000);
  std::vector<Bytes> fragments = make_fragments(codec, data);
  Bytes stray = fragments[0];
  for (const std::uint32_t location : {6U, 255U, 0xffffffffU}) {
    put(stray, 0, location);
    put(stray, 67, slow_crc(checked_part(stray)));
    REQUIRE(read_fragment_header(stray).location == location);
    CHECK(join_fragments(codec, spans_of({stray, fragments[1], fragments[2], fragments[3],
                                          fragments[4], fragments[5]})) == data);
  }
  CHECK(status_of(codec, {stray, fragments[1], fragments[2], fragments[3]}) == Status::kDamaged);
  // The first of two fragments of one location is used. Their headers name no stripe here.
  Bytes other = data;
  other[300] ^= 1;
  std::vector<Bytes> twice = unmarked(fragments);
  twice.push_back(unmarked(make_fragments(codec, other)[1]));
  CHECK(join_fragments(codec, spans_of(twice)) == data);
}

TEST_CASE("fragments of older liberasurecodes, and of the other byte order, are read") {
  const Codec codec("isa-vandermonde:k=4,m=2");
  const Bytes data = counted(1283);
  const std::vector<Bytes> fragments = make_fragments(codec, data);
  const auto is_read = [&](const Bytes& one) {
    const Fragment about = read_fragment_header(one);
    return about.location == 1 && about.chunk_bytes == 321 && about.data_bytes == 1283 &&
           join_fragments(codec, spans_of({one, fragments[0], fragments[2], fragments[5]})) == data;
  };
  const Bytes plain = unmarked(fragments[1]);
  const std::span<const std::uint8_t> chunk = std::span(plain).subspan(kFragmentHeaderBytes);
  CHECK(is_read(plain));
  // LIBERASURECODE_WRITE_LEGACY_CRC=1, and versions before 1.6.
  Bytes legacy = plain;
  put(legacy, 21, slow_crc(chunk, true));
  put(legacy, 67, slow_crc(checked_part(legacy), true));
  CHECK(legacy != plain);
  CHECK(is_read(legacy));
  // Before 1.2 the header has no checksum.
  Bytes old = legacy;
  put(old, 63, 0x010100);
  put(old, 67, 0);
  CHECK(is_read(old));
  CHECK(is_read(swapped(plain)));
  CHECK(is_read(swapped(legacy)));
  CHECK(is_read(swapped(fragments[1])));
  // A changed byte of the chunk or of the header's fields is found in each of these versions.
  for (const Bytes& one : {legacy, old, swapped(plain)}) {
    for (const std::size_t at : {std::size_t{21}, std::size_t{80}, one.size() - 1}) {
      Bytes damaged = one;
      damaged[at] ^= 4;
      CHECK(status_of(damaged) == Status::kDamaged);
    }
  }
  // A version that damage made old does not lift the checksum of the header.
  Bytes damaged = fragments[1];
  put(damaged, 63, 0x010002);
  CHECK(status_of(damaged) == Status::kDamaged);
  put(damaged, 63, 0);
  CHECK(status_of(damaged) == Status::kDamaged);
}

TEST_CASE("a fragment that pyeclib wrote with the legacy checksum is read") {
  // pyeclib 1.6 on liberasurecode 1.6.2, LIBERASURECODE_WRITE_LEGACY_CRC=1: isa_l_rs_vand, k = 4,
  // m = 2, inline_crc32, the 1283 bytes of the test above, fragment 1.
  const std::array<std::uint8_t, kFragmentHeaderBytes> header = {
      1,    0,    0,    0,    0x41, 1, 0, 0,    0,    0,    0,    0, 3, 5, 0, 0, 0,    0, 0, 0,
      2,    0xed, 0x6b, 0x76, 0xbd, 0, 0, 0,    0,    0,    0,    0, 0, 0, 0, 0, 0,    0, 0, 0,
      0,    0,    0,    0,    0,    0, 0, 0,    0,    0,    0,    0, 0, 0, 4, 0, 0x0d, 2, 0, 0xcc,
      0x5e, 0x0c, 0x0b, 2,    6,    1, 0, 0xfe, 0xf3, 0xab, 0x27, 0, 0, 0, 0, 0, 0,    0, 0, 0};
  Bytes fragment(header.begin(), header.end());
  for (std::size_t i = 321; i < 642; ++i) fragment.push_back(static_cast<std::uint8_t>(i));
  const Fragment about = read_fragment_header(fragment);
  CHECK(about.location == 1);
  CHECK(about.chunk_bytes == 321);
  CHECK(about.data_bytes == 1283);
  fragment.back() ^= 1;
  CHECK(status_of(fragment) == Status::kDamaged);
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
  std::vector<Bytes> made(6, Bytes(again.size(), 0xcc));
  std::vector<std::uint8_t*> to;
  for (Bytes& fragment : made) to.push_back(fragment.data());
  REQUIRE(xl_make_fragments(codec, data.data(), 1000, to.data(), again.size()) == XL_OK);
  CHECK(made == fragments);
  CHECK(xl_make_fragments(codec, data.data(), 1000, to.data(), again.size() - 1) ==
        XL_INVALID_ARGUMENT);
  to[3] = nullptr;
  CHECK(xl_make_fragments(codec, data.data(), 1000, to.data(), again.size()) ==
        XL_INVALID_ARGUMENT);
  REQUIRE(xl_set_fragment_stripe(made[5].data(), made[5].size(), 0) == XL_OK);
  CHECK(made[5] == again);
  CHECK(xl_set_fragment_stripe(made[5].data(), 79, 0) == XL_PARSE);
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
