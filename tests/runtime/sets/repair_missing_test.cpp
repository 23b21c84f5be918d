// Repairs that rebuild what is missing and look for no damage in the rest.

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "runtime/files/pending_file.hpp"
#include "runtime/sets/repair_set.hpp"
#include "tests/runtime/shards/shard_scene.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;
using test::repair_missing;
using test::ShardImage;

/// Nine stripes, the last one short.
struct MissingShardsScene : test::SetScene {
  MissingShardsScene() : SetScene(8 * 4 * 16 + 21) {}
  explicit MissingShardsScene(const test::EncodeCall& call, std::size_t file_bytes)
      : SetScene(file_bytes, call) {}

  /// Bytes that all blocks of one shard take on disk.
  std::uint64_t blocks() const { return shard_bytes(header) - 2 * header_bytes(header); }
};

}  // namespace

TEST_CASE("A missing shard is rebuilt from k others, and nothing else is read") {
  for (std::uint32_t lost = 0; lost < 6; ++lost) {
    const MissingShardsScene scene;
    scene.lose(lost);
    const RepairedSet repaired = repair_missing({scene.d});
    CAPTURE(lost);
    REQUIRE(repaired.rebuilt.size() == 1);
    CHECK(scene.is_whole());
    CHECK(repaired.bytes_read_to_find == 0);
    CHECK(repaired.bytes_read_to_rebuild == 4 * scene.blocks());
    CHECK(repaired.bytes_rebuilt == scene.blocks());
    CHECK(repaired.bytes_read_back == shard_bytes(scene.header));
    CHECK(repaired.shards_read_to_rebuild == 4);
    CHECK(repaired.left_damaged.empty());
  }
}

TEST_CASE("Where nothing is missing nothing is read, whatever is damaged") {
  const MissingShardsScene scene;
  scene.damage(2, {0, 1, 2});
  const auto before = test::snapshot(scene.d);
  const RepairedSet repaired = repair_missing({scene.d});
  CHECK(repaired.bytes_read() == 0);
  CHECK(repaired.rebuilt.empty());
  CHECK(test::snapshot(scene.d) == before);
}

TEST_CASE("Damage that is met is repaired around, named, and left") {
  const MissingShardsScene scene;
  scene.lose(0);
  scene.damage(1, {3});
  scene.damage(5, {4});  // repair does not read this shard
  const auto before = test::snapshot(scene.d);
  const RepairedSet repaired = repair_missing({scene.d});
  REQUIRE(repaired.rebuilt.size() == 1);
  CHECK(test::read_file(scene.path(0)) == scene.whole.at(scene.name(0)));
  CHECK(test::read_file(scene.path(1)) == before.at(scene.name(1)));
  REQUIRE(repaired.left_damaged.size() == 1);
  CHECK(repaired.set->shards[repaired.left_damaged[0]].path == scene.path(1));
  CHECK(repaired.damage.bad_blocks.size() == 1);
  CHECK(repaired.shards_read_to_rebuild == 5);
  CHECK(test::repair({scene.d}).rebuilt.size() == 2);
  CHECK(scene.is_whole());
}

TEST_CASE("What cannot be opened as it was is rebuilt where it is") {
  for (int kind = 0; kind < 5; ++kind) {
    const MissingShardsScene scene;
    ShardImage image = scene.image(3);
    if (kind == 0) image.bytes[20] = static_cast<char>(image.bytes[20] ^ 1);
    if (kind == 1) image.bytes.pop_back();
    if (kind == 2) image.bytes += "more";
    if (kind == 3) image.bytes.resize(image.offset(4) + 3);
    if (kind == 4) image.bytes = "a wreck";
    image.save();
    CAPTURE(kind);
    const RepairedSet repaired = repair_missing({scene.d});
    REQUIRE(repaired.rebuilt.size() == 1);
    CHECK(repaired.rebuilt[0].is_in_place);
    CHECK(repaired.left_damaged.empty());
    CHECK(scene.is_whole());
  }
}

TEST_CASE("What is missing is rebuilt but for stripes that lost too much, which are named") {
  for (const bool is_elsewhere : {false, true}) {
    const MissingShardsScene scene;
    scene.lose(0);
    scene.lose(4);
    scene.damage(1, {2});
    const auto before = test::snapshot(scene.d);
    const fs::path to = is_elsewhere ? scene.folder.path() / "to" : fs::path();
    const RepairedSet repaired = repair_missing({scene.d}, to);
    CHECK(repaired.rebuilt.size() == 2);
    CHECK(to_string(repaired.damage.lost_stripes, scene.header)
              .starts_with("stripe 2 lost locations {0, 1, 4}"));
    for (const std::uint32_t location : {0U, 4U}) {
      ShardImage shard((is_elsewhere ? to : scene.d) / scene.name(location));
      ShardImage whole = shard;
      whole.bytes = scene.whole.at(scene.name(location));
      shard.set_block(2, whole.block(2));
      CHECK(shard.bytes == whole.bytes);
    }
    for (const auto& [name, bytes] : before) CHECK(test::read_file(scene.d / name) == bytes);
  }
}

TEST_CASE("Where most stripes lie behind the end of all shards, nothing is written") {
  const MissingShardsScene cut;
  for (std::uint32_t i = 0; i < 6; ++i) {
    fs::resize_file(cut.path(i), block_offset(cut.header, 2));
  }
  const auto short_files = test::snapshot(cut.d);
  CHECK(test::thrown_by([&] { repair_missing({cut.d}); }).says("stripes 2-8 lost locations"));
  CHECK(test::snapshot(cut.d) == short_files);
}

TEST_CASE("On a new disk what is missing is written, and what is damaged elsewhere named") {
  const MissingShardsScene scene;
  scene.lose(2);
  scene.damage(0, {1});
  const auto before = test::snapshot(scene.d);
  const fs::path to = scene.folder.path() / "to";
  const RepairedSet repaired = repair_missing({scene.d}, to);
  REQUIRE(repaired.rebuilt.size() == 1);
  CHECK(repaired.left_damaged.size() == 1);
  CHECK(test::snapshot(scene.d) == before);
  CHECK(test::read_file(to / scene.name(2)) == scene.whole.at(scene.name(2)));
}

TEST_CASE("A hidden copy stays, for it may be what is left of a shard nobody has looked at") {
  const MissingShardsScene scene;
  const fs::path hidden = hidden_name_beside(scene.path(4));
  fs::copy_file(scene.path(4), hidden);
  scene.damage(4, {0, 1, 2});
  scene.lose(5);
  repair_missing({scene.d});
  REQUIRE(fs::exists(hidden));
  CHECK(test::read_file(hidden) == scene.whole.at(scene.name(4)));
  // After two more shards are lost, only the hidden copy can give these blocks back.
  scene.lose(0);
  scene.lose(1);
  CHECK(test::decoded({scene.d}) == scene.content);
  CHECK(test::repair({scene.d}).rebuilt.size() == 3);
  CHECK(scene.is_whole());
}

TEST_CASE("Of a set in pieces no more is read than the plan reads") {
  const test::EncodeCall call{.spec = "x-code:p=5,packet_bytes=4096", .block_bytes = 5 * 4096};
  const MissingShardsScene scene(call, 3 * 15 * 4096);
  scene.lose(1);
  const RepairedSet repaired = repair_missing({scene.d});
  CHECK(scene.is_whole());
  CHECK(repaired.bytes_read_to_rebuild < 3 * scene.blocks());
  CHECK(repaired.bytes_rebuilt == scene.blocks());
}

TEST_CASE("A hidden file that was not looked at gets no name: its location is written anew") {
  for (const bool is_spoilt : {false, true}) {
    const MissingShardsScene scene;
    const fs::path hidden = scene.d / ("." + scene.name(3) + ".xorloom-0123456789abcdef");
    ShardImage image = scene.image(3);
    if (is_spoilt) {
      for (std::uint64_t block = 0; block < 5; ++block) image.damage(block);
    }
    image.save();
    fs::rename(scene.path(3), hidden);
    const RepairedSet repaired = repair_missing({scene.d});
    CAPTURE(is_spoilt);
    CHECK(repaired.adopted.empty());
    REQUIRE(repaired.rebuilt.size() == 1);
    CHECK(test::read_file(scene.path(3)) == scene.whole.at(scene.name(3)));
    CHECK(test::repair({scene.d}).rebuilt.empty());
    CHECK(scene.is_whole());  // the hidden file is gone
  }
}

}  // namespace xorloom
