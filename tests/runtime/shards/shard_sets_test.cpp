#include "runtime/shards/shard_sets.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "runtime/files/pending_file.hpp"
#include "runtime/shards/shard_name.hpp"
#include "tests/runtime/shards/shard_scene.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;
using test::ShardImage;
using test::thrown_by;

FoundShards found_in(std::vector<fs::path> paths) { return find_shards(paths); }

fs::path hide(const fs::path& path) {
  fs::path hidden = hidden_name_beside(path);
  fs::rename(path, hidden);
  return hidden;
}

/// Gives every shard of a set in a directory another generation, checksums of blocks included.
ShardHeader set_generation(const fs::path& directory, const ShardHeader& header,
                           std::uint64_t generation) {
  ShardHeader changed = header;
  changed.generation = generation;
  for (std::uint32_t location = 0; location < header.locations; ++location) {
    const fs::path path = test::shard_path(directory, header, location);
    if (!fs::exists(path)) continue;
    ShardImage image(path);
    changed.location = location;
    for (std::uint64_t block = 0; block < num_blocks(header); ++block) image.seal(block, changed);
    image.set_first_header(changed);
    image.set_last_header(changed);
    image.save();
  }
  return changed;
}

}  // namespace

TEST_CASE("A directory without shards has no set") {
  const TemporaryFolder folder;
  folder.write("file", "no shard");
  fs::create_directory(folder / "directory");
  const FoundShards found = found_in({folder.path()});
  CHECK(found.sets.empty());
  CHECK(found.strays.empty());
  CHECK(found.leftovers.empty());
  CHECK(found.incomplete.empty());
  CHECK(found_in({}).sets.empty());
  CHECK(thrown_by([&] { choose_set(found); }).kind == Status::kIo);
  CHECK(thrown_by([&] { choose_set(found, "00"); }).kind == Status::kIo);
}

TEST_CASE("What is no directory cannot be searched, and hides nothing of others") {
  const TemporaryFolder folder;
  CHECK(thrown_by([&] { found_in({folder / "none"}); }).kind == Status::kIo);
  CHECK(thrown_by([&] { found_in({folder / "none"}); }).says(folder / "none"));
  CHECK(thrown_by([&] { found_in({folder / "none", folder / "nor this"}); }).kind == Status::kIo);
  test::encode(folder / "d", "content");
  const FoundShards found = found_in({folder / "none", folder / "d", folder / "nor this"});
  CHECK(found.sets.size() == 1);
  REQUIRE(found.unread.size() == 2);
  CHECK(found.unread[0].find(folder / "none") != std::string::npos);
  CHECK(found.unread[1].find(folder / "nor this") != std::string::npos);
  CHECK(found_in({folder / "d"}).unread.empty());
  CHECK(test::decoded({folder / "none", folder / "d"}) == "content");
}

TEST_CASE("Shards are found by their content in any directory under any name") {
  const TemporaryFolder folder;
  for (const char* const name : {"a", "b", "c"}) fs::create_directory(folder / name);
  const ShardHeader header = test::encode(folder / "a", "content").header;
  fs::rename(test::shard_path(folder / "a", header, 5), folder / "b/zero");
  fs::rename(test::shard_path(folder / "a", header, 0), folder / "b/one");
  fs::rename(test::shard_path(folder / "a", header, 3), folder / "c/.hidden");
  const FoundShards found = found_in({folder / "a", folder / "b", folder / "c"});
  REQUIRE(found.sets.size() == 1);
  CHECK(found.sets[0].shards.size() == 6);
  for (std::uint32_t i = 0; i < 6; ++i) CHECK(found.sets[0].shards[i].header.location == i);
  CHECK(found.strays.empty());
  CHECK(test::decoded({folder / "c", folder / "b", folder / "a"}) == "content");
  // Directories in directories are not looked at.
  CHECK(found_in({folder.path()}).sets.empty());
}

TEST_CASE("A path of a file stands for that file") {
  const TemporaryFolder folder;
  const ShardHeader header = test::encode(folder.path(), "content").header;
  std::vector<fs::path> paths;
  for (const std::uint32_t location : {0U, 2U, 4U, 5U}) {
    paths.push_back(test::shard_path(folder.path(), header, location));
  }
  CHECK(found_in(paths).sets.at(0).shards.size() == 4);
  CHECK(test::decoded(paths) == "content");
}

TEST_CASE("A shard with two names, or a directory given twice, counts once") {
  const TemporaryFolder folder;
  fs::create_directory(folder / "a");
  fs::create_directory(folder / "b");
  const ShardHeader header = test::encode(folder / "a", "content").header;
  const fs::path first = test::shard_path(folder / "a", header, 0);
  fs::create_hard_link(first, folder / "a/link");
  fs::create_hard_link(first, folder / "b/link");
  fs::create_symlink(first, folder / "b/symlink");
  fs::create_directory_symlink(folder / "a", folder / "again");
  const FoundShards found =
      found_in({folder / "a", folder / "b", folder / "a", folder / "a/", folder / "again", first});
  REQUIRE(found.sets.size() == 1);
  CHECK(found.sets[0].shards.size() == 6);
  CHECK(locations_present(found.sets[0]) == std::vector<std::size_t>{0, 1, 2, 3, 4, 5});
  // A copy is another file.
  fs::copy_file(first, folder / "b/copy");
  const FoundShards more = found_in({folder / "a", folder / "b"});
  CHECK(more.sets.at(0).shards.size() == 7);
  CHECK(locations_present(more.sets.at(0)) == std::vector<std::size_t>{0, 1, 2, 3, 4, 5});
}

TEST_CASE("A shard that has its hidden name beside its own has a name of its own") {
  // As a program leaves it that was ended between the two halves of a rename by link and unlink.
  const TemporaryFolder folder;
  const ShardHeader header = test::encode(folder.path(), "content").header;
  for (std::uint32_t location = 1; location < header.locations; ++location) {
    hide(test::shard_path(folder.path(), header, location));
  }
  const fs::path first = test::shard_path(folder.path(), header, 0);
  fs::create_hard_link(first, hidden_name_beside(first));
  const FoundShards found = found_in({folder.path()});
  CHECK(found.leftovers.empty());
  REQUIRE(found.sets.size() == 1);
  CHECK(found.sets[0].shards.size() == 6);
}

TEST_CASE("The set with the highest generation is meant, even if it is incomplete") {
  const TemporaryFolder folder;
  for (const char* const name : {"a", "b", "c"}) fs::create_directory(folder / name);
  test::encode(folder / "a", "first");
  const ShardHeader old = test::encode(folder / "b", "seconds").header;
  const ShardHeader second = set_generation(folder / "b", old, 7);
  const FoundShards found = found_in({folder / "a", folder / "b"});
  REQUIRE(found.sets.size() == 2);
  CHECK(found.sets[0].header.generation == 7);
  CHECK(found.sets[1].header.generation == 1);
  CHECK(test::decoded({folder / "a", folder / "b"}) == "seconds");
  CHECK(test::decoded({folder / "b", folder / "a"}) == "seconds");
  for (const std::uint32_t location : {0U, 1U, 2U, 3U, 4U}) {
    fs::remove(test::shard_path(folder / "b", second, location));
  }
  CHECK(choose_set(found_in({folder / "a", folder / "b"})).header.set == second.set);
  const test::ReadableSet set({folder / "a", folder / "b"});
  const auto result = set.decode();
  CHECK(result.content.empty());
  REQUIRE(result.damage.lost_stripes.size() == 1);
  CHECK(result.damage.lost_stripes[0].lost == std::vector<std::size_t>{0, 1, 2, 3, 4});
}

TEST_CASE("Sets tied in generation are refused by name, and digits choose") {
  const TemporaryFolder folder;
  for (const char* const name : {"a", "b", "c"}) fs::create_directory(folder / name);
  const SetId a = test::encode(folder / "a", "first").header.set;
  const SetId b = test::encode(folder / "b", "second").header.set;
  const ShardHeader lower = test::encode(folder / "c", "third").header;
  const std::vector<fs::path> paths = {folder / "a", folder / "b"};
  const test::Thrown tied = thrown_by([&] { choose_set(found_in(paths)); });
  CHECK(tied.kind == Status::kInvalidArgument);
  CHECK(tied.says(to_string(a)));
  CHECK(tied.says(to_string(b)));
  CHECK(test::decoded(paths, to_string(a)) == "first");
  CHECK(test::decoded(paths, to_string(b)) == "second");
  // A lower generation is not among those that can be meant, but digits choose it too.
  const ShardHeader high =
      set_generation(folder / "a", test::ReadableSet({folder / "a"}).opened.header(), 2);
  CHECK(test::decoded({folder / "a", folder / "c"}) == "first");
  CHECK(test::decoded({folder / "a", folder / "c"}, to_string(lower.set)) == "third");
  CHECK(test::decoded({folder / "a", folder / "c"}, to_string(high.set)) == "first");
}

TEST_CASE("The fewest digits that tell sets apart choose, and digits that do not are refused") {
  FoundShards found;
  for (const char* const digits :
       {"aa000000000000000000000000000000", "ab000000000000000000000000000000",
        "b0000000000000000000000000000000"}) {
    ShardSet& set = found.sets.emplace_back();
    set.header.set = set_id_of(digits).value();
    set.header.generation = 9 - found.sets.size();
    set.header.locations = 1;
  }
  CHECK(choose_set(found).header.generation == 8);
  CHECK(choose_set(found, "aa").header.generation == 8);
  CHECK(choose_set(found, "ab").header.generation == 7);
  CHECK(choose_set(found, "b").header.generation == 6);
  CHECK(choose_set(found, "b0000000000000000000000000000000").header.generation == 6);
  const test::Thrown both = thrown_by([&] { choose_set(found, "a"); });
  CHECK(both.kind == Status::kInvalidArgument);
  CHECK(both.says("aa0000"));
  CHECK(both.says("ab0000"));
  CHECK(!both.says("set b0"));
  for (const char* const digits : {"c", "A", "b00000000000000000000000000000000", "x", " "}) {
    const test::Thrown none = thrown_by([&] { choose_set(found, digits); });
    CAPTURE(digits);
    CHECK(none.kind == Status::kInvalidArgument);
    CHECK(none.says("aa0000"));
    CHECK(none.says("b00000"));
  }
}

TEST_CASE("A whole generation is not taken for the beginning of another") {
  FoundShards found;
  for (const unsigned generation : {12U, 1U}) {
    ShardSet& set = found.sets.emplace_back();
    set.header.set = set_id_of(std::string(32, 'a')).value();
    set.header.generation = generation;
    set.header.locations = 1;
  }
  CHECK(choose_set(found, "a").header.generation == 12);
  CHECK(choose_set(found, "a@12").header.generation == 12);
  CHECK(choose_set(found, "a@1").header.generation == 1);
}

TEST_CASE("Three sets of which two share the highest generation are refused naming those two") {
  FoundShards found;
  for (const auto& [digit, generation] :
       {std::pair{'a', 5U}, std::pair{'b', 5U}, std::pair{'c', 4U}}) {
    ShardSet& set = found.sets.emplace_back();
    set.header.set = set_id_of(std::string(32, digit)).value();
    set.header.generation = generation;
    set.header.locations = 1;
  }
  const test::Thrown thrown = thrown_by([&] { choose_set(found); });
  CHECK(thrown.kind == Status::kInvalidArgument);
  CHECK(thrown.says("aaaa"));
  CHECK(thrown.says("bbbb"));
  CHECK(!thrown.says("cccc"));
}

TEST_CASE("Shards of one id and other generations are other sets") {
  const TemporaryFolder folder;
  const ShardHeader header = test::encode(folder.path(), "content").header;
  ShardImage image(test::shard_path(folder.path(), header, 4));
  ShardHeader newer = image.header;
  newer.generation = 2;
  image.set_first_header(newer);
  image.set_last_header(newer);
  image.save();
  const FoundShards found = found_in({folder.path()});
  REQUIRE(found.sets.size() == 2);
  CHECK(found.sets[0].header.generation == 2);
  CHECK(found.sets[0].shards.size() == 1);
  CHECK(found.sets[1].shards.size() == 5);
  // The one shard is meant, and cannot be given back: there is no falling back to the other five.
  const test::ReadableSet set({folder.path()});
  CHECK(set.decode().content.empty());
  CHECK(set.decode().damage.lost_stripes.size() == 1);
}

TEST_CASE("Strays are named with what they are") {
  const TemporaryFolder folder;
  const ShardHeader header = test::encode(folder.path(), "content").header;
  const fs::path conflicting = test::shard_path(folder.path(), header, 1);
  ShardImage image(conflicting);
  ShardHeader other = image.header;
  other.location = 2;
  image.set_last_header(other);
  image.save();
  const fs::path wreck = test::shard_path(folder.path(), header, 3);
  test::write_file(wreck, "nothing");
  const FoundShards found = found_in({folder.path()});
  REQUIRE(found.strays.size() == 2);
  CHECK(found.strays[0].path == conflicting);
  CHECK(found.strays[0].kind == ShardFile::Kind::kConflicting);
  CHECK(!found.strays[0].why.empty());
  CHECK(found.strays[1].path == wreck);
  CHECK(found.strays[1].kind == ShardFile::Kind::kWreck);
  CHECK(!found.strays[1].why.empty());
  CHECK(locations_present(found.sets.at(0)) == std::vector<std::size_t>{0, 2, 4, 5});
  CHECK(test::decoded({folder.path()}) == "content");
}

TEST_CASE("Pending files of a set without a named shard are left over") {
  const TemporaryFolder folder;
  const ShardHeader header = test::encode(folder.path(), "content").header;
  std::vector<fs::path> hidden;
  for (std::uint32_t location = 0; location < header.locations; ++location) {
    hidden.push_back(hide(test::shard_path(folder.path(), header, location)));
  }
  hidden.push_back(hidden_name_beside(test::shard_path(folder.path(), header, 0)));
  test::write_file(hidden.back(), "begun and not finished");
  FoundShards found = found_in({folder.path()});
  CHECK(found.sets.empty());
  CHECK(found.strays.empty());
  CHECK(found.incomplete.empty());
  std::ranges::sort(found.leftovers);
  std::ranges::sort(hidden);
  CHECK(found.leftovers == hidden);
}

TEST_CASE(
    "Pending files of a set with a named shard are its shards, and unfinished ones are apart") {
  const TemporaryFolder folder;
  fs::create_directory(folder / "a");
  fs::create_directory(folder / "b");
  const ShardHeader header = test::encode(folder / "a", "content").header;
  for (std::uint32_t location = 1; location < header.locations; ++location) {
    hide(test::shard_path(folder / "a", header, location));
  }
  const fs::path unfinished = hidden_name_beside(test::shard_path(folder / "b", header, 0));
  test::write_file(unfinished, std::string(100, '\0'));
  const FoundShards found = found_in({folder / "a", folder / "b"});
  REQUIRE(found.sets.size() == 1);
  CHECK(found.sets[0].shards.size() == 6);
  CHECK(found.leftovers.empty());
  REQUIRE(found.incomplete.size() == 1);
  CHECK(found.incomplete[0] == std::pair{header.set, unfinished});
  CHECK(test::decoded({folder / "a", folder / "b"}) == "content");
  // In a directory of its own it is of no set.
  CHECK(found_in({folder / "b"}).leftovers == std::vector{unfinished});
}

TEST_CASE("A set is described with what tells it from others") {
  const TemporaryFolder folder;
  const ShardHeader header = test::encode(folder.path(), "content").header;
  fs::remove(test::shard_path(folder.path(), header, 2));
  CHECK(describe(found_in({folder.path()}).sets.at(0)) ==
        "set " + to_string(header.set) + " of 7 bytes, generation 1, 5 of 6 shards");
}

TEST_CASE("That no more files can be opened is an error and no damage") {
  const TemporaryFolder folder;
  test::encode(folder.path(), "content", {.spec = "rs:k=60,m=4"});
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const rlimit bound{40, 40};
    ::setrlimit(RLIMIT_NOFILE, &bound);
    const Status kind = thrown_by([&] { found_in({folder.path()}); }).kind;
    ::_exit(kind == Status::kIo ? 0 : 1);
  }
  int status = -1;
  CHECK(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

}  // namespace xorloom
