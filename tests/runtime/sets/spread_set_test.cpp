// Sets whose shards are spread over directories as they are encoded.

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "codes/families/families.hpp"
#include "runtime/files/pending_file.hpp"
#include "runtime/sets/encode_set.hpp"
#include "runtime/shards/shard_name.hpp"
#include "tests/runtime/shards/shard_scene.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;

/// Three directories, of which none is there at first.
struct SpreadScene {
  EncodedSet encode(bool replace = false, std::uint64_t seed = 1) {
    content = test::random_text(1000, seed);
    Progress progress;
    return encode_set({.read = test::reader_of(content),
                       .directories = directories,
                       .code = make_code("rs:k=4,m=2"),
                       .options = {},
                       .replace = replace,
                       .block_bytes = 16},
                      progress);
  }
  std::vector<std::string> names(const char* directory) const { return folder.names(directory); }

  TemporaryFolder folder;
  std::vector<fs::path> directories{folder / "a", folder / "b", folder / "c"};
  std::string content;
};

}  // namespace

TEST_CASE("Shards go to the directories in turn, and any that suffice give the file") {
  SpreadScene scene;
  const std::vector<std::string> names = test::shard_names(scene.encode().header);
  CHECK(scene.names("a") == std::vector{names[0], names[3]});
  CHECK(scene.names("b") == std::vector{names[1], names[4]});
  CHECK(scene.names("c") == std::vector{names[2], names[5]});
  CHECK(test::decoded(scene.directories) == scene.content);
  for (const fs::path& lost : scene.directories) {
    std::vector<fs::path> left = scene.directories;
    std::erase(left, lost);
    CHECK(test::decoded(left) == scene.content);
  }
}

TEST_CASE("A set in any of the directories stays, or is replaced in all") {
  SpreadScene scene;
  scene.encode();
  const auto before = test::snapshot(scene.directories[1]);
  const std::string old = scene.content;
  fs::remove_all(scene.directories[0]);
  CHECK(test::thrown_by([&] { scene.encode(); }).says("b already holds set"));
  CHECK(test::snapshot(scene.directories[1]) == before);
  CHECK(!fs::exists(scene.directories[0]));
  CHECK(test::decoded({scene.directories[1], scene.directories[2]}) == old);
  const EncodedSet replaced = scene.encode(true, 2);
  CHECK(replaced.replaced.size() == 1);
  for (const char* directory : {"a", "b", "c"}) CHECK(scene.names(directory).size() == 2);
  CHECK(test::decoded(scene.directories) == scene.content);
}

TEST_CASE("However far giving names came, all shards count") {
  for (std::size_t num_named = 1; num_named <= 6; ++num_named) {
    SpreadScene scene;
    const EncodedSet encoded = scene.encode();
    for (std::size_t i = num_named; i < 6; ++i) {
      const fs::path path = scene.directories[i % 3] /
                            shard_name(encoded.header.set, static_cast<std::uint32_t>(i), 6);
      fs::rename(path, hidden_name_beside(path));
    }
    CAPTURE(num_named);
    const test::ReadableSet set(scene.directories);
    CHECK(set.opened.missing().empty());
    CHECK(set.decode().content == scene.content);
    test::repair(scene.directories);
    CHECK(scene.names("c").size() == 2);
    CHECK(test::decoded(scene.directories) == scene.content);
  }
}

TEST_CASE("A directory that is named twice, or cannot be made, leaves all as it was") {
  SpreadScene scene;
  scene.directories.push_back(scene.folder / "a/../a");
  CHECK(test::thrown_by([&] { scene.encode(); }).kind == Status::kInvalidArgument);
  CHECK(scene.folder.names().empty());
  test::write_file(scene.folder / "file", "");
  scene.directories.back() = scene.folder / "file/under";
  CHECK(test::thrown_by([&] { scene.encode(); }).kind == Status::kIo);
  CHECK(scene.folder.names() == std::vector<std::string>{"file"});
}

}  // namespace xorloom
