// Blocks that are wrong though their checksums hold.

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "runtime/sets/repair_set.hpp"
#include "runtime/shards/read_set.hpp"
#include "tests/runtime/shards/shard_scene.hpp"

namespace xorloom {
namespace {

using test::ReadableSet;

/// Nine stripes, the last one short, of rs:k=10,m=4 or another code of `k` data chunks.
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

  /// The damage that redundancy reveals. Fingerprints must reveal the same damage.
  SetDamage verify_deep() const {
    const ReadableSet set({d});
    Progress progress;
    SetDamage damage = verify_set(set.opened, 1, progress, Depth::kRedundancy);
    const SetDamage by_fingerprints = verify_set(set.opened, 1, progress, Depth::kFingerprints);
    CHECK(set.bad_blocks(by_fingerprints) == set.bad_blocks(damage));
    CHECK(by_fingerprints.lost_stripes.size() == damage.lost_stripes.size());
    CHECK(by_fingerprints.suspect_stripes.size() == damage.suspect_stripes.size());
    CHECK(by_fingerprints.wrong.most == damage.wrong.most);
    CHECK(by_fingerprints.wrong.unique_up_to == damage.wrong.unique_up_to);
    return damage;
  }
};

RepairedSet repair_deep(const DeepRepairScene& scene, std::optional<std::size_t> assume_wrong) {
  Progress progress;
  SetRepair repair{.directories = {scene.d}, .to = {}, .set_digits = {}, .options = {}};
  repair.deep = true;
  repair.assume_wrong = assume_wrong;
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
    CHECK(damage.wrong.most == 2);
    CHECK(damage.wrong.unique_up_to == 2);
    const RepairedSet repaired = repair_deep(scene, 2);
    CHECK(repaired.rebuilt.size() == 3);
    CHECK(repaired.kept.size() == 3);
    for (const KeptBlocks& kept : repaired.kept) std::filesystem::remove(kept.path);
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
  for (const KeptBlocks& kept : repair_deep(scene, 1).kept) std::filesystem::remove(kept.path);
  CHECK(scene.is_whole());
}

TEST_CASE("The last stripe, of which chunks are known to be zeros, is looked at too") {
  const DeepRepairScene scene;
  scene.lose(9);  // its chunk of the last stripe is zeros
  scene.spoil(0, 8);
  scene.spoil(11, 8);
  CHECK(scene.verify_deep().suspect_stripes.empty());
  for (const KeptBlocks& kept : repair_deep(scene, 2).kept) std::filesystem::remove(kept.path);
  CHECK(scene.is_whole());
}

TEST_CASE("Without the number of wrong blocks, or with one that others suit, nothing is written") {
  const DeepRepairScene scene;
  scene.spoil(3, 2);
  const SetDamage damage = scene.verify_deep();
  CHECK(damage.wrong.most == 1);
  CHECK(damage.wrong.unique_up_to == 3);
  CHECK(assumption_text(damage.wrong) == "if at most 3 chunks of a stripe are wrong");
  const auto before = test::snapshot(scene.d);
  const RepairedSet asked = repair_deep(scene, std::nullopt);
  CHECK(asked.needs_assumption);
  CHECK(asked.rebuilt.empty());
  CHECK(asked.bytes_written == 0);
  CHECK(test::snapshot(scene.d) == before);
  const test::Thrown refused = test::thrown_by([&] { repair_deep(scene, 4); });
  CHECK(refused.kind == Status::kDamaged);
  CHECK(refused.says("with 4 wrong chunks in a stripe others may be wrong than those found"));
  CHECK(test::snapshot(scene.d) == before);
  scene.spoil(5, 2);
  const test::Thrown fewer = test::thrown_by([&] { repair_deep(scene, 1); });
  CHECK(fewer.says("a stripe has 2 wrong chunks at least, more than the 1 assumed"));
}

TEST_CASE("What a deep repair replaces can be put back, and no reader takes it for a shard") {
  const DeepRepairScene scene("rs:k=4,m=2", 4, 64);
  // One wrong bit at the same place in two chunks looks like an error of a third chunk, whose good
  // block is then replaced.
  for (const std::uint32_t location : {0U, 1U}) scene.spoil(location, 2);
  const auto before = test::snapshot(scene.d);
  const SetDamage damage = scene.verify_deep();
  REQUIRE(damage.wrong.most == 1);
  const RepairedSet repaired = repair_deep(scene, 1);
  REQUIRE(repaired.kept.size() == 1);
  REQUIRE(repaired.rebuilt.size() == 1);
  const std::filesystem::path shard = repaired.rebuilt[0].path;
  CHECK(repaired.kept[0].path == std::filesystem::path(shard.string() + ".before-deep-repair"));
  CHECK(repaired.kept[0].blocks == 1);
  CHECK(scene.verify_deep().bad_blocks.empty());

  const FoundShards found = find_shards(std::vector<std::filesystem::path>{scene.d});
  CHECK(found.strays.empty());
  REQUIRE(found.sets.size() == 1);
  CHECK(found.sets[0].shards.size() == 6);

  const std::string kept = test::read_file(repaired.kept[0].path);
  const std::size_t line = kept.find('\n');
  const nlohmann::json about = nlohmann::json::parse(kept.substr(0, line));
  CHECK(about["format"] == "xorloom-kept-blocks");
  CHECK(about["generation"] == generation_text(found.sets[0].header));
  CHECK(about["shard"] == shard.filename().string());
  REQUIRE(about["blocks"].size() == 1);
  const nlohmann::json& range = about["blocks"][0];
  CHECK(range["first"] == 2);
  CHECK(range["last"] == 2);
  CHECK(range["bytes"] == repaired.kept[0].bytes);
  {
    std::fstream file(shard, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(range["offset_in_shard"].get<std::streamoff>());
    file.write(kept.data() + line + 1, range["bytes"].get<std::streamsize>());
  }
  std::filesystem::remove(repaired.kept[0].path);
  CHECK(test::snapshot(scene.d) == before);
}

TEST_CASE("Where redundancy cannot tell which blocks are wrong, nothing is written") {
  const DeepRepairScene scene;
  scene.lose(1);
  for (const std::uint32_t location : {3U, 5U, 6U}) scene.spoil(location, 2);
  const SetDamage damage = scene.verify_deep();
  REQUIRE(damage.suspect_stripes.size() == 1);
  CHECK(damage.suspect_stripes[0].first == 2);
  const auto before = test::snapshot(scene.d);
  const test::Thrown thrown = test::thrown_by([&] { repair_deep(scene, 1); });
  CHECK(thrown.kind == Status::kDamaged);
  CHECK(thrown.says("contradicts itself"));
  CHECK(thrown.says("stripe 2 (bytes 320-479 of the file)"));
  CHECK(test::snapshot(scene.d) == before);
}

}  // namespace xorloom
