#include "runtime/sets/convert_set.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "codes/families/families.hpp"
#include "runtime/shards/file_info.hpp"
#include "tests/runtime/shards/shard_scene.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;
using test::SetScene;

ConvertedSet convert(std::vector<fs::path> directories, const std::string& spec,
                     const std::string& digits = {}) {
  SetConversion conversion{std::move(directories), digits, make_code(spec), {}, {}};
  Progress progress;
  return convert_set(conversion, progress);
}

}  // namespace

TEST_CASE("A set gets another code, in its place, and its file stays the same") {
  for (const char* const spec :
       {"rs:k=4,m=2", "rs:k=4,m=3", "rs:k=8,m=2", "cauchy-good:k=6,m=3,w=8", "lrc:k=4,m=2,l=3",
        "clay:k=4,m=2", "rdp:k=3,p=5"}) {
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{533}}) {
      CAPTURE(spec);
      const SetScene scene(bytes);
      const ConvertedSet converted = convert({scene.d}, spec);
      const ShardHeader& header = converted.encoded.header;
      CHECK(header.generation == 2);
      CHECK(header.set != scene.header.set);
      CHECK(header.spec == make_code(spec).spec);
      CHECK(test::names_in(scene.d) == test::shard_names(header));
      CHECK(test::decoded({scene.d}) == scene.content);
    }
  }
}

TEST_CASE("Missing shards and damaged blocks are rebuilt on the way") {
  const SetScene scene(533);
  scene.lose(0);
  scene.damage(3, {2, 5});
  const ConvertedSet converted = convert({scene.d}, "rs:k=3,m=3");
  CHECK(converted.damage.bad_blocks.size() == 1);
  CHECK(test::decoded({scene.d}) == scene.content);
  CHECK(test::ReadableSet({scene.d}).verify().bad_blocks.empty());
}

TEST_CASE("What cannot be recovered is not converted, and stays as it is") {
  const SetScene scene(533);
  for (const std::uint32_t location : {0U, 1U, 2U}) scene.damage(location, {6});
  const auto before = test::snapshot(scene.d);
  const test::Thrown thrown = test::thrown_by([&] { convert({scene.d}, "rs:k=3,m=3"); });
  CHECK(thrown.kind == Status::kDamaged);
  CHECK(thrown.says("and was not converted"));
  CHECK(thrown.says("stripe 6 lost locations {0, 1, 2}"));
  CHECK(test::snapshot(scene.d) == before);
  const SetScene cut(533);
  for (std::uint32_t i = 0; i < 6; ++i) fs::resize_file(cut.path(i), block_offset(cut.header, 4));
  const auto short_files = test::snapshot(cut.d);
  CHECK(test::thrown_by([&] { convert({cut.d}, "rs:k=3,m=3"); }).says("stripes 4-8 lost"));
  CHECK(test::snapshot(cut.d) == short_files);
}

TEST_CASE("Other sets in the directories stay, and the one that is meant may be named") {
  const SetScene scene(533);
  const fs::path other = scene.folder / "other";
  const EncodedSet second = test::encode(other, "another file", {.spec = "rs:k=2,m=1"});
  for (const std::string& name : test::names_in(other)) fs::rename(other / name, scene.d / name);
  CHECK(test::thrown_by([&] { convert({scene.d}, "rs:k=3,m=3"); }).kind ==
        Status::kInvalidArgument);
  const std::string digits = to_string(scene.header.set).substr(0, 10);
  convert({scene.d}, "rs:k=3,m=3", digits);
  CHECK(test::decoded({scene.d}, to_string(second.header.set)) == "another file");
  CHECK(test::decoded({scene.d}) == scene.content);  // its generation is higher now
  CHECK(test::names_in(scene.d).size() == 6 + 3);
}

TEST_CASE("Packets that are asked for are those of the new code") {
  const SetScene scene(533);
  SetConversion conversion{
      {scene.d}, {}, make_code("cauchy-good:k=3,m=2,w=4", {.packet_bytes = 128}), {}, {}};
  conversion.options.packet_bytes = 128;
  Progress progress;
  convert_set(conversion, progress);
  CHECK(test::decoded({scene.d}) == scene.content);
}

TEST_CASE("A set that changed after it was opened is not replaced") {
  const SetScene scene(533);
  const auto before = test::snapshot(scene.d);
  ShardHeader other = scene.header;
  ++other.generation;
  Progress progress;
  const test::Thrown thrown = test::thrown_by([&] {
    encode_set({.read = test::reader_of("what was read before"),
                .directories = {scene.d},
                .code = make_code("rs:k=3,m=3"),
                .options = {},
                .block_bytes = 16,
                .converted = other},
               progress);
  });
  CHECK(thrown.kind == Status::kIo);
  CHECK(thrown.says("was changed by another program in the meantime"));
  CHECK(test::snapshot(scene.d) == before);
}

TEST_CASE("Shards are spread over the directories, and what they remember goes with them") {
  const TemporaryFolder folder;
  const std::vector<fs::path> directories{folder / "a", folder / "b"};
  const std::string content = test::random_text(533, 9);
  const FileInfo info{"name", 0600, 12, 34};
  Progress progress;
  encode_set({.read = test::reader_of(content),
              .directories = directories,
              .code = make_code("rs:k=4,m=2"),
              .options = {},
              .block_bytes = 16,
              .info = info},
             progress);
  const ConvertedSet converted = convert(directories, "rs:k=3,m=3");
  CHECK(test::names_in(directories[0]).size() == 3);
  CHECK(test::names_in(directories[1]).size() == 3);
  CHECK(remembered(converted.encoded.header) == info);
  CHECK(test::decoded(directories) == content);
}

}  // namespace xorloom
