#include "runtime/sets/change_set.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "runtime/shards/shard_name.hpp"
#include "tests/runtime/shards/shard_scene.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom {
namespace {

using namespace test;
namespace fs = std::filesystem;

ChangeRequest request(const fs::path& directory) {
  return {.directories = {directory}, .set_digits = {}, .options = {}, .bounds = {}};
}

ChangedSet patch(const fs::path& directory, std::uint64_t offset, std::string_view bytes,
                 WritePolicy policy = WritePolicy::kPlanned) {
  Progress progress;
  return patch_set(request(directory), offset, reader_of(bytes), progress, policy);
}

ChangedSet append(const fs::path& directory, std::string_view bytes) {
  Progress progress;
  return append_to_set(request(directory), reader_of(bytes), progress);
}

ChangedSet truncate(const fs::path& directory, std::uint64_t bytes) {
  Progress progress;
  return truncate_set(request(directory), bytes, progress);
}

/// Whether every block of every shard is good, and no location is missing.
bool is_whole(const fs::path& directory) {
  const ReadableSet set({directory});
  Progress progress;
  const SetDamage damage = verify_set(set.opened, 1, progress);
  const auto has_defects = [](const ShardFile& shard) { return !shard.defects.empty(); };
  return damage.bad_blocks.empty() && set.opened.missing().empty() &&
         std::ranges::none_of(set.opened.set().shards, has_defects);
}

/// Moves the shards of some locations away, and back when it goes.
class Away {
 public:
  Away(const fs::path& directory, const ShardHeader& header,
       const std::vector<std::uint32_t>& locations)
      : from_(directory) {
    for (const std::uint32_t location : locations) {
      names_.push_back(shard_name(header.set, location, header.locations));
      fs::rename(from_ / names_.back(), to_ / names_.back());
    }
  }
  Away(const Away&) = delete;
  Away& operator=(const Away&) = delete;
  ~Away() {
    for (const std::string& name : names_) fs::rename(to_ / name, from_ / name);
  }

 private:
  TemporaryFolder folder_;
  fs::path from_;
  fs::path to_ = folder_.path();
  std::vector<std::string> names_;
};

}  // namespace

TEST_CASE("A set of any family is patched, made longer and shorter, and recovered without shards") {
  std::mt19937 random(1);
  const auto draw = [&](std::size_t most) {
    return std::uniform_int_distribution<std::size_t>(0, most)(random);
  };
  for (const Family* const family : families()) {
    const std::string spec(family->example);
    if (spec.starts_with("file:")) continue;  // there is none here
    CAPTURE(spec);
    const Code code = make_code(spec);
    const std::size_t multiple = chunk_multiple(code);
    const std::uint64_t block_bytes = multiple * ((63 + multiple) / multiple);
    const std::size_t stripe = stripe_sizes(code, block_bytes, 0).stripe_bytes;
    std::string content = random_text(3 * stripe + stripe / 3, 1);
    const SetScene scene(content.size(), {.spec = code.spec, .block_bytes = block_bytes});
    content = scene.content;
    for (std::size_t round = 0; round < 12; ++round) {
      CAPTURE(round);
      const std::string bytes = random_text(draw(2 * stripe) + 1, 2 + round);
      if (round % 4 == 1) {
        append(scene.d, bytes);
        content += bytes;
      } else if (round % 4 == 3) {
        content.resize(draw(content.size()));
        truncate(scene.d, content.size());
      } else {
        const std::size_t offset = draw(content.size());
        const std::string part = bytes.substr(0, content.size() - offset);
        const auto policy = static_cast<WritePolicy>(draw(2));
        const ChangedSet changed = patch(scene.d, offset, part, policy);
        CHECK(changed.bytes_changed == part.size());
        content.replace(offset, part.size(), part);
      }
      CHECK(is_whole(scene.d));
      CHECK(decoded({scene.d}) == content);
      std::vector<std::uint32_t> locations(code.locations);
      for (std::uint32_t i = 0; i < locations.size(); ++i) locations[i] = i;
      std::ranges::shuffle(locations, random);
      locations.resize(code.promised_losses);
      const ReadableSet set({scene.d});
      const Away away(scene.d, set.opened.header(), locations);
      CHECK(decoded({scene.d}) == content);
    }
  }
}

TEST_CASE("A degraded set is changed; shards that come back are stale, and repair updates them") {
  const SetScene scene(1000, {.spec = "rs:k=4,m=2"});
  std::string content = scene.content;
  const std::string bytes = random_text(70, 9);
  for (const std::vector<std::uint32_t>& locations :
       {std::vector<std::uint32_t>{0, 1}, {0, 5}, {4, 5}, {3}}) {
    CAPTURE(locations);
    {
      const Away away(scene.d, scene.header, locations);
      const ChangedSet changed = patch(scene.d, 100, bytes);
      CHECK(std::ranges::equal(changed.left_behind, locations));
      content.replace(100, bytes.size(), bytes);
      CHECK(decoded({scene.d}) == content);
      append(scene.d, "more");
      content += "more";
      CHECK(decoded({scene.d}) == content);
    }
    const FoundShards found = find_shards(std::vector{scene.d});
    REQUIRE(found.sets.size() == 2);
    CHECK(found.sets[0].shards.size() == 6 - locations.size());
    CHECK(found.sets[1].shards.size() == locations.size());
    CHECK(decoded({scene.d}) == content);
    CHECK(repair({scene.d}).rebuilt.size() == locations.size());
    CHECK(is_whole(scene.d));
    CHECK(names_in(scene.d).size() == 6);
    CHECK(decoded({scene.d}) == content);
  }
}

TEST_CASE("A set of more losses than the code survives is not changed") {
  const SetScene scene(1000, {.spec = "rs:k=4,m=2"});
  const Away away(scene.d, scene.header, {0, 1, 2});
  const auto before = snapshot(scene.d);
  const Thrown thrown = thrown_by([&] { patch(scene.d, 0, "x"); });
  CHECK(thrown.kind == Status::kDamaged);
  CHECK(thrown.says("do not suffice to recover the file"));
  CHECK(snapshot(scene.d) == before);
}

TEST_CASE("A set that nothing but known zeros holds together is repaired before it is changed") {
  for (const char* const spec : {"rs:k=4,m=2", "hover:k=4,r=3,v=1,h=1,packet_bytes=8"}) {
    CAPTURE(spec);
    const SetScene scene(1, {.spec = spec, .block_bytes = 96});
    for (std::uint32_t location = 1; location < 4; ++location) scene.lose(location);
    if (scene.header.locations == 5) test::write_file(scene.path(1), scene.whole.at(scene.name(1)));
    const auto before = snapshot(scene.d);
    const Thrown thrown = thrown_by([&] { append(scene.d, "x"); });
    CHECK(thrown.kind == Status::kInvalidArgument);
    CHECK(thrown.says("repair it first, its file is whole"));
    CHECK(snapshot(scene.d) == before);
    repair({scene.d});
    append(scene.d, "x");
    CHECK(decoded({scene.d}) == scene.content + "x");
  }
}

TEST_CASE("Damaged blocks are recovered where a patch needs them, and a lost stripe is named") {
  const SetScene scene(1000, {.spec = "rs:k=4,m=2"});
  std::string content = scene.content;
  scene.damage(0, {1});
  scene.damage(5, {1});
  patch(scene.d, 64 + 3, "patch");
  content.replace(64 + 3, 5, "patch");
  CHECK(decoded({scene.d}) == content);
  scene.damage(2, {3});
  scene.damage(3, {3});
  scene.damage(4, {3});
  const auto before = snapshot(scene.d);
  const Thrown thrown = thrown_by([&] { patch(scene.d, 3 * 64 + 40, "x"); });
  CHECK(thrown.kind == Status::kDamaged);
  CHECK(thrown.says("stripe 3 lost locations {2, 3, 4}"));
  CHECK(snapshot(scene.d) == before);
}

TEST_CASE("A patch behind the end of the file is refused, and nothing is changed") {
  const SetScene scene(1000, {.spec = "rs:k=4,m=2"});
  const auto before = snapshot(scene.d);
  for (const std::uint64_t offset : {996U, 1000U, 1001U}) {
    const Thrown thrown = thrown_by([&] { patch(scene.d, offset, "12345"); });
    CHECK(thrown.kind == Status::kInvalidArgument);
    CHECK(thrown.says("behind the end of the file, which has 1000 bytes; append adds bytes"));
  }
  const Thrown thrown = thrown_by([&] { truncate(scene.d, 1001); });
  CHECK(thrown.says("the file has 1000 bytes, and cannot be cut to 1001"));
  CHECK(snapshot(scene.d) == before);
}

TEST_CASE("What changes nothing leaves the set as it is") {
  const SetScene scene(1000, {.spec = "rs:k=4,m=2"});
  patch(scene.d, 1000, "");
  append(scene.d, "");
  truncate(scene.d, 1000);
  CHECK(scene.is_whole());
}

TEST_CASE("A set becomes empty, and grows again") {
  const SetScene scene(1000, {.spec = "rs:k=4,m=2"});
  truncate(scene.d, 0);
  CHECK(decoded({scene.d}).empty());
  CHECK(is_whole(scene.d));
  const std::string content = random_text(300, 4);
  append(scene.d, content);
  CHECK(decoded({scene.d}) == content);
  CHECK(is_whole(scene.d));
}

TEST_CASE("Two changes of the same set made apart are told from each other") {
  const SetScene scene(1000, {.spec = "rs:k=2,m=2"});
  {
    const Away away(scene.d, scene.header, {0, 1});
    patch(scene.d, 0, "one");
  }
  const FoundShards found = find_shards(std::vector{scene.d});
  const ShardHeader one = found.sets.front().header;
  {
    const Away away(scene.d, scene.header, {2, 3});
    patch(scene.d, 0, "two");
  }
  const Thrown thrown = thrown_by([&] { decoded({scene.d}); });
  CHECK(thrown.says("there are several sets, choose one with option set"));
  const std::string name = to_string(one.set) + "@" + generation_text(one);
  CHECK(decoded({scene.d}, name).substr(0, 4) == "one" + scene.content.substr(3, 1));
}

TEST_CASE("A set in several directories is locked in all of them") {
  const SetScene scene(1000, {.spec = "rs:k=4,m=2"});
  const DirectoryLock lock(scene.d);
  const Thrown thrown = thrown_by([&] { patch(scene.d, 0, "x"); });
  CHECK(thrown.kind == Status::kIo);
  CHECK(thrown.says("another program is writing in"));
}

TEST_CASE("A small write reads what theory says: the old block and the redundancy, or the rest") {
  const SetScene scene(4000, {.spec = "rs:k=10,m=4", .block_bytes = 64});
  constexpr std::uint64_t kBlock = 64 + 16;
  // Frames of all blocks, as those that stay get new ones.
  constexpr std::uint64_t kFrames = std::uint64_t{14} * 16;
  CHECK(patch(scene.d, 3, "x").bytes_read == 5 * kBlock + kFrames);
  CHECK(patch(scene.d, 3, "x", WritePolicy::kReencode).bytes_read == 10 * kBlock + kFrames);
  // Six whole blocks and a byte of another: the four that are left are read, and that one. A fifth
  // location is asked for its stamp, one more than may be lost.
  CHECK(patch(scene.d, 0, random_text(6 * 64 + 1, 1)).bytes_read == 4 * kBlock + kFrames + 16);
  CHECK(patch(scene.d, 0, random_text(640, 1)).bytes_read == 0);
}

}  // namespace xorloom
