#include "runtime/shards/block_reading.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "runtime/engine/plan_options.hpp"
#include "runtime/plans/repair_plan.hpp"
#include "runtime/shards/shard_pieces.hpp"
#include "runtime/shards/stripe_buffer.hpp"
#include "tests/runtime/shards/shard_scene.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;
using Numbers = std::vector<std::uint32_t>;
using test::ShardImage;

constexpr const char* kClay = "clay:k=4,m=2,d=5";
constexpr std::uint32_t kClayPieces = 8;  // sub-chunks of it
constexpr std::uint64_t kPiece = 16;
constexpr std::uint64_t kClayBlock = kClayPieces * kPiece;
constexpr std::uint64_t kFrame = kFrameBytes + 8 * kClayPieces;

/// Three whole stripes whose blocks are in 8 pieces of 16 bytes.
struct BlockScene : test::SetScene {
  BlockScene() : SetScene(3 * 4 * kClayBlock, {.spec = kClay, .block_bytes = kClayBlock}, 5) {
    REQUIRE(header.pieces == Pieces{kClayPieces, 0});
  }
  /// Payload of a location's block, as encode wrote it.
  std::string payload(std::uint32_t location, std::uint64_t block) const {
    const std::string& file = whole.at(name(location));
    return file.substr(block_offset(header, block) + kFrame, kClayBlock);
  }
};

/// A block of stripe 1 being read.
struct BlockBeingRead {
  BlockBeingRead(const BlockScene& scene, std::uint32_t location)
      : set({scene.d}), reader(set.opened, location, 1), chunk(kClayBlock, 0xee) {}
  bool read(const Numbers& pieces) { return reader.read(pieces, chunk, result); }
  bool read() { return reader.read(chunk, result); }
  std::string text() const { return test::text_of(chunk); }

  test::ReadableSet set;
  BlockReader reader;
  std::vector<std::uint8_t> chunk;
  BlocksRead result;
};

/// A text of which only some pieces are left.
std::string only(const std::string& text, const Numbers& pieces) {
  std::string left(text.size(), '\xee');
  for (const std::uint32_t piece : pieces) {
    left.replace(piece * kPiece, kPiece, text, piece * kPiece, kPiece);
  }
  return left;
}

void flip_bits(const BlockScene& scene, std::uint32_t location, std::uint64_t offset,
               unsigned char bits = 1) {
  ShardImage image = scene.image(location);
  char& byte = image.bytes[image.offset(1) + offset];
  byte = static_cast<char>(byte ^ bits);
  image.save();
}

}  // namespace

TEST_CASE("The pieces that are wanted are read, each once, and no others") {
  const BlockScene scene;
  const std::string payload = scene.payload(1, 1);
  BlockBeingRead reader(scene, 1);
  REQUIRE(reader.read(Numbers{}));
  CHECK(reader.result.bytes_read == 0);
  REQUIRE(reader.read({2, 3, 6}));
  CHECK(reader.text() == only(payload, {2, 3, 6}));
  CHECK(reader.result.bytes_read == kFrame + 3 * kPiece);
  REQUIRE(reader.read({2, 6}));
  CHECK(reader.result.bytes_read == kFrame + 3 * kPiece);
  REQUIRE(reader.read({0, 3, 4}));
  CHECK(reader.text() == only(payload, {0, 2, 3, 4, 6}));
  CHECK(reader.result.bytes_read == kFrame + 5 * kPiece);
  REQUIRE(reader.read());
  CHECK(reader.text() == payload);
  CHECK(reader.result.bytes_read == kFrame + kClayBlock);
  REQUIRE(reader.read());
  CHECK(reader.result.bytes_read == kFrame + kClayBlock);
  CHECK(reader.result.bad.empty());
  CHECK(reader.result.shards.size() == 1);
  BlockBeingRead at_once(scene, 1);
  REQUIRE(at_once.read());
  CHECK(at_once.text() == payload);
  CHECK(at_once.result.bytes_read == kFrame + kClayBlock);
}

TEST_CASE(
    "A byte changed in a block spoils what is read if it is of its frame or of a piece of that") {
  for (std::uint64_t offset = 0; offset < kFrame + kClayBlock; ++offset) {
    const BlockScene scene;
    flip_bits(scene, 4, offset, 0x40);
    const bool is_hit =
        offset < kFrame || (offset - kFrame) / kPiece == 2 || (offset - kFrame) / kPiece == 5;
    CAPTURE(offset);
    BlockBeingRead some(scene, 4);
    CHECK(some.read({2, 5}) == !is_hit);
    CHECK(some.result.bad.size() == (is_hit ? 1 : 0));
    if (is_hit) CHECK(some.result.bad[0].fault == BlockFault::kDamaged);
    if (!is_hit) CHECK(some.text() == only(scene.payload(4, 1), {2, 5}));
    CHECK(!some.read());
    CHECK(some.result.bad.size() == 1);  // named once
    BlockBeingRead all(scene, 4);
    CHECK(!all.read());
    CHECK(all.result.bad.size() == 1);
  }
}

TEST_CASE("Pieces and frames that changed places are damage") {
  for (std::uint32_t a = 0; a < kClayPieces; ++a) {
    const std::uint32_t b = (a + 3) % kClayPieces;
    for (const bool with_checksums : {false, true}) {
      const BlockScene scene;
      ShardImage image = scene.image(0);
      const auto swap = [&](std::size_t at, std::size_t of_a, std::size_t of_b, std::size_t bytes) {
        const auto first = image.bytes.begin() + static_cast<std::ptrdiff_t>(image.offset(1) + at);
        const auto step = static_cast<std::ptrdiff_t>(bytes);
        std::swap_ranges(first + static_cast<std::ptrdiff_t>(of_a) * step,
                         first + static_cast<std::ptrdiff_t>(of_a + 1) * step,
                         first + static_cast<std::ptrdiff_t>(of_b) * step);
      };
      swap(kFrame, a, b, kPiece);
      if (with_checksums) swap(kFrameBytes, a, b, 8);
      image.save();
      CAPTURE(a);
      CAPTURE(with_checksums);
      CHECK(!BlockBeingRead(scene, 0).read({std::min(a, b), std::max(a, b)}));
      CHECK(!BlockBeingRead(scene, 0).read({a}));
      CHECK(!BlockBeingRead(scene, 0).read({b}));
      CHECK(BlockBeingRead(scene, 0).read({(a + 1) % kClayPieces}) == !with_checksums);
    }
  }
}

TEST_CASE("Of a shard that ends early the pieces before its end are read") {
  for (std::uint64_t left = 0; left <= kFrame + kClayBlock; left += 4) {
    const BlockScene scene;
    fs::resize_file(scene.path(3), block_offset(scene.header, 1) + left);
    CAPTURE(left);
    BlockBeingRead first(scene, 3);
    CHECK(first.read({1}) == (left >= kFrame + 2 * kPiece));
    BlockBeingRead last(scene, 3);
    CHECK(last.read({0, 7}) == (left == kFrame + kClayBlock));
    if (left != kFrame + kClayBlock) {
      REQUIRE(last.result.bad.size() == 1);
      CHECK(last.result.bad[0].fault == BlockFault::kMissing);
    }
  }
}

TEST_CASE("No piece of a stale block is taken") {
  const BlockScene scene;
  ShardImage image = scene.image(2);
  ShardHeader older = image.header;
  older.generation = 7;
  image.seal(1, older);
  image.save();
  for (std::uint32_t piece = 0; piece < kClayPieces; ++piece) {
    BlockBeingRead reader(scene, 2);
    CHECK(!reader.read({piece}));
    REQUIRE(reader.result.bad.size() == 1);
    CHECK(reader.result.bad[0].fault == BlockFault::kStale);
  }
}

TEST_CASE("Of two copies each piece comes from whichever has it good") {
  const BlockScene scene;
  fs::copy_file(scene.path(1), scene.d / "copy");
  flip_bits(scene, 1, kFrame + 2 * kPiece);
  ShardImage copy(scene.d / "copy");
  char& byte = copy.bytes[copy.offset(1) + kFrame + 5 * kPiece];
  byte = static_cast<char>(byte ^ 1);
  copy.save();
  BlockBeingRead reader(scene, 1);
  REQUIRE(reader.read({0, 1}));
  CHECK(reader.result.bad.empty());
  CHECK(reader.result.bytes_read == 2 * (kFrame + 2 * kPiece));
  REQUIRE(reader.read());
  CHECK(reader.text() == scene.payload(1, 1));
  CHECK(reader.result.bad.size() == 2);
  CHECK(reader.result.shards.size() == 2);
  // A piece that is bad in both copies makes the block lost.
  flip_bits(scene, 1, kFrame + 5 * kPiece);
  CHECK(BlockBeingRead(scene, 1).read({0, 1, 2, 3}));
  CHECK(!BlockBeingRead(scene, 1).read({5}));
  CHECK(!BlockBeingRead(scene, 1).read());
}

TEST_CASE("Copies that contradict each other do so in the pieces that differ") {
  const BlockScene scene;
  ShardImage other = scene.image(1);
  char& byte = other.bytes[other.offset(1) + kFrame + 3 * kPiece + 1];
  byte = static_cast<char>(byte ^ 1);
  other.seal(1);
  other.save_as(scene.d / "copy");
  BlockBeingRead reader(scene, 1);
  CHECK(reader.read({0, 1, 2, 4, 5, 6, 7}));
  CHECK(reader.result.bad.empty());
  CHECK(!reader.read({3}));
  REQUIRE(reader.result.bad.size() == 2);
  for (const BadBlock& bad : reader.result.bad) CHECK(bad.fault == BlockFault::kContradicted);
  CHECK(!BlockBeingRead(scene, 1).read());
}

TEST_CASE("A location of a regenerating code is rebuilt from the pieces its repair takes") {
  const BlockScene scene;
  const test::ReadableSet set = scene.set();
  const Code& code = set.opened.code();
  REQUIRE(code.subchunks == kClayPieces);
  for (std::uint32_t lost = 0; lost < code.locations; ++lost) {
    const Plan plan = make_repair_plan(code, {.erased = {lost}}, plan_options({}));
    StripeBuffer buffer(code, kClayBlock);
    for (std::uint32_t l = 0; l < code.locations; ++l) {
      std::ranges::fill(buffer.chunk(l), std::uint8_t{0xee});
    }
    BlocksRead result;
    CAPTURE(lost);
    for (const std::size_t location : plan.reads()) {
      const auto units = plan.units_read(location);
      CHECK(units.size() == kClayPieces / 2);
      BlockReader reader(set.opened, location, 1);
      REQUIRE(reader.read(units, buffer.chunk(location), result));
    }
    CHECK(plan.units_read(lost).empty());
    CHECK(result.bytes_read == 5 * (kFrame + kClayBlock / 2));
    REQUIRE(plan.run(buffer.chunks(), kClayBlock) == Status::kOk);
    CHECK(test::text_of(buffer.chunk(lost)) == scene.payload(lost, 1));
  }
}

}  // namespace xorloom
