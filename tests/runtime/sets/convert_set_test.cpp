#include "runtime/sets/convert_set.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codes/families/families.hpp"
#include "runtime/sets/change_set.hpp"
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

/// Data shards are the files that they were, but for their headers.
void check_only_headers_changed(const SetScene& scene, const ShardHeader& after) {
  const std::size_t header = header_bytes(after);
  CHECK(header == header_bytes(scene.header));
  CHECK(after.set == scene.header.set);
  for (std::uint32_t location = 0; location < data_shards(after); ++location) {
    const std::string before = scene.whole.at(scene.name(location));
    const std::string now = test::read_file(scene.path(location));
    REQUIRE(now.size() == before.size() + kLineageBytes);
    CHECK(now.substr(header, now.size() - 2 * header - kLineageBytes) ==
          before.substr(header, before.size() - 2 * header));
  }
}

/// All shards are whole, and the file is recovered without any that the code may lose.
void check_recovers(const fs::path& directory, const ShardHeader& header,
                    const std::string& content) {
  const test::ReadableSet whole({directory});
  CHECK(whole.opened.missing().empty());
  const SetDamage damage = whole.verify();
  CHECK(damage.bad_blocks.empty());
  CHECK(whole.decode().content == content);
  const std::size_t most = make_code(header.spec).promised_losses;
  for (std::uint32_t first = 0; first < header.locations; ++first) {
    std::vector<fs::path> left;
    for (const ShardFile& shard : whole.opened.set().shards) {
      const std::uint32_t at =
          (shard.header.location + header.locations - first) % header.locations;
      if (at >= most) left.push_back(shard.path);
    }
    CHECK(test::decoded(left) == content);
  }
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
      CHECK(generation_count(header) == 2);
      CHECK(converted.is_in_place() == (header.spec == make_code("rs:k=4,m=3").spec));
      CHECK((header.set == scene.header.set) == converted.is_in_place());
      CHECK(header.spec == make_code(spec).spec);
      CHECK(test::names_in(scene.d) == test::shard_names(header));
      CHECK(test::decoded({scene.d}) == scene.content);
    }
  }
}

TEST_CASE("Data shards stay under every code that has the data where they are, and recover") {
  const std::vector<std::string> specs = {"rs:k=4,m=1",
                                          "rs:k=4,m=3",
                                          "rs:k=4,m=2,w=16",
                                          "rs-poly:k=4,m=2",
                                          "isa-cauchy:k=4,m=3",
                                          "isa-vandermonde:k=4,m=2",
                                          "cauchy:k=4,m=2,w=4,packet_bytes=8",
                                          "cauchy-good:k=4,m=3,w=4,packet_bytes=8",
                                          "evenodd:k=4,p=5,packet_bytes=8",
                                          "rdp:k=4,p=5,packet_bytes=8"};
  constexpr std::size_t kBlock = 96;  // a multiple of all chunks
  std::size_t in_place = 0;
  for (const std::string& from : specs) {
    for (const std::string& to : specs) {
      if (from == to) continue;
      for (const std::size_t bytes : {std::size_t{0}, 8 * kBlock, 9 * kBlock + 3}) {
        const std::string what = from + " to " + to;
        CAPTURE(what);
        CAPTURE(bytes);
        const SetScene scene(bytes, {.spec = make_code(from).spec, .block_bytes = kBlock});
        std::vector<std::optional<FileIdentity>> files;
        for (std::uint32_t i = 0; i < 4; ++i) files.push_back(file_identity(scene.path(i)));
        const ConvertedSet converted = convert({scene.d}, to);
        const ShardHeader& header = converted.encoded.header;
        const bool has_short_block = header.last_block_bytes % kBlock != 0;
        CHECK((converted.is_in_place() || has_short_block));
        CHECK(test::names_in(scene.d) == test::shard_names(header));
        if (converted.is_in_place()) {
          ++in_place;
          for (std::uint32_t i = 0; i < 4; ++i) CHECK(file_identity(scene.path(i)) == files[i]);
          check_only_headers_changed(scene, header);
          const std::uint64_t redundancy = (header.locations - 4) * shard_bytes(header);
          CHECK(converted.encoded.bytes_written >= redundancy + 8 * header_bytes(header));
          CHECK(converted.encoded.bytes_written <=
                redundancy + 11 * header_bytes(header) + 5 * kLineageBytes);
        }
        check_recovers(scene.d, header, scene.content);
      }
    }
  }
  CHECK(in_place >= specs.size() * (specs.size() - 1) * 2);
}

TEST_CASE(
    "What lies otherwise, or is not there as it was, is written anew, and the reason is told") {
  const auto why = [](const SetScene& scene, const std::string& spec) {
    const ConvertedSet converted = convert({scene.d}, spec);
    CHECK(test::names_in(scene.d) == test::shard_names(converted.encoded.header));
    CHECK(test::decoded({scene.d}) == scene.content);
    return converted.why_whole;
  };
  CHECK(why(SetScene(533), "rs:k=4,m=2") == "the set has this code already");
  CHECK(why(SetScene(533), "rs:k=5,m=2") == "data lie in other shards");
  CHECK(why(SetScene(533), "lrc:k=4,m=2,l=3") == "data lie in other shards");
  CHECK(why(SetScene(533), "clay:k=4,m=2") == "blocks are checked in pieces");
  CHECK(why(SetScene(533), "evenodd:k=4,p=5,packet_bytes=64") ==
        "blocks of 16 bytes are not a multiple of 256");
  CHECK(why(SetScene(8 * 64 + 4), "rs:k=4,m=2,w=16") ==
        "the last blocks have 1 byte, and would have 2");
  std::string points;
  for (int i = 10; i < 70; ++i) points += fmt::format("{}{}", i == 10 ? "" : "+", i);
  CHECK(why(SetScene(512, {.block_bytes = 512}),
            "cauchy:k=4,m=60,w=8,x=" + points + ",y=1+2+3+4,packet_bytes=8") ==
        "headers have no room for the new spec");
  const SetScene missing(533);
  missing.lose(2);
  CHECK(why(missing, "rs:k=4,m=3") == "there are 0 copies of shard 2");
  const SetScene copied(533);
  fs::copy_file(copied.path(1), copied.d / "copy");
  CHECK(why(copied, "rs:k=4,m=3") == "there are 2 copies of shard 1");
  const SetScene damaged(533);
  damaged.damage(1, {3});
  CHECK(why(damaged, "rs:k=4,m=3") == "damaged blocks are rebuilt");
  const SetScene cut(533);
  fs::resize_file(cut.path(1), fs::file_size(cut.path(1)) - 8);
  CHECK(why(cut, "rs:k=4,m=3").starts_with("of shard 1, the header at its end"));
  const SetScene wreck(533);
  test::write_file(wreck.path(5), "");
  CHECK(why(wreck, "rs:k=4,m=3") == wreck.path(5).string() + " is there, too");
}

TEST_CASE("Redundancy that is missing or damaged is in nobody's way") {
  const SetScene scene(533);
  scene.lose(4);
  scene.damage(5, {0, 1, 2});
  const ConvertedSet converted = convert({scene.d}, "rs:k=4,m=3");
  CHECK(converted.why_whole == "");
  check_only_headers_changed(scene, converted.encoded.header);
  check_recovers(scene.d, converted.encoded.header, scene.content);
}

TEST_CASE("A set without room gets a code whose spec is no longer, and else new shards") {
  for (const bool fits : {true, false}) {
    const SetScene scene(512, {.block_bytes = 32});
    ShardHeader header = scene.header;
    header.extra.clear();
    for (std::uint32_t location = 0; location < 6; ++location) {
      header.location = location;
      const std::string bytes = test::read_file(scene.path(location));
      const std::size_t taken = header_bytes(scene.header);
      const std::string text = test::text_of(header_text(header));
      test::write_file(scene.path(location),
                       text + bytes.substr(taken, bytes.size() - 2 * taken) + text);
    }
    REQUIRE(test::decoded({scene.d}) == scene.content);
    const ConvertedSet converted = convert(
        {scene.d}, fits ? "rs:k=4,m=3" : "cauchy:k=4,m=2,w=4,x=1+2,y=4+5+6+7,packet_bytes=8");
    CHECK(converted.is_in_place() == fits);
    check_recovers(scene.d, converted.encoded.header, scene.content);
  }
}

TEST_CASE("A set that got another code is changed, repaired and given others like any set") {
  const SetScene scene(700, {.spec = "rs:k=8,m=2"});
  std::string content = scene.content;
  Progress progress;
  const auto patch = [&](std::uint64_t offset, const std::string& bytes) {
    patch_set({.directories = {scene.d}, .set_digits = {}, .options = {}}, offset,
              test::reader_of(bytes), progress);
    content.replace(offset, bytes.size(), bytes);
  };
  patch(70, "before");
  // From ten locations to eleven: names get another digit, but for those of the data shards.
  const ConvertedSet more = convert({scene.d}, "rs:k=8,m=3");
  CHECK(more.why_whole == "");
  CHECK(generation_count(more.encoded.header) == 3);
  std::vector<std::string> names = test::shard_names(more.encoded.header);
  for (std::uint32_t i = 0; i < 8; ++i) names[i] = scene.name(i);
  std::ranges::sort(names);
  CHECK(test::names_in(scene.d) == names);
  patch(300, "after");
  CHECK(test::decoded({scene.d}) == content);
  test::write_file(scene.path(2), "a wreck");
  test::repair({scene.d});
  CHECK(test::names_in(scene.d) == names);
  check_recovers(scene.d, test::ReadableSet({scene.d}).opened.header(), content);
  const ConvertedSet fewer = convert({scene.d}, "isa-cauchy:k=8,m=1");
  CHECK(fewer.why_whole == "");
  CHECK(test::names_in(scene.d) == test::shard_names(fewer.encoded.header));
  check_recovers(scene.d, fewer.encoded.header, content);
}

TEST_CASE("Redundancy of an earlier code that comes back is stale, and never read") {
  const SetScene scene(533, {.spec = "rs:k=4,m=4"});
  const fs::path away = scene.folder.path() / "away";
  for (const std::uint32_t location : {5U, 7U}) {
    fs::rename(scene.path(location), away.string() + scene.name(location));
  }
  const ShardHeader header = convert({scene.d}, "isa-vandermonde:k=4,m=2").encoded.header;
  fs::remove(scene.path(5));
  for (const std::uint32_t location : {5U, 7U}) {
    fs::rename(away.string() + scene.name(location), scene.path(location));
  }
  const test::ReadableSet set({scene.d});
  CHECK(set.opened.header().spec == header.spec);
  CHECK(set.opened.missing() == std::vector<std::size_t>{5});
  CHECK(set.decode().content == scene.content);
  CHECK(test::locations_of(test::repair({scene.d}).rebuilt) == std::vector<std::uint32_t>{5});
  fs::remove(scene.path(7));  // no location of the new code
  check_recovers(scene.d, header, scene.content);
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
