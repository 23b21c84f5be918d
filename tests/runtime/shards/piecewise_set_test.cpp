#include "runtime/shards/stripe_reading.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "runtime/plans/plan.hpp"
#include "tests/runtime/shards/shard_scene.hpp"

namespace xorloom {
namespace {

using test::EncodeCall;
using Locations = std::vector<std::size_t>;
using test::SetScene;
using test::ShardImage;

// Sets whose blocks are checked in pieces, from encoding to repair.

struct PiecewiseKind {
  const char* spec;
  std::uint64_t block_bytes;
  Pieces pieces;
};

const std::vector<PiecewiseKind> kPiecewiseKinds = {
    {"clay:k=4,m=2,d=5", 128, {8, 0}},
    {"rdp:k=4,p=5,packet_bytes=4096", 2 * 4 * 4096, {4, 4096}},
    {"cauchy:k=3,m=2,w=3,packet_bytes=4096", 3 * 4096, {3, 4096}},
};

/// Changes one byte of a shard's block, frame or payload.
void flip(const SetScene& scene, std::uint32_t location, std::uint64_t block,
          std::uint64_t offset) {
  ShardImage image = scene.image(location);
  char& byte = image.bytes[image.offset(block) + offset];
  byte = static_cast<char>(byte ^ 0x20);
  image.save();
}

}  // namespace

TEST_CASE("Sets get pieces that hold what computations on their code read") {
  struct Case {
    const char* spec;
    Pieces pieces;
  };
  for (const Case& c :
       {Case{"rs:k=4,m=2", {}}, Case{"lrc:k=4,m=2,l=3", {}}, Case{"clay:k=4,m=2,d=5", {8, 0}},
        Case{"clay:k=10,m=4,d=13", {256, 0}}, Case{"cauchy-good:k=10,m=4", {}},
        Case{"cauchy-good:k=4,m=2,packet_bytes=4088", {}},
        Case{"cauchy-good:k=4,m=2,packet_bytes=4096", {8, 4096}},
        Case{"rdp:k=4,p=5,packet_bytes=8192", {4, 8192}},
        Case{"parity:k=4,packet_bytes=4096", {}}}) {
    const Code code = make_code(c.spec, {.allow_non_mds = true});
    CAPTURE(c.spec);
    CHECK(usual_pieces(code) == c.pieces);
    if (c.pieces == Pieces{}) continue;
    const std::uint64_t bytes = usual_block_bytes(code);
    CHECK(bytes % chunk_multiple(code) == 0);
    CHECK((bytes + 16 + 8 * c.pieces.number <= kUsualBlockBytes || bytes == chunk_multiple(code)));
    CHECK((bytes * code.locations <= kUsualStripeBytes || bytes == chunk_multiple(code)));
  }
  CHECK(usual_block_bytes(make_code("clay:k=10,m=4,d=13")) == 65536 - 16 - 8 * 256 - 240);
  CHECK(usual_block_bytes(make_code("clay:k=4,m=2,d=5")) == 65536 - 16 - 64);
  Code many = make_code("clay:k=4,m=2,d=5");
  many.subchunks = 256;
  CHECK(usual_pieces(many) == Pieces{256, 0});
  many.subchunks = 257;
  CHECK(usual_pieces(many) == Pieces{});
  CHECK(pieces_of(many) == Pieces{257, 0});
  many.subchunks = kMaxPieces + 1;
  CHECK(pieces_of(many) == Pieces{});
}

TEST_CASE("Files of any size come back from sets in pieces, with any two shards lost") {
  for (const PiecewiseKind& kind : kPiecewiseKinds) {
    const Code code = make_code(kind.spec);
    const std::size_t stripe = code.k * kind.block_bytes;
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, stripe - 1, stripe, stripe + 1,
                                   2 * stripe + stripe / 3}) {
      const SetScene scene(size, {.spec = kind.spec, .block_bytes = kind.block_bytes});
      CAPTURE(kind.spec);
      CAPTURE(size);
      CHECK(scene.header.pieces == kind.pieces);
      const SetDamage verified = scene.set().verify();
      CHECK(verified.bad_blocks.empty());
      std::uint64_t blocks = 0;
      for (std::uint64_t b = 0; b < num_blocks(scene.header); ++b) {
        blocks += frame_bytes(scene.header) + payload_bytes(scene.header, b);
      }
      CHECK(verified.bytes_read == blocks * code.locations);
      CHECK(test::decoded({scene.d}) == scene.content);
      for (std::uint32_t a = 0; a < code.locations; ++a) {
        const std::uint32_t b = (a + 2) % static_cast<std::uint32_t>(code.locations);
        scene.lose(a);
        scene.lose(b);
        CHECK(test::decoded({scene.d}) == scene.content);
        CHECK(test::repair({scene.d}).rebuilt.size() == 2);
        REQUIRE(scene.is_whole());
      }
    }
  }
}

TEST_CASE(
    "Whatever bytes are changed, as long as a stripe lost no more than m they all come back") {
  std::mt19937_64 random(99);
  for (const PiecewiseKind& kind : kPiecewiseKinds) {
    const Code code = make_code(kind.spec);
    const auto n = static_cast<std::uint32_t>(code.locations);
    for (int round = 0; round < 12; ++round) {
      const SetScene scene(code.k * kind.block_bytes * 7 / 2,
                           {.spec = kind.spec, .block_bytes = kind.block_bytes}, random());
      CAPTURE(kind.spec);
      CAPTURE(round);
      std::vector<std::size_t> hit(n);
      for (std::uint64_t block = 0; block < 4; ++block) {
        const auto a = static_cast<std::uint32_t>(random() % n);
        const auto b = static_cast<std::uint32_t>(random() % n);
        for (const std::uint32_t location : {a, b}) {
          const std::uint64_t frame = frame_bytes(scene.header);
          const std::uint64_t all = frame + payload_bytes(scene.header, block);
          flip(scene, location, block, random() % (round % 2 == 0 ? all : frame));
          // So that bytes that are changed twice are not as they were.
          if (a == b) flip(scene, location, block, (frame + all) / 2);
          hit[location] = 1;
        }
      }
      const test::ReadableSet set = scene.set();
      const auto decoded = set.decode();
      CHECK(decoded.content == scene.content);
      const SetDamage damage = set.verify();
      CHECK(damage.lost_stripes.empty());
      CHECK(damage.bad_blocks.size() <=
            static_cast<std::size_t>(std::ranges::count(hit, std::size_t{1})));
      CHECK(!damage.bad_blocks.empty());
      test::repair({scene.d});
      CHECK(scene.is_whole());
    }
  }
}

TEST_CASE("Every byte of a block in pieces is covered: verify names it and repair makes it right") {
  const PiecewiseKind& kind = kPiecewiseKinds[0];
  const SetScene scene(3 * 4 * 128, {.spec = kind.spec, .block_bytes = kind.block_bytes});
  const std::uint64_t all = frame_bytes(scene.header) + kind.block_bytes;
  for (std::uint64_t offset = 0; offset < all; offset += 3) {
    flip(scene, 2, 1, offset);
    const test::ReadableSet set = scene.set();
    CAPTURE(offset);
    CHECK(set.bad_blocks(set.verify()) == "2: block 1 damaged");
    CHECK(set.decode().content == scene.content);
    CHECK(test::repair({scene.d}).rebuilt.size() == 1);
    REQUIRE(scene.is_whole());
  }
}

TEST_CASE("Of rows that a plan does not read nothing is read, and damage there is none") {
  // Each cell of a lost location lies on a diagonal that meets the others in one cell each.
  const EncodeCall call{.spec = "x-code:p=5,packet_bytes=4096", .block_bytes = 2 * 5 * 4096};
  const std::size_t size = 30 * 4096;
  const std::uint32_t lost = 1;
  const SetScene scene(size, call);
  const std::uint64_t frame = frame_bytes(scene.header);
  const auto payload_of = [&](const SetScene& of) {
    return of.whole.at(of.name(lost)).substr(block_offset(of.header, 0) + frame, call.block_bytes);
  };
  scene.lose(lost);
  const test::ReadableSet set = scene.set();
  const std::optional<Plan> plan = set.opened.plan({lost}, {lost});
  REQUIRE(plan);
  std::uint64_t bytes = 0;
  std::size_t num_partly_read = 0;
  for (const std::size_t location : plan->reads()) {
    const std::size_t rows = plan->units_read(location).size();
    REQUIRE(rows != 0);
    bytes += frame + rows * 2 * 4096;
    num_partly_read += rows < 5;
  }
  REQUIRE(num_partly_read != 0);
  StripeBuffer buffer(set.opened.code(), call.block_bytes);
  for (std::size_t l = 0; l < 5; ++l) std::ranges::fill(buffer.chunk(l), std::uint8_t{0xee});
  const StripeReading reading = read_stripe(set.opened, 0, {lost}, Rebuild::kYes, buffer);
  CHECK(reading.bytes_read == bytes);
  CHECK(reading.shards.size() == plan->reads().size());
  CHECK(test::text_of(buffer.chunk(lost)) == payload_of(scene));

  for (const std::size_t location : plan->reads()) {
    const auto units = plan->units_read(location);
    for (std::uint32_t row = 0; row < 5; ++row) {
      for (const std::uint64_t super_block : {0U, 1U}) {
        const SetScene damaged(size, call);
        damaged.lose(lost);
        flip(damaged, static_cast<std::uint32_t>(location), 0,
             frame + (super_block * 5 + row) * 4096 + 4095);
        const test::ReadableSet other = damaged.set();
        const StripeReading again = read_stripe(other.opened, 0, {lost}, Rebuild::kYes, buffer);
        const bool is_read = std::ranges::find(units, row) != units.end();
        Locations expected = {lost};
        if (is_read) expected.insert(location < lost ? expected.begin() : expected.end(), location);
        CAPTURE(location);
        CAPTURE(row);
        CHECK(again.is_recovered);
        CHECK(again.bad.size() == (is_read ? 1 : 0));
        CHECK(again.lost == expected);
        CHECK(test::text_of(buffer.chunk(lost)) == payload_of(damaged));
      }
    }
  }
}

TEST_CASE("Pieces that are not those of the code are refused") {
  for (const Pieces& pieces : {Pieces{4, 0}, Pieces{16, 0}, Pieces{8, 16}, Pieces{8, 8}}) {
    const PiecewiseKind& kind = kPiecewiseKinds[0];
    const SetScene scene(1000, {.spec = kind.spec, .block_bytes = kind.block_bytes});
    ShardHeader header = scene.header;
    header.pieces = pieces;
    if (header.last_block_bytes % 128 != 0) header.last_block_bytes = 128;
    for (std::uint32_t l = 0; l < 6; ++l) {
      header.location = l;
      ShardImage image = scene.image(l);
      image.set_first_header(header);
      image.set_last_header(header);
      image.save();
    }
    const test::Thrown thrown = test::thrown_by([&] { test::decoded({scene.d}); });
    CAPTURE(pieces.number);
    CAPTURE(pieces.unit_bytes);
    CHECK(thrown.kind == Status::kDamaged);
    CHECK(thrown.says("pieces"));
  }
}

}  // namespace xorloom
