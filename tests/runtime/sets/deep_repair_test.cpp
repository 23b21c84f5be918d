// Blocks that are wrong though their checksums hold.

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "runtime/sets/repair_set.hpp"
#include "runtime/shards/read_set.hpp"
#include "tests/runtime/shards/shard_scene.hpp"

namespace xorloom {
namespace {

using test::ReadableSet;

/// Nine stripes of rs:k=10,m=4 or another code with so many chunks of data, the last one short.
struct DeepRepairScene : test::SetScene {
  explicit DeepRepairScene(const char* spec = "rs:k=10,m=4", std::size_t k = 10,
                           std::size_t block_bytes = 16)
      : SetScene(8 * k * block_bytes + 21, {.spec = spec, .block_bytes = block_bytes}) {}

  /// Makes a block wrong, and its checksum that of the wrong bytes.
  void spoil(std::uint32_t location, std::uint64_t block) const {
    test::ShardImage shard = image(location);
    shard.damage(block);
    shard.seal(block);
    shard.save();
  }

  SetDamage verify_deep() const {
    const ReadableSet set({d});
    Progress progress;
    return verify_set(set.opened, 1, progress, Depth::kRedundancy);
  }
};

RepairedSet repair_deep(const DeepRepairScene& scene) {
  Progress progress;
  SetRepair repair{.directories = {scene.d}, .to = {}, .set_digits = {}, .options = {}};
  repair.deep = true;
  return repair_set(repair, progress);
}

}  // namespace

TEST_CASE("Blocks that are wrong behind good checksums are found and rebuilt") {
  for (const int code : {0, 1, 2}) {
    CAPTURE(code);
    const DeepRepairScene scene = code == 0   ? DeepRepairScene()
                                  : code == 1 ? DeepRepairScene("cauchy-good:k=10,m=4,w=8", 10, 512)
                                              : DeepRepairScene("clay:k=4,m=4", 4, 256);
    scene.spoil(3, 2);
    scene.spoil(7, 2);
    scene.spoil(5, 0);
    const ReadableSet set({scene.d});
    CHECK(set.verify().bad_blocks.empty());
    const SetDamage damage = scene.verify_deep();
    CHECK(damage.lost_stripes.empty());
    CHECK(damage.suspect_stripes.empty());
    CHECK(set.bad_blocks(damage) ==
          "3: block 2 wrong by the rest of the stripe, 5: block 0 wrong by the rest of the stripe, "
          "7: block 2 wrong by the rest of the stripe");
    CHECK(test::decoded({scene.d}) != scene.content);
    const RepairedSet repaired = repair_deep(scene);
    CHECK(repaired.rebuilt.size() == 3);
    CHECK(scene.is_whole());
    CHECK(scene.verify_deep().bad_blocks.empty());
  }
}

TEST_CASE("Missing shards and damaged blocks leave fewer that can be found") {
  const DeepRepairScene scene;
  scene.lose(0);
  scene.damage(12, {4});
  scene.spoil(3, 4);
  CHECK(scene.verify_deep().suspect_stripes.empty());
  repair_deep(scene);
  CHECK(scene.is_whole());
}

TEST_CASE("The last stripe, of which chunks are known to be zeros, is looked at too") {
  const DeepRepairScene scene;
  scene.lose(9);  // its chunk of the last stripe is zeros
  scene.spoil(0, 8);
  scene.spoil(11, 8);
  CHECK(scene.verify_deep().suspect_stripes.empty());
  repair_deep(scene);
  CHECK(scene.is_whole());
}

TEST_CASE("Where it is not certain which blocks are wrong, nothing is written") {
  const DeepRepairScene scene;
  scene.lose(1);
  for (const std::uint32_t location : {3U, 5U, 6U}) scene.spoil(location, 2);
  const SetDamage damage = scene.verify_deep();
  REQUIRE(damage.suspect_stripes.size() == 1);
  CHECK(damage.suspect_stripes[0].first == 2);
  const auto before = test::snapshot(scene.d);
  const test::Thrown thrown = test::thrown_by([&] { repair_deep(scene); });
  CHECK(thrown.kind == Status::kDamaged);
  CHECK(thrown.says("contradicts itself"));
  CHECK(thrown.says("stripe 2 (bytes 320-479 of the file)"));
  CHECK(test::snapshot(scene.d) == before);
}

}  // namespace xorloom
