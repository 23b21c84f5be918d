#include "runtime/shards/stripe_reading.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "runtime/shards/set_damage.hpp"
#include "runtime/shards/shard_block.hpp"
#include "tests/runtime/shards/shard_scene.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;
using Locations = std::vector<std::size_t>;
using test::ShardImage;

constexpr std::uint64_t kBlockPayload = 16;
constexpr std::uint64_t kBlockOnDisk = kBlockPayload + kFrameBytes;

/// Three whole stripes of a code of 4 + 2, each block with 16 bytes of payload.
struct StripeScene : test::SetScene {
  StripeScene() : SetScene(3 * 4 * kBlockPayload, {}, 11) {}
};

/// The set of a scene and a buffer for its stripes.
struct BufferedSet {
  explicit BufferedSet(const StripeScene& scene)
      : set({scene.d}), buffer(set.opened.code(), kBlockPayload) {}
  StripeReading read(std::uint64_t stripe, const Locations& wanted,
                     Rebuild rebuild = Rebuild::kYes) {
    return read_stripe(set.opened, stripe, wanted, rebuild, buffer);
  }
  std::string chunk(std::size_t location) const { return test::text_of(buffer.chunk(location)); }

  test::ReadableSet set;
  StripeBuffer buffer;
};

std::string part_of(const StripeScene& scene, std::uint64_t stripe, std::size_t location) {
  return scene.content.substr((stripe * 4 + location) * kBlockPayload, kBlockPayload);
}

const Locations kData = {0, 1, 2, 3};

}  // namespace

TEST_CASE("Of an undamaged stripe only what is wanted is read") {
  const StripeScene scene;
  BufferedSet reader(scene);
  for (const Locations& wanted :
       {Locations{}, Locations{0}, Locations{3}, Locations{1, 2}, kData, Locations{4, 5}}) {
    const StripeReading reading = reader.read(1, wanted);
    CHECK(reading.stripe == 1);
    CHECK(reading.is_recovered);
    CHECK(reading.lost.empty());
    CHECK(reading.bad.empty());
    CHECK(reading.bytes_read == wanted.size() * kBlockOnDisk);
    for (const std::size_t location : wanted) {
      if (location < 4) CHECK(reader.chunk(location) == part_of(scene, 1, location));
    }
  }
}

TEST_CASE("Whichever two shards are gone, k blocks give a stripe back") {
  for (std::uint32_t a = 0; a < 6; ++a) {
    for (std::uint32_t b = a + 1; b < 6; ++b) {
      const StripeScene scene;
      scene.lose(a);
      scene.lose(b);
      BufferedSet reader(scene);
      const StripeReading reading = reader.read(2, kData);
      CAPTURE(a);
      CAPTURE(b);
      CHECK(reading.is_recovered);
      CHECK(reading.lost == Locations{a, b});
      CHECK(reading.bad.empty());
      CHECK(reading.bytes_read == 4 * kBlockOnDisk);
      for (const std::size_t i : kData) CHECK(reader.chunk(i) == part_of(scene, 2, i));
    }
  }
}

TEST_CASE("A block that is found to be damaged is read once, and others for it") {
  for (std::uint32_t a = 0; a < 4; ++a) {
    for (std::uint32_t b = a + 1; b < 6; ++b) {
      const StripeScene scene;
      scene.damage(a, {1});
      scene.damage(b, {1});
      BufferedSet reader(scene);
      const StripeReading reading = reader.read(1, kData);
      CAPTURE(a);
      CAPTURE(b);
      CHECK(reading.is_recovered);
      // The second one is met only if it is among those read.
      const bool meets_both = std::ranges::binary_search(reading.lost, b);
      CHECK(reading.bad.size() == reading.lost.size());
      CHECK(reading.bytes_read == (4 + (meets_both ? 2 : 1)) * kBlockOnDisk);
      for (const std::size_t i : kData) CHECK(reader.chunk(i) == part_of(scene, 1, i));
      // Other stripes have lost nothing.
      CHECK(reader.read(0, kData).lost.empty());
      CHECK(reader.read(2, kData).bytes_read == 4 * kBlockOnDisk);
    }
  }
}

TEST_CASE("Lost redundancy costs nothing unless it is wanted, and is rebuilt then") {
  const StripeScene scene;
  const std::string block = ShardImage(scene.path(5)).block(1).substr(kFrameBytes);
  scene.lose(5);
  BufferedSet reader(scene);
  CHECK(reader.read(1, kData).bytes_read == 4 * kBlockOnDisk);
  const StripeReading reading = reader.read(1, {5});
  CHECK(reading.is_recovered);
  CHECK(reading.bytes_read == 4 * kBlockOnDisk);
  CHECK(reader.chunk(5) == block);
}

TEST_CASE("What more than m losses leave is not recovered, but what is whole is read") {
  const StripeScene scene;
  for (const std::uint32_t location : {0U, 1U, 5U}) scene.lose(location);
  BufferedSet reader(scene);
  const StripeReading all = reader.read(0, kData);
  CHECK(!all.is_recovered);
  CHECK(all.lost == Locations{0, 1, 5});
  const StripeReading some = reader.read(0, {2, 3});
  CHECK(some.is_recovered);
  CHECK(some.bytes_read == 2 * kBlockOnDisk);
  CHECK(reader.chunk(2) == part_of(scene, 0, 2));
}

TEST_CASE("Asking alone reads the same and rebuilds nothing") {
  const StripeScene scene;
  scene.lose(1);
  scene.damage(2, {0});
  BufferedSet reader(scene);
  std::ranges::fill(reader.buffer.chunk(1), std::uint8_t{0xee});
  const StripeReading asked = reader.read(0, kData, Rebuild::kOnlyAsk);
  CHECK(asked.is_recovered);
  CHECK(reader.chunk(1) == std::string(kBlockPayload, '\xee'));
  const StripeReading rebuilt = reader.read(0, kData);
  CHECK(rebuilt.bytes_read == asked.bytes_read);
  CHECK(rebuilt.lost == asked.lost);
  CHECK(reader.chunk(1) == part_of(scene, 0, 1));
}

TEST_CASE("What is wrong with a block is said") {
  const StripeScene scene;
  scene.damage(0, {0});
  ShardImage stale(scene.path(1));
  ShardHeader older = stale.header;
  older.generation += 1;
  stale.seal(1, older);
  stale.save();
  fs::resize_file(scene.path(2), block_offset(scene.header, 2) + kBlockOnDisk - 1);
  BufferedSet reader(scene);
  const auto scrubbed = [&](std::uint64_t stripe) {
    return scrub_stripe(reader.set.opened, stripe, reader.buffer);
  };
  const StripeReading first = scrubbed(0);
  REQUIRE(first.bad.size() == 1);
  CHECK(first.bad[0].shard == 0);
  CHECK(first.bad[0].fault == BlockFault::kDamaged);
  CHECK(first.lost == Locations{0});
  CHECK(first.bytes_read == 6 * kBlockOnDisk);
  const StripeReading second = scrubbed(1);
  REQUIRE(second.bad.size() == 1);
  CHECK(second.bad[0].shard == 1);
  CHECK(second.bad[0].fault == BlockFault::kStale);
  const StripeReading third = scrubbed(2);
  REQUIRE(third.bad.size() == 1);
  CHECK(third.bad[0].shard == 2);
  CHECK(third.bad[0].fault == BlockFault::kMissing);
  CHECK(third.bytes_read == 5 * kBlockOnDisk);
  for (const StripeReading& reading : {first, second, third}) CHECK(reading.is_recovered);
}

TEST_CASE("Of two copies the good one is taken, and both are read") {
  const StripeScene scene;
  const fs::path copy = scene.d / "copy";
  fs::copy_file(scene.path(3), copy);
  ShardImage image(copy);
  image.damage(0);
  image.save();
  scene.damage(3, {1});
  BufferedSet reader(scene);
  for (const std::uint64_t stripe : {0U, 1U, 2U}) {
    const StripeReading reading = reader.read(stripe, kData);
    CAPTURE(stripe);
    CHECK(reading.is_recovered);
    CHECK(reading.lost.empty());
    CHECK(reading.bad.size() == (stripe == 2 ? 0 : 1));
    CHECK(reading.bytes_read == 5 * kBlockOnDisk);
    CHECK(reader.chunk(3) == part_of(scene, stripe, 3));
  }
}

TEST_CASE("Whole copies that differ in a block make it an erasure, and are named") {
  for (const std::size_t num_copies : {2U, 3U}) {
    const StripeScene scene;
    ShardImage other(scene.path(1));
    other.damage(1);
    other.seal(1);
    other.save_as(scene.d / "other");
    if (num_copies == 3) fs::copy_file(scene.path(1), scene.d / "third");
    BufferedSet reader(scene);
    CAPTURE(num_copies);
    const StripeReading reading = reader.read(1, kData);
    CHECK(reading.is_recovered);
    CHECK(reading.lost == Locations{1});
    REQUIRE(reading.bad.size() == num_copies);
    for (const BadBlock& bad : reading.bad) {
      CHECK(bad.fault == BlockFault::kContradicted);
      CHECK(reader.set.opened.set().shards[bad.shard].header.location == 1);
    }
    CHECK(reader.chunk(1) == part_of(scene, 1, 1));
    CHECK(reader.read(0, kData).bad.empty());
  }
}

TEST_CASE("A contradicted block counts against what the code can lose") {
  const StripeScene scene;
  ShardImage other(scene.path(1));
  other.damage(1);
  other.seal(1);
  other.save_as(scene.d / "other");
  scene.lose(0);
  scene.lose(4);
  BufferedSet reader(scene);
  CHECK(reader.read(0, kData).is_recovered);
  const StripeReading reading = reader.read(1, kData);
  CHECK(!reading.is_recovered);
  CHECK(reading.lost == Locations{0, 1, 4});
  CHECK(!scrub_stripe(reader.set.opened, 1, reader.buffer).is_recovered);
}

TEST_CASE("Faults have names") {
  CHECK(to_string(BlockFault::kDamaged) == std::string("damaged"));
  CHECK(to_string(BlockFault::kStale) == std::string("of another generation"));
  CHECK(to_string(BlockFault::kUnreadable) == std::string("unreadable"));
  CHECK(to_string(BlockFault::kMissing) == std::string("missing"));
  CHECK(to_string(BlockFault::kContradicted) == std::string("contradicted by another copy"));
}

TEST_CASE("Damage in words is cut short after eight places") {
  std::vector<BadBlocks> blocks;
  std::vector<LostStripes> stripes;
  ShardHeader header;
  header.stripe_bytes = 100;
  header.file_bytes = 10'000;
  for (std::uint64_t i = 0; i < 10; ++i) {
    blocks.push_back({10 * i, 10 * i + i % 2, BlockFault::kDamaged});
    stripes.push_back({10 * i, 10 * i, {1, 2}});
  }
  CHECK(to_string(blocks) == "blocks 0, 10-11, 20, 30-31, 40, 50-51, 60, 70-71 damaged and 2 more");
  CHECK(to_string(stripes, header)
            .ends_with(
                "stripe 70 lost locations {1, 2} (in bytes 7000-7099 of the file) and 2 more"));
  blocks.resize(2);
  blocks[1].fault = BlockFault::kStale;
  CHECK(to_string(blocks) == "block 0 damaged; blocks 10-11 of another generation");
  blocks.resize(1);
  CHECK(to_string(blocks) == "block 0 damaged");
  CHECK(to_string(std::vector<BadBlocks>{}).empty());
  CHECK(to_string(std::vector<LostStripes>{}, header).empty());
}

}  // namespace xorloom
