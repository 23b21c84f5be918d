#include "runtime/sets/repair_set.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "runtime/files/pending_file.hpp"
#include "runtime/shards/shard_block.hpp"
#include "runtime/shards/shard_name.hpp"
#include "tests/runtime/shards/shard_scene.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;
using Files = std::map<std::string, std::string>;
using test::EncodeCall;
using test::locations_of;
using test::random_text;
using test::repair;
using test::ShardImage;
using test::snapshot;
using test::thrown_by;

/// Nine stripes, the last one short, unless asked for otherwise.
struct RepairScene : test::SetScene {
  explicit RepairScene(std::size_t file_bytes = 8 * 4 * 16 + 21, const EncodeCall& call = {})
      : SetScene(file_bytes, call) {}
};

/// A pending file's name for a location of a set.
fs::path hidden_beside(const RepairScene& scene, const fs::path& directory,
                       std::uint32_t location) {
  return hidden_name_beside(directory / scene.name(location));
}

}  // namespace

TEST_CASE("A whole set is read and nothing is written") {
  for (const std::size_t size : {0U, 1U, 64U, 533U}) {
    const RepairScene scene(size);
    const RepairedSet repaired = repair({scene.d});
    CAPTURE(size);
    CHECK(repaired.rebuilt.empty());
    CHECK(repaired.adopted.empty());
    CHECK(repaired.bytes_written == 0);
    CHECK(repaired.bytes_read() == repaired.damage.bytes_read);
    CHECK(scene.is_whole());
  }
}

TEST_CASE("Any two shards that are gone are written as they were") {
  for (std::uint32_t a = 0; a < 6; ++a) {
    for (std::uint32_t b = a + 1; b < 6; ++b) {
      const RepairScene scene(150);
      scene.lose(a);
      scene.lose(b);
      const RepairedSet repaired = repair({scene.d});
      CAPTURE(a);
      CAPTURE(b);
      CHECK(locations_of(repaired.rebuilt) == std::vector{a, b});
      for (const RebuiltShard& shard : repaired.rebuilt) CHECK(!shard.is_in_place);
      CHECK(repaired.bytes_written == 2 * shard_bytes(scene.header));
      CHECK(scene.is_whole());
    }
  }
}

TEST_CASE("Files of any size are repaired") {
  for (const std::size_t size : {0U, 1U, 2U, 63U, 64U, 65U, 128U}) {
    const RepairScene scene(size);
    scene.lose(0);
    scene.lose(5);
    CAPTURE(size);
    CHECK(repair({scene.d}).rebuilt.size() == 2);
    CHECK(scene.is_whole());
  }
  const RepairScene empty(0);
  for (std::uint32_t i = 0; i < 5; ++i) empty.lose(i);
  CHECK(repair({empty.d}).rebuilt.size() == 5);
  CHECK(empty.is_whole());
}

TEST_CASE("Whatever is wrong with a shard, it is made as it was, under the name it has") {
  using Change = std::function<void(ShardImage&)>;
  const std::vector<std::pair<const char*, Change>> changes = {
      {"first header", [](auto& s) { s.bytes[20] = static_cast<char>(s.bytes[20] ^ 1); }},
      {"last header", [](auto& s) { s.bytes.back() = static_cast<char>(s.bytes.back() ^ 1); }},
      {"cut in the last header", [](auto& s) { s.bytes.pop_back(); }},
      {"cut in a block", [](auto& s) { s.bytes.resize(s.offset(3) + 5); }},
      {"cut behind the header", [](auto& s) { s.bytes.resize(s.offset(0)); }},
      {"longer", [](auto& s) { s.bytes += '\0'; }},
      {"longer by itself", [](auto& s) { s.bytes += s.bytes; }},
      {"first block", [](auto& s) { s.damage(0); }},
      {"last block", [](auto& s) { s.damage(8); }},
      {"a frame", [](auto& s) { s.bytes[s.offset(4)] ^= 1; }},
      {"a stale block",
       [](auto& s) {
         ShardHeader older = s.header;
         older.generation = 77;
         s.seal(5, older);
       }},
  };
  for (const auto& change : changes) {
    for (const bool is_renamed : {false, true}) {
      const RepairScene scene;
      ShardImage image = scene.image(3);
      change.second(image);
      const fs::path path = is_renamed ? scene.d / "renamed" : scene.path(3);
      if (is_renamed) fs::rename(scene.path(3), path);
      image.save_as(path);
      CAPTURE(change.first);
      CAPTURE(is_renamed);
      const RepairedSet repaired = repair({scene.d});
      REQUIRE(repaired.rebuilt.size() == 1);
      CHECK(repaired.rebuilt[0].location == 3);
      CHECK(repaired.rebuilt[0].path == path);
      CHECK(repaired.rebuilt[0].is_in_place);
      if (is_renamed) fs::rename(path, scene.path(3));
      CHECK(scene.is_whole());
      CHECK(repair({scene.d}).bytes_written == 0);
    }
  }
}

TEST_CASE("A set with damage in every shard is made whole") {
  const RepairScene scene;
  for (std::uint32_t i = 0; i < 6; ++i) scene.damage(i, {i, i + 1});
  const RepairedSet repaired = repair({scene.d});
  CHECK(repaired.rebuilt.size() == 6);
  CHECK(repaired.damage.bad_blocks.size() == 6);
  CHECK(scene.is_whole());
}

TEST_CASE("Where no stripe can be repaired nothing is written, and they are named") {
  const RepairScene scene;
  for (const std::uint32_t lost : {0U, 1U, 5U}) scene.lose(lost);
  const Files before = snapshot(scene.d);
  for (const bool is_elsewhere : {false, true}) {
    const fs::path to = is_elsewhere ? scene.folder.path() / "to" : fs::path();
    const test::Thrown thrown = thrown_by([&] { repair({scene.d}, to); });
    CAPTURE(is_elsewhere);
    CHECK(thrown.kind == Status::kDamaged);
    CHECK(thrown.says(to_string(scene.header.set)));
    CHECK(thrown.says("stripes 0-8 lost locations {0, 1, 5}"));
    CHECK(snapshot(scene.d) == before);
    CHECK(scene.folder.names() == std::vector<std::string>{"d"});
  }
}

TEST_CASE("What is rebuilt goes where it is to, and no byte elsewhere is changed") {
  const RepairScene scene;
  scene.lose(0);
  scene.damage(4, {1});
  const fs::path wreck = hidden_beside(scene, scene.d, 2);
  test::write_file(wreck, "left over, and of another directory");
  const Files before = snapshot(scene.d);
  std::map<std::string, fs::file_time_type> times;
  for (const auto& file : before) times[file.first] = fs::last_write_time(scene.d / file.first);
  for (const bool is_there : {false, true}) {
    const fs::path to = scene.folder.path() / (is_there ? "there" : "new");
    if (is_there) {
      fs::create_directory(to);
      test::write_file(to / "file", "of the user's");
    }
    const RepairedSet repaired = repair({scene.d}, to);
    CAPTURE(is_there);
    CHECK(locations_of(repaired.rebuilt) == std::vector<std::uint32_t>{0, 4});
    Files expected = {{scene.name(0), scene.whole.at(scene.name(0))},
                      {scene.name(4), scene.whole.at(scene.name(4))}};
    if (is_there) expected["file"] = "of the user's";
    CHECK(snapshot(to) == expected);
    CHECK(snapshot(scene.d) == before);
    for (const auto& file : before) {
      CHECK(fs::last_write_time(scene.d / file.first) == times[file.first]);
    }
    CHECK(test::decoded({to, scene.d}) == scene.content);
    // All is there now.
    CHECK(repair({scene.d}, to).rebuilt.empty());
    CHECK(snapshot(to) == expected);
  }
}

TEST_CASE("A new disk may have been one of those that are read") {
  const RepairScene scene;
  fs::create_directory(scene.folder / "e");
  for (const std::uint32_t i : {1U, 2U}) {
    fs::rename(scene.path(i), test::shard_path(scene.folder / "e", scene.header, i));
  }
  test::damage_blocks(scene.folder / "e", scene.header, 1, {3});
  scene.damage(4, {3});
  const Files before = snapshot(scene.d);
  const RepairedSet repaired = repair({scene.d, scene.folder / "e"}, scene.folder / "e");
  CHECK(locations_of(repaired.rebuilt) == std::vector<std::uint32_t>{1, 4});
  CHECK(snapshot(scene.d) == before);
  const Files after = snapshot(scene.folder / "e");
  CHECK(after == Files{{scene.name(1), scene.whole.at(scene.name(1))},
                       {scene.name(2), scene.whole.at(scene.name(2))},
                       {scene.name(4), scene.whole.at(scene.name(4))}});
}

TEST_CASE("Missing shards go to the directory with the fewest") {
  const RepairScene scene;
  fs::create_directory(scene.folder / "e");
  fs::create_directory(scene.folder / "f");
  fs::rename(scene.path(3), test::shard_path(scene.folder / "e", scene.header, 3));
  scene.lose(0);
  scene.lose(1);
  const RepairedSet repaired = repair({scene.d, scene.folder / "e", scene.folder / "f"});
  REQUIRE(repaired.rebuilt.size() == 2);
  CHECK(repaired.rebuilt[0].path == test::shard_path(scene.folder / "f", scene.header, 0));
  CHECK(repaired.rebuilt[1].path == test::shard_path(scene.folder / "e", scene.header, 1));
  CHECK(test::names_in(scene.d).size() == 3);
  CHECK(test::decoded({scene.folder / "f", scene.folder / "e", scene.d}) == scene.content);
}

TEST_CASE("A directory given twice is one") {
  const RepairScene scene;
  scene.lose(2);
  fs::create_directory_symlink(scene.d, scene.folder / "again");
  CHECK(repair({scene.d, scene.d, scene.folder / "again", scene.d / ""}).rebuilt.size() == 1);
  CHECK(scene.is_whole());
}

TEST_CASE("Optional flags and what they bring are kept") {
  const RepairScene scene;
  ShardHeader extended = scene.header;
  extended.optional_flags = 0x80000001;
  extended.extra = {8, 7, 6, 5, 4, 3, 2, 1};
  for (std::uint32_t i = 0; i < 6; ++i) {
    const ShardImage image = scene.image(i);
    extended.location = i;
    const std::size_t h = header_bytes(image.header);
    const std::string text = test::text_of(header_text(extended));
    test::write_file(scene.path(i),
                     text + image.bytes.substr(h, image.bytes.size() - 2 * h) + text);
  }
  const Files extended_files = snapshot(scene.d);
  CHECK(test::decoded({scene.d}) == scene.content);
  scene.lose(1);
  ShardImage damaged = scene.image(4);
  damaged.damage(0);
  damaged.save();
  CHECK(repair({scene.d}).rebuilt.size() == 2);
  CHECK(snapshot(scene.d) == extended_files);
}

TEST_CASE("Two copies that are damaged in different halves are both made whole") {
  const RepairScene scene;
  fs::copy_file(scene.path(0), scene.d / "copy");
  scene.damage(0, {0, 1, 2, 3});
  ShardImage copy(scene.d / "copy");
  for (const std::uint64_t b : {4U, 5U, 6U, 7U}) copy.damage(b);
  copy.save();
  const RepairedSet repaired = repair({scene.d});
  CHECK(locations_of(repaired.rebuilt) == std::vector<std::uint32_t>{0, 0});
  Files expected = scene.whole;
  expected["copy"] = expected.at(scene.name(0));
  CHECK(snapshot(scene.d) == expected);
}

TEST_CASE("Of two copies one of which is whole the other is made so") {
  const RepairScene scene;
  fs::copy_file(scene.path(0), scene.d / "copy");
  scene.damage(0, {1});
  CHECK(repair({scene.d}).rebuilt.size() == 1);
  CHECK(test::read_file(scene.path(0)) == scene.whole.at(scene.name(0)));
  // On a new disk nothing is wanted then.
  scene.damage(0, {1});
  const fs::path to = scene.folder.path() / "to";
  CHECK(repair({scene.d}, to).rebuilt.empty());
}

TEST_CASE("Copies that contradict each other become what the others say") {
  const RepairScene scene;
  ShardImage other = scene.image(2);
  other.damage(1);
  other.seal(1);
  other.save_as(scene.d / "copy");
  const RepairedSet repaired = repair({scene.d});
  CHECK(repaired.rebuilt.size() == 2);
  Files expected = scene.whole;
  expected["copy"] = expected.at(scene.name(2));
  CHECK(snapshot(scene.d) == expected);
}

TEST_CASE("A wreck under the set's own name is replaced") {
  for (const std::string& content : {std::string(), std::string("x"), random_text(5000, 2)}) {
    const RepairScene scene;
    test::write_file(scene.path(1), content);
    const RepairedSet repaired = repair({scene.d});
    REQUIRE(repaired.rebuilt.size() == 1);
    CHECK(repaired.rebuilt[0].is_in_place);
    CHECK(scene.is_whole());
  }
}

TEST_CASE("What is foreign at a shard's name is not replaced") {
  const RepairScene foreign_set(100);
  for (int kind = 0; kind < 5; ++kind) {
    const RepairScene scene;
    const fs::path taken = scene.path(1);
    const ShardImage own = scene.image(1);
    scene.lose(1);
    if (kind == 0) fs::copy_file(foreign_set.path(1), taken);
    if (kind == 1) test::write_file(taken, test::later_header() + "and more");
    if (kind == 2) fs::create_directory(taken);
    if (kind == 3) fs::create_symlink("nowhere", taken);
    if (kind == 4) {  // both headers whole, and differing
      ShardImage image = own;
      ShardHeader other = image.header;
      other.location = 0;
      image.set_last_header(other);
      image.save_as(taken);
    }
    const bool is_file = fs::is_regular_file(fs::symlink_status(taken));
    const std::string before = is_file ? test::read_file(taken) : "";
    const RepairedSet repaired = repair({scene.d}, {}, {}, to_string(scene.header.set));
    CAPTURE(kind);
    REQUIRE(repaired.rebuilt.size() == 1);
    CHECK(!repaired.rebuilt[0].is_in_place);
    CHECK(repaired.rebuilt[0].path != taken);
    CHECK(test::read_file(repaired.rebuilt[0].path) == scene.whole.at(scene.name(1)));
    CHECK(fs::exists(fs::symlink_status(taken)));
    if (is_file) CHECK(test::read_file(taken) == before);
    if (kind == 2) CHECK(fs::is_directory(taken));
    if (kind == 3) CHECK(fs::is_symlink(taken));
    // The next one finds it under that name.
    const test::ReadableSet again({scene.d}, to_string(scene.header.set));
    CHECK(again.opened.missing().empty());
  }
}

TEST_CASE("Another set in the directory is left as it is") {
  const RepairScene scene;
  const RepairScene other(500);
  for (const auto& file : other.whole) test::write_file(scene.d / file.first, file.second);
  ShardImage damaged(scene.d / other.name(0));
  damaged.damage(0);
  damaged.save();
  scene.lose(0);
  const Files before = snapshot(scene.d);
  const test::Thrown tied = thrown_by([&] { repair({scene.d}); });
  CHECK(tied.kind == Status::kInvalidArgument);
  CHECK(snapshot(scene.d) == before);
  const RepairedSet repaired = repair({scene.d}, {}, {}, to_string(scene.header.set));
  CHECK(repaired.rebuilt.size() == 1);
  Files expected = before;
  expected[scene.name(0)] = scene.whole.at(scene.name(0));
  CHECK(snapshot(scene.d) == expected);
}

TEST_CASE("Pending files of the set get their names if they are whole, and go if not") {
  const RepairScene scene;
  const fs::path whole = hidden_beside(scene, scene.d, 1);
  fs::rename(scene.path(1), whole);
  const fs::path damaged = hidden_beside(scene, scene.d, 2);
  fs::rename(scene.path(2), damaged);
  ShardImage image(damaged);
  image.damage(0);
  image.save();
  test::write_file(hidden_beside(scene, scene.d, 3), "incomplete");
  fs::copy_file(scene.path(4), hidden_beside(scene, scene.d, 4));
  const RepairedSet repaired = repair({scene.d});
  CHECK(repaired.adopted == std::vector{scene.path(1)});
  CHECK(locations_of(repaired.rebuilt) == std::vector<std::uint32_t>{2});
  CHECK(scene.is_whole());
}

TEST_CASE("A set of which all but one shard are pending is made whole") {
  const RepairScene scene;
  for (std::uint32_t i = 0; i < 5; ++i) fs::rename(scene.path(i), hidden_beside(scene, scene.d, i));
  const RepairedSet repaired = repair({scene.d});
  CHECK(repaired.adopted.size() == 5);
  CHECK(repaired.bytes_written == 0);
  CHECK(scene.is_whole());
}

TEST_CASE("Left-over files are removed from what is written, and from nothing else") {
  const RepairScene scene;
  fs::create_directory(scene.folder / "to");
  scene.lose(0);
  const std::string left = hidden_name_beside(shard_name(draw_set_id(), 0, 3)).string();
  test::write_file(scene.d / left, "x");
  test::write_file(scene.folder.path() / "to" / left, "x");
  repair({scene.d}, scene.folder / "to");
  CHECK(fs::exists(scene.d / left));
  CHECK(scene.folder.names("to") == std::vector{scene.name(0)});
  repair({scene.d});
  CHECK(scene.is_whole());
}

TEST_CASE("What was read and written is counted") {
  const RepairScene scene;
  scene.lose(0);
  scene.damage(1, {0});
  std::uint64_t blocks = 0;  // bytes of one shard's blocks and frames
  for (std::uint64_t b = 0; b < num_blocks(scene.header); ++b) {
    blocks += payload_bytes(scene.header, b) + kFrameBytes;
  }
  const std::uint64_t first = payload_bytes(scene.header, 0) + kFrameBytes;
  const RepairedSet repaired = repair({scene.d});
  CHECK(repaired.damage.bytes_read == 5 * blocks);
  // Shards 0 and 1 are wanted. Rebuilding reads the good blocks of shard 1 and those that rebuild
  // shard 0, k blocks a stripe; in the first stripe one more, for the damaged block.
  const std::uint64_t rebuilding = 4 * blocks + first;
  const std::uint64_t written = 2 * shard_bytes(scene.header);
  CHECK(repaired.bytes_written == written);
  CHECK(repaired.bytes_read() == 5 * blocks + rebuilding + written);
  CHECK(repaired.bytes_read_to_find == 5 * blocks);
  CHECK(repaired.bytes_read_to_rebuild == rebuilding);
  CHECK(repaired.bytes_read_back == written);
  CHECK(repaired.bytes_rebuilt == 2 * blocks);
  CHECK(repaired.left_damaged.empty());
}

TEST_CASE("A directory without a set, or that is none, is a wrong call") {
  const TemporaryFolder folder;
  folder.write("file", "");
  CHECK(thrown_by([&] { repair({folder.path()}); }).kind == Status::kIo);
  CHECK(thrown_by([&] { repair({folder.path()}, folder / "to"); }).kind == Status::kIo);
  CHECK(thrown_by([&] { repair({folder / "none"}); }).kind != Status::kOk);
  CHECK(thrown_by([&] { repair({folder.path()}, folder / "file"); }).kind == Status::kIo);
  CHECK(folder.names() == std::vector<std::string>{"file"});
}

TEST_CASE("A wreck is replaced where it is, though another directory has fewer shards") {
  const RepairScene scene;
  const fs::path e = scene.folder.path() / "e";
  fs::create_directory(e);
  fs::rename(scene.path(4), test::shard_path(e, scene.header, 4));
  test::write_file(scene.path(1), "a wreck");
  const RepairedSet repaired = repair({scene.d, e});
  REQUIRE(repaired.rebuilt.size() == 1);
  CHECK(repaired.rebuilt[0].path == scene.path(1));
  CHECK(test::names_in(e).size() == 1);
  CHECK(test::read_file(scene.path(1)) == scene.whole.at(scene.name(1)));
}

TEST_CASE("A wreck is replaced however its directory is spelled") {
  const RepairScene scene;
  test::write_file(scene.path(1), "a wreck");
  const RepairedSet repaired = repair({scene.d}, scene.folder / "d/.");
  CHECK(repaired.rebuilt.size() == 1);
  CHECK(scene.is_whole());
}

TEST_CASE("A damaged shard with two names is whole under both after one repair") {
  const RepairScene scene;
  scene.damage(0, {1});
  fs::create_hard_link(scene.path(0), scene.d / "a second name");
  repair({scene.d});
  CHECK(repair({scene.d}).rebuilt.empty());
  CHECK(test::decoded({scene.d}) == scene.content);
  fs::remove(scene.d / "a second name");
  CHECK(scene.is_whole());
}

TEST_CASE("What an ended repair left on the new disk is taken up or removed") {
  const RepairScene scene;
  const fs::path to = scene.folder.path() / "to";
  fs::create_directory(to);
  fs::rename(scene.path(1), hidden_beside(scene, to, 1));
  scene.lose(2);
  test::write_file(hidden_beside(scene, to, 2), std::string(500, '\0'));
  const Files before = snapshot(scene.d);
  const RepairedSet repaired = repair({scene.d}, to);
  CHECK(repaired.adopted == std::vector{test::shard_path(to, scene.header, 1)});
  CHECK(locations_of(repaired.rebuilt) == std::vector<std::uint32_t>{2});
  CHECK(snapshot(scene.d) == before);
  CHECK(snapshot(to) == Files{{scene.name(1), scene.whole.at(scene.name(1))},
                              {scene.name(2), scene.whole.at(scene.name(2))}});
}

}  // namespace xorloom
