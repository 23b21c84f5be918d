#include "runtime/shards/shard_header.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "runtime/files/checksum.hpp"
#include "runtime/machine/little_endian.hpp"
#include "tests/runtime/shards/shard_scene.hpp"

namespace xorloom {
namespace {

using test::bytes_of;
using test::from_hex;
using test::text_of;
using HeaderKind = HeaderReading::Kind;

ShardHeader header_example() {
  ShardHeader header = test::small_header();
  header.generation = 0x0102030405060708;
  header.location = 2;
  header.file_bytes = 1000;
  header.stripe_bytes = 256;
  header.block_bytes = 64;
  header.last_block_bytes = 58;
  return header;
}

// Both by an independent program of a few lines (Python's struct, checksums by libxxhash 0.8.1), as
// docs/shard-format.md has the format.
constexpr std::string_view kExample =
    "89 58 4c 53 0d 0a 1a 0a "  // magic
    "01 00 00 00 90 00 00 00 "  // version, H
    "00 00 00 00 00 00 00 00 "  // flags
    "00 01 02 03 04 05 06 07 "  // set id
    "08 09 0a 0b 0c 0d 0e 0f "
    "08 07 06 05 04 03 02 01 "  // generation
    "02 00 00 00 06 00 00 00 "  // location, n
    "e8 03 00 00 00 00 00 00 "  // bytes of the file
    "00 01 00 00 00 00 00 00 "  // bytes of a stripe
    "40 00 00 00 00 00 00 00 "  // bytes of a block
    "3a 00 00 00 00 00 00 00 "  // bytes of the last block
    "19 00 00 00 00 00 00 00 "  // bytes of the spec, and of the part after it
    "72 73 3a 6b 3d 34 2c 6d "
    "3d 32 2c 77 3d 38 2c 70 "
    "6f 6c 79 3d 30 78 31 31 "
    "64 00 00 00 00 00 00 00 "
    "90 00 00 00 53 4c 58 89 "   // H, magic
    "4f 88 e8 db 79 08 ab 13 ";  // checksum

constexpr std::string_view kExtendedExample =
    "89 58 4c 53 0d 0a 1a 0a "
    "01 00 00 00 98 00 00 00 "
    "00 00 00 00 01 00 00 80 "
    "00 01 02 03 04 05 06 07 "
    "08 09 0a 0b 0c 0d 0e 0f "
    "08 07 06 05 04 03 02 01 "
    "05 00 00 00 06 00 00 00 "
    "e8 03 00 00 00 00 00 00 "
    "00 01 00 00 00 00 00 00 "
    "40 00 00 00 00 00 00 00 "
    "3a 00 00 00 00 00 00 00 "
    "19 00 00 00 08 00 00 00 "
    "72 73 3a 6b 3d 34 2c 6d "
    "3d 32 2c 77 3d 38 2c 70 "
    "6f 6c 79 3d 30 78 31 31 "
    "64 00 00 00 00 00 00 00 "
    "01 02 03 04 05 06 07 08 "
    "98 00 00 00 53 4c 58 89 "
    "f2 35 28 a2 ad c4 a0 ab ";

/// Blocks of four pieces in units of 8 bytes, and 8 bytes more.
constexpr std::string_view kExampleInPieces =
    "89 58 4c 53 0d 0a 1a 0a "
    "01 00 00 00 a8 00 00 00 "
    "01 00 00 00 00 00 00 00 "
    "00 01 02 03 04 05 06 07 "
    "08 09 0a 0b 0c 0d 0e 0f "
    "08 07 06 05 04 03 02 01 "
    "05 00 00 00 06 00 00 00 "
    "e8 03 00 00 00 00 00 00 "
    "00 01 00 00 00 00 00 00 "
    "40 00 00 00 00 00 00 00 "
    "20 00 00 00 00 00 00 00 "
    "19 00 00 00 18 00 00 00 "
    "72 73 3a 6b 3d 34 2c 6d "
    "3d 32 2c 77 3d 38 2c 70 "
    "6f 6c 79 3d 30 78 31 31 "
    "64 00 00 00 00 00 00 00 "
    "04 00 00 00 00 00 00 00 "  // pieces
    "08 00 00 00 00 00 00 00 "  // bytes of a unit
    "01 02 03 04 05 06 07 08 "
    "a8 00 00 00 53 4c 58 89 "
    "8f a0 ef 79 00 f7 de 9e ";

ShardHeader example_in_pieces() {
  ShardHeader header = header_example();
  header.location = 5;
  header.last_block_bytes = 32;
  header.pieces = {4, 8};
  header.extra = {1, 2, 3, 4, 5, 6, 7, 8};
  return header;
}

/// Header bytes whose checksum holds whatever was done to them.
std::vector<std::uint8_t> sealed(std::vector<std::uint8_t> bytes) {
  put(bytes.data() + bytes.size() - 8, checksum(std::span(bytes).first(bytes.size() - 8)));
  return bytes;
}

/// The example with a number at an offset, and a checksum that holds.
template <typename Number>
std::vector<std::uint8_t> example_with(std::size_t offset, Number number) {
  std::vector<std::uint8_t> bytes = header_text(header_example());
  put(bytes.data() + offset, number);
  return sealed(bytes);
}

/// A header with a change, written without the check of header_text.
std::vector<std::uint8_t> unchecked_text(const ShardHeader& h) {
  std::vector<std::uint8_t> bytes = header_text(header_example());
  put(bytes.data() + 40, h.generation);
  put(bytes.data() + 48, h.location);
  put(bytes.data() + 52, h.locations);
  put(bytes.data() + 56, h.file_bytes);
  put(bytes.data() + 64, h.stripe_bytes);
  put(bytes.data() + 72, h.block_bytes);
  put(bytes.data() + 80, h.last_block_bytes);
  return sealed(bytes);
}

}  // namespace

TEST_CASE("A header has the bytes the format says") {
  CHECK(text_of(header_text(header_example())) == from_hex(kExample));
  ShardHeader extended = header_example();
  extended.location = 5;
  extended.optional_flags = 0x80000001;
  extended.extra = {1, 2, 3, 4, 5, 6, 7, 8};
  CHECK(text_of(header_text(extended)) == from_hex(kExtendedExample));
  CHECK(header_bytes(header_example()) == 0x90);
  CHECK(header_bytes(extended) == 0x98);
}

TEST_CASE("Bytes as the format says are read as what they mean") {
  const HeaderReading plain = read_header(bytes_of(from_hex(kExample)));
  REQUIRE(plain.kind == HeaderKind::kWhole);
  CHECK(plain.header == header_example());
  const HeaderReading extended = read_header(bytes_of(from_hex(kExtendedExample)));
  REQUIRE(extended.kind == HeaderKind::kWhole);
  CHECK(extended.header.optional_flags == 0x80000001);
  CHECK(extended.header.extra == std::vector<std::uint8_t>{1, 2, 3, 4, 5, 6, 7, 8});
  CHECK(extended.header.location == 5);
}

TEST_CASE("A header whose blocks are in pieces has the bytes the format says, and is read so") {
  const ShardHeader header = example_in_pieces();
  CHECK(text_of(header_text(header)) == from_hex(kExampleInPieces));
  CHECK(header_bytes(header) == 0xa8);
  CHECK(frame_bytes(header) == 16 + 4 * 8);
  CHECK(block_offset(header, 2) == 0xa8 + 2 * (64 + 48));
  CHECK(shard_bytes(header) == 2 * 0xa8 + 3 * (64 + 48) + 32 + 48);
  const HeaderReading reading = read_header(bytes_of(from_hex(kExampleInPieces)));
  REQUIRE(reading.kind == HeaderKind::kWhole);
  CHECK(reading.header == header);
  for (std::size_t bit = 0; bit < 8 * 0xa8; ++bit) {
    std::vector<std::uint8_t> bytes = bytes_of(from_hex(kExampleInPieces));
    bytes[bit / 8] = static_cast<std::uint8_t>(bytes[bit / 8] ^ 1U << bit % 8);
    CAPTURE(bit);
    CHECK(read_header(bytes).kind == (bit < 64 ? HeaderKind::kOther : HeaderKind::kDamaged));
  }
}

TEST_CASE("Pieces out of bounds are neither written nor read") {
  struct Case {
    std::uint32_t number;
    std::uint32_t zero;
    std::uint64_t unit_bytes;
    bool is_right;
  };
  constexpr std::uint64_t kHuge = std::uint64_t{1} << 63;
  for (const Case& c : {Case{4, 0, 8, true},
                        Case{4, 0, 0, true},
                        Case{2, 0, 16, true},
                        Case{32, 0, 0, true},
                        Case{32, 0, 1, true},
                        Case{0, 0, 8, false},
                        Case{0, 0, 0, false},
                        Case{1, 0, 8, false},
                        Case{1, 0, 0, false},
                        Case{3, 0, 0, false},
                        Case{3, 0, 8, false},
                        Case{4, 0, 16, false},
                        Case{64, 0, 0, false},
                        Case{64, 0, 1, false},
                        Case{65537, 0, 0, false},
                        Case{0xffffffff, 0, 1, false},
                        Case{0x80000000, 0, 2, false},
                        Case{4, 1, 8, false},
                        Case{4, 0, kHuge, false},
                        Case{4, 0, kHuge / 2, false},
                        Case{4, 0, ~std::uint64_t{0}, false},
                        Case{2, 0, kMaxBlockBytes + 1, false}}) {
    std::vector<std::uint8_t> bytes = bytes_of(from_hex(kExampleInPieces));
    put(bytes.data() + 128, c.number);
    put(bytes.data() + 132, c.zero);
    put(bytes.data() + 136, c.unit_bytes);
    CAPTURE(c.number);
    CAPTURE(c.unit_bytes);
    CHECK(read_header(sealed(bytes)).kind ==
          (c.is_right ? HeaderKind::kWhole : HeaderKind::kDamaged));
    if (c.zero != 0 || (c.number == 0 && c.unit_bytes == 0)) continue;
    ShardHeader header = example_in_pieces();
    header.pieces = {c.number, c.unit_bytes};
    const Status kind = test::thrown_by([&] { header_text(header); }).kind;
    CHECK(kind == (c.is_right ? Status::kOk : Status::kInvalidArgument));
  }
  // Other sizes of what follows the spec: too short for the pieces, and more of what is skipped.
  ShardHeader more = example_in_pieces();
  more.extra.resize(kMaxShardExtraBytes - 16);
  CHECK(read_header(header_text(more)).header == more);
  more.extra.resize(kMaxShardExtraBytes - 8);
  CHECK(test::thrown_by([&] { header_text(more); }).kind == Status::kInvalidArgument);
  for (const std::size_t extra : {0U, 8U}) {
    ShardHeader none = header_example();
    none.last_block_bytes = 32;
    none.extra.resize(extra, 4);
    std::vector<std::uint8_t> bytes = header_text(none);
    put(bytes.data() + 16, std::uint32_t{1});
    CHECK(read_header(sealed(bytes)).kind == HeaderKind::kDamaged);
  }
}

TEST_CASE("Headers of any spec and of any more bytes come back") {
  std::mt19937_64 random(4711);
  for (const std::size_t spec_bytes : {1U, 7U, 8U, 9U, 15U, 16U, 17U, 1023U, 1024U, 1025U}) {
    for (const std::size_t extra_bytes : {0U, 8U, 64U, 65536U}) {
      ShardHeader header = header_example();
      header.spec.assign(spec_bytes, 'x');
      header.spec.back() = '~';
      header.extra.resize(extra_bytes);
      for (std::uint8_t& byte : header.extra) byte = static_cast<std::uint8_t>(random());
      header.optional_flags = static_cast<std::uint32_t>(random());
      const std::vector<std::uint8_t> text = header_text(header);
      CAPTURE(spec_bytes);
      CAPTURE(extra_bytes);
      CHECK(text.size() == header_bytes(header));
      CHECK(text.size() % 8 == 0);
      CHECK(bytes_in_prefix(text) == text.size());
      CHECK(bytes_in_suffix(text) == text.size());
      CHECK(read_header(text).header == header);
    }
  }
}

TEST_CASE("A header with any bit flipped is not read") {
  const std::vector<std::uint8_t> whole = header_text(header_example());
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::vector<std::uint8_t> bytes = whole;
    bytes[bit / 8] = static_cast<std::uint8_t>(bytes[bit / 8] ^ 1U << bit % 8);
    const HeaderReading reading = read_header(bytes);
    const HeaderKind expected = bit < 64 ? HeaderKind::kOther : HeaderKind::kDamaged;
    CAPTURE(bit);
    CHECK(reading.kind == expected);
    CHECK(reading.why.empty() == (expected == HeaderKind::kOther));
  }
}

TEST_CASE("A header that is cut short, or longer than it says, is not read") {
  std::vector<std::uint8_t> bytes = header_text(header_example());
  bytes.resize(bytes.size() + 16);
  for (std::size_t size = 0; size <= bytes.size(); ++size) {
    const HeaderKind kind = read_header(std::span(bytes).first(size)).kind;
    CAPTURE(size);
    if (size < 8) CHECK(kind == HeaderKind::kOther);
    if (size >= 8) CHECK((kind == HeaderKind::kWhole) == (size == bytes.size() - 16));
  }
}

TEST_CASE(
    "A header of a later version, or that needs what is not known, is told from a damaged one") {
  for (const std::uint32_t version : {2U, 3U, 0xffffffffU}) {
    const HeaderReading reading = read_header(example_with(8, version));
    CHECK(reading.kind == HeaderKind::kNewer);
    CHECK(reading.why.find(std::to_string(version)) != std::string::npos);
  }
  for (const std::uint32_t flags : {8U, 9U, 0x80000000U, 0xffffffffU}) {
    CHECK(read_header(example_with(16, flags)).kind == HeaderKind::kNewer);
  }
  // Only a set that was changed in place has a lineage.
  CHECK(read_header(example_with(16, std::uint32_t{4})).kind == HeaderKind::kDamaged);
  CHECK(read_header(example_with(16, std::uint32_t{6})).kind == HeaderKind::kWhole);
  // Whose blocks are in pieces has to say in which.
  CHECK(read_header(example_with(16, std::uint32_t{1})).kind == HeaderKind::kDamaged);
  CHECK(read_header(example_with(8, std::uint32_t{0})).kind == HeaderKind::kDamaged);
  std::vector<std::uint8_t> unsealed = header_text(header_example());
  unsealed[8] = 2;
  CHECK(read_header(unsealed).kind == HeaderKind::kDamaged);
}

TEST_CASE("A later version is known by the first and last 16 bytes alone") {
  for (const std::size_t size : {32U, 40U, 96U, 112U, 1U << 21}) {
    std::vector<std::uint8_t> bytes(size);
    std::ranges::copy(from_hex("89 58 4c 53 0d 0a 1a 0a"), bytes.begin());
    put(bytes.data() + 8, std::uint32_t{2});
    put(bytes.data() + 12, static_cast<std::uint32_t>(size));
    put(bytes.data() + size - 16, static_cast<std::uint32_t>(size));
    std::ranges::copy(from_hex("53 4c 58 89"), bytes.end() - 12);
    CAPTURE(size);
    CHECK(bytes_in_prefix(bytes) == size);
    CHECK(bytes_in_suffix(bytes) == size);
    CHECK(read_header(sealed(bytes)).kind == HeaderKind::kNewer);
    put(bytes.data() + 8, std::uint32_t{1});
    CHECK(read_header(sealed(bytes)).kind == HeaderKind::kDamaged);
  }
}

TEST_CASE("Flags that may be passed over are") {
  for (const std::uint32_t flags : {1U, 0x80000000U, 0xffffffffU}) {
    const HeaderReading reading = read_header(example_with(20, flags));
    REQUIRE(reading.kind == HeaderKind::kWhole);
    CHECK(reading.header.optional_flags == flags);
  }
}

TEST_CASE("Sizes no header can have are none") {
  const std::vector<std::uint8_t> whole = header_text(header_example());
  for (const std::uint32_t size : {0U, 8U, 24U, 31U, 33U, 0x91U, (1U << 21) + 8, 0xfffffff8U}) {
    std::vector<std::uint8_t> bytes = whole;
    put(bytes.data() + 12, size);
    put(bytes.data() + bytes.size() - 16, size);
    CAPTURE(size);
    CHECK(bytes_in_prefix(bytes) == 0);
    CHECK(bytes_in_suffix(bytes) == 0);
    CHECK(read_header(sealed(bytes)).kind == HeaderKind::kDamaged);
  }
  CHECK(bytes_in_prefix(std::span(whole).first(15)) == 0);
  CHECK(bytes_in_prefix({}) == 0);
  CHECK(bytes_in_suffix(std::span(whole).last(15)) == 0);
  CHECK(bytes_in_suffix({}) == 0);
  CHECK(bytes_in_suffix(whole) == whole.size());
}

TEST_CASE("Parts that do not fill the header, or fill it with more than zeros, are damage") {
  for (const std::uint32_t bytes : {0U, 16U, 24U, 33U, 0xffffffffU}) {
    CAPTURE(bytes);
    CHECK(read_header(example_with(88, bytes)).kind == HeaderKind::kDamaged);
  }
  for (const std::uint32_t bytes : {1U, 8U, 0xffffffffU}) {
    CAPTURE(bytes);
    CHECK(read_header(example_with(92, bytes)).kind == HeaderKind::kDamaged);
  }
  CHECK(read_header(example_with(96 + 25, std::uint8_t{1})).kind == HeaderKind::kDamaged);
  CHECK(read_header(example_with(96 + 31, std::uint8_t{1})).kind == HeaderKind::kDamaged);
  CHECK(read_header(example_with(96, std::uint8_t{'\n'})).kind == HeaderKind::kDamaged);
  CHECK(read_header(example_with(96, std::uint8_t{0})).kind == HeaderKind::kDamaged);
  CHECK(read_header(example_with(96, std::uint8_t{0x7f})).kind == HeaderKind::kDamaged);
  CHECK(read_header(example_with(96, std::uint8_t{0xc3})).kind == HeaderKind::kDamaged);
}

TEST_CASE("Numbers out of bounds are neither written nor read") {
  using Change = std::function<void(ShardHeader&)>;
  const std::vector<std::pair<const char*, Change>> changes = {
      {"generation 0", [](auto& h) { h.generation = 0; }},
      {"no location", [](auto& h) { h.locations = 0; }},
      {"too many locations", [](auto& h) { h.locations = kMaxShardLocations + 1; }},
      {"location too high", [](auto& h) { h.location = 6; }},
      {"file too long", [](auto& h) { h.file_bytes = kMaxShardFileBytes + 1; }},
      {"no block size", [](auto& h) { h.block_bytes = 0; }},
      {"block too large", [](auto& h) { h.block_bytes = kMaxBlockBytes + 1; }},
      {"no stripe size", [](auto& h) { h.stripe_bytes = 0; }},
      {"stripe too large", [](auto& h) { h.stripe_bytes = 6 * 64 + 1; }},
      {"no last block", [](auto& h) { h.last_block_bytes = 0; }},
      {"last block too large", [](auto& h) { h.last_block_bytes = 65; }},
      {"last block of nothing", [](auto& h) { h.file_bytes = 0; }},
      {"shard too long",
       [](auto& h) {
         h.file_bytes = kMaxShardFileBytes;
         h.stripe_bytes = 1;
       }},
      {"shard longer than numbers go",
       [](auto& h) {
         h.file_bytes = kMaxShardFileBytes;
         h.stripe_bytes = 1;
         h.block_bytes = kMaxBlockBytes;
       }},
  };
  for (const auto& change : changes) {
    ShardHeader header = header_example();
    change.second(header);
    CAPTURE(change.first);
    const test::Thrown thrown = test::thrown_by([&] { header_text(header); });
    CHECK(thrown.kind == Status::kInvalidArgument);
    const HeaderReading reading = read_header(unchecked_text(header));
    CHECK(reading.kind == HeaderKind::kDamaged);
    CHECK(reading.why.find("contradicts itself") != std::string::npos);
  }
}

TEST_CASE("Specs and more bytes out of bounds are not written") {
  const auto kind_with = [](std::size_t spec_bytes, std::size_t extra_bytes) {
    ShardHeader header = header_example();
    header.spec.assign(spec_bytes, 'x');
    header.extra.resize(extra_bytes);
    return test::thrown_by([&] { header_text(header); }).kind;
  };
  CHECK(kind_with(0, 0) == Status::kInvalidArgument);
  CHECK(kind_with(kMaxStoredSpecBytes + 1, 0) == Status::kInvalidArgument);
  CHECK(kind_with(kMaxStoredSpecBytes, kMaxShardExtraBytes) == Status::kOk);
  CHECK(kind_with(1, kMaxShardExtraBytes + 8) == Status::kInvalidArgument);
  CHECK(kind_with(1, 7) == Status::kInvalidArgument);
  CHECK(kind_with(1, 8) == Status::kOk);
  for (const char c : {'\0', '\n', '\x1f', '\x7f', '\x80', '\xff'}) {
    ShardHeader header = header_example();
    header.spec += c;
    CHECK(test::thrown_by([&] { header_text(header); }).kind == Status::kInvalidArgument);
  }
}

TEST_CASE("Numbers at their bounds are written and read") {
  ShardHeader header = header_example();
  header.generation = std::numeric_limits<std::uint64_t>::max();
  header.locations = kMaxShardLocations;
  header.location = kMaxShardLocations - 1;
  header.block_bytes = kMaxBlockBytes;
  header.stripe_bytes = kMaxBlockBytes * kMaxShardLocations;
  header.last_block_bytes = kMaxBlockBytes;
  header.file_bytes = kMaxShardFileBytes;
  CHECK(read_header(header_text(header)).header == header);
  header.file_bytes = 0;
  header.last_block_bytes = 0;
  CHECK(read_header(header_text(header)).header == header);
}

TEST_CASE("What is no header is none") {
  CHECK(read_header({}).kind == HeaderKind::kOther);
  CHECK(read_header(bytes_of(std::string(200, '\0'))).kind == HeaderKind::kOther);
  CHECK(read_header(bytes_of(test::random_text(144, 1))).kind == HeaderKind::kOther);
  std::string text_mode = from_hex(kExample);
  text_mode.erase(4, 1);  // as a transfer as text takes the carriage return away
  CHECK(read_header(bytes_of(text_mode)).kind == HeaderKind::kOther);
}

TEST_CASE("Blocks, their offsets and the shard's length follow from the header") {
  ShardHeader header = header_example();
  const std::uint64_t h = header_bytes(header);
  struct Expected {
    std::uint64_t file_bytes, last_block_bytes, blocks;
  };
  for (const Expected& e :
       {Expected{0, 0, 0}, Expected{1, 1, 1}, Expected{255, 64, 1}, Expected{256, 64, 1},
        Expected{257, 1, 2}, Expected{511, 64, 2}, Expected{512, 64, 2}, Expected{513, 1, 3}}) {
    header.file_bytes = e.file_bytes;
    header.last_block_bytes = e.last_block_bytes;
    CAPTURE(e.file_bytes);
    CHECK(num_blocks(header) == e.blocks);
    std::uint64_t end = h;
    std::uint64_t file = 0;
    for (std::uint64_t block = 0; block < e.blocks; ++block) {
      CHECK(block_offset(header, block) == end);
      CHECK(payload_bytes(header, block) == (block + 1 == e.blocks ? e.last_block_bytes : 64));
      end += 16 + payload_bytes(header, block);
      file += stripe_file_bytes(header, block);
    }
    CHECK(shard_bytes(header) == end + h);
    CHECK(file == e.file_bytes);
  }
}

TEST_CASE("Headers of one set differ in the location alone") {
  const ShardHeader a = header_example();
  ShardHeader b = a;
  b.location = 5;
  CHECK(same_set(a, a));
  CHECK(same_set(a, b));
  const std::vector<std::function<void(ShardHeader&)>> changes = {
      [](auto& h) { h.set.bytes[15] = 0; },  [](auto& h) { ++h.generation; },
      [](auto& h) { ++h.locations; },        [](auto& h) { --h.file_bytes; },
      [](auto& h) { --h.stripe_bytes; },     [](auto& h) { ++h.block_bytes; },
      [](auto& h) { ++h.last_block_bytes; }, [](auto& h) { h.spec += "x"; },
      [](auto& h) { ++h.optional_flags; },   [](auto& h) { h.extra.resize(8); },
      [](auto& h) { h.pieces.number = 2; },  [](auto& h) { h.pieces.unit_bytes = 8; },
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    ShardHeader other = b;
    changes[i](other);
    CAPTURE(i);
    CHECK(!same_set(a, other));
    CHECK(!same_set(other, a));
  }
}

}  // namespace xorloom
