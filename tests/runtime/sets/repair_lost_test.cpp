// Repairs of sets in which some stripes have lost more than the code survives.

#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/sets/change_set.hpp"
#include "runtime/sets/repair_set.hpp"
#include "tests/runtime/shards/shard_scene.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;
using Files = std::map<std::string, std::string>;
using test::locations_of;
using test::repair;
using test::ShardImage;
using test::snapshot;
using test::thrown_by;

/// Nine stripes, the last one short.
struct LostStripesScene : test::SetScene {
  explicit LostStripesScene(const test::EncodeCall& call = {}) : SetScene(8 * 4 * 16 + 21, call) {}
};

}  // namespace

TEST_CASE("Whatever is lost of a short file, it is repaired if it can be read") {
  for (const char* const spec :
       {"hover:k=4,r=3,v=1,h=1,packet_bytes=8", "x-code:p=5,packet_bytes=8", "rs:k=3,m=2"}) {
    for (const std::size_t size : {std::size_t{1}, std::size_t{30}}) {
      const test::SetScene scene(size, {.spec = spec, .block_bytes = 480});
      for (std::uint32_t lost = 1; lost + 1 < (1U << scene.header.locations); ++lost) {
        for (std::uint32_t i = 0; i < scene.header.locations; ++i) {
          if ((lost >> i & 1) != 0) scene.lose(i);
        }
        const test::ReadableSet set({scene.d});
        const bool is_read = set.decode().damage.lost_stripes.empty();
        CHECK(set.verify().lost_stripes.empty() == is_read);
        Progress progress;
        const SetDamage deep = verify_set(set.opened, 1, progress, Depth::kRedundancy);
        CHECK(deep.lost_stripes.empty() == is_read);
        CHECK((thrown_by([&] { repair({scene.d}); }).kind == Status::kOk) == is_read);
        CHECK(scene.is_whole() == is_read);
        for (const auto& [name, bytes] : scene.whole) test::write_file(scene.d / name, bytes);
      }
    }
  }
}

TEST_CASE("Stripes beyond repair keep what they have, and all others are repaired") {
  for (const bool is_elsewhere : {false, true}) {
    const LostStripesScene scene;
    scene.lose(0);
    scene.damage(1, {2, 3});     // in lost stripes alone
    scene.damage(5, {2, 3, 6});  // and in one that is not
    const Files before = snapshot(scene.d);
    const fs::path to = is_elsewhere ? scene.folder.path() / "to" : fs::path();
    const RepairedSet repaired = repair({scene.d}, to);
    CAPTURE(is_elsewhere);
    CHECK(locations_of(repaired.rebuilt) == std::vector<std::uint32_t>{0, 5});
    CHECK(to_string(repaired.damage.lost_stripes, scene.header).starts_with("stripes 2-3 lost"));
    CHECK(repaired.damage.num_lost() == 2);
    // The lost blocks of a new shard are zeros; those of a replaced shard keep their old content.
    const auto is_whole_but_for_lost = [&](std::uint32_t location, std::string_view old) {
      ShardImage shard((is_elsewhere ? to : scene.d) / scene.name(location));
      ShardImage whole = shard;
      whole.bytes = scene.whole.at(scene.name(location));
      for (const std::uint64_t lost : {2UL, 3UL}) {
        const std::string block = shard.block(lost);
        CHECK(block == (old.empty() ? std::string(block.size(), '\0')
                                    : old.substr(shard.offset(lost), block.size())));
        shard.set_block(lost, whole.block(lost));
      }
      CHECK(shard.bytes == whole.bytes);
    };
    is_whole_but_for_lost(0, {});
    is_whole_but_for_lost(5, is_elsewhere ? "" : before.at(scene.name(5)));
    CHECK(test::read_file(scene.path(1)) == before.at(scene.name(1)));
    // Again there is nothing to gain; once the lost blocks turn up, all is made whole.
    if (is_elsewhere) continue;
    const Files between = snapshot(scene.d);
    CHECK(thrown_by([&] { repair({scene.d}); }).says("stripes 2-3 lost locations {0, 1, 5}"));
    CHECK(snapshot(scene.d) == between);
    test::write_file(scene.path(1), scene.whole.at(scene.name(1)));
    repair({scene.d});
    CHECK(scene.is_whole());
  }
}

TEST_CASE("A lost stripe gets no block of a shard that a change left behind") {
  const LostStripesScene scene({.spec = "rs:k=4,m=2"});
  const fs::path away = scene.folder.path() / "away";
  fs::rename(scene.path(0), away);
  Progress progress;
  patch_set({.directories = {scene.d}, .set_digits = {}, .options = {}}, 4 * 64,
            test::reader_of("changed"), progress);
  fs::rename(away, scene.path(0));  // stale from now on
  std::string content = scene.content;
  content.replace(4 * 64, 7, "changed");
  const std::string kept = test::read_file(scene.path(1));
  for (const std::uint32_t location : {1U, 2U}) {
    ShardImage shard = scene.image(location);
    shard.damage(4);
    shard.save();
  }
  CHECK(repair({scene.d}).damage.num_lost() == 1);
  // Once a block has turned up, two are lost, and the stripe is what it was after the change.
  test::write_file(scene.path(1), kept);
  CHECK(test::decoded({scene.d}) == content);
  repair({scene.d});
  CHECK(test::ReadableSet({scene.d}).verify().bad_blocks.empty());
  CHECK(test::decoded({scene.d}) == content);
}

TEST_CASE("Of a lost stripe what can be rebuilt is rebuilt") {
  // Two groups of four locations. All of one are lost, and one of the other, which its group gives.
  // The sum of the lost group is that of the other's data, as its redundancy is a plain sum.
  const LostStripesScene scene({.spec = "lrc:k=4,m=2,l=3"});
  for (std::uint32_t location = 0; location < 5; ++location) scene.damage(location, {4});
  const RepairedSet repaired = repair({scene.d});
  CHECK(repaired.damage.num_lost() == 1);
  CHECK(locations_of(repaired.rebuilt) == std::vector<std::uint32_t>{3, 4});
  for (const std::uint32_t location : {3U, 4U}) {
    CHECK(test::read_file(scene.path(location)) == scene.whole.at(scene.name(location)));
  }
}

}  // namespace xorloom
