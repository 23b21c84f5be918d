#include <doctest/doctest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "runtime/files/checksum.hpp"
#include "runtime/machine/little_endian.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/has.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {
namespace {

constexpr std::size_t kVersionAt = 8;
constexpr std::size_t kHeaderBytesAt = 12;
constexpr std::size_t kNeededFlagsAt = 16;
constexpr std::size_t kGenerationAt = 40;

std::uint8_t* at(std::string& bytes, std::size_t offset) {
  return reinterpret_cast<std::uint8_t*>(bytes.data() + offset);
}

/// Changes a number in a shard's header, at its beginning or at both ends, and mends the checksum.
void change_header(std::string& shard, std::size_t field, std::uint32_t value, bool both) {
  const auto size = get<std::uint32_t>(at(shard, kHeaderBytesAt));
  for (const std::size_t begin : {std::size_t{0}, shard.size() - size}) {
    if (begin != 0 && !both) continue;
    put(at(shard, begin + field), value);
    const std::span<const std::uint8_t> covered(at(shard, begin), size - 8);
    put(at(shard, begin + size - 8), checksum(covered));
  }
}

struct Scene {
  Scene() {
    folder.write("file", content);
    REQUIRE(run("encode file -o d").status == 0);
    shard = "d/" + folder.names("d")[4];
    bytes = folder.read(shard);
  }
  Outcome run(const std::string& arguments) const {
    return shell("$xorloom " + arguments, folder.path());
  }

  TemporaryFolder folder;
  std::string content = random_bytes(5000, 3);
  std::string shard;
  std::string bytes;
};

}  // namespace

TEST_CASE("What is not for this program is named, and neither used, changed nor removed") {
  struct Case {
    std::size_t field;
    std::uint32_t value;
    bool both;
    const char* why;
  };
  for (const Case& c :
       {Case{kVersionAt, 2, true, "it has format version 2, and this program knows 1"},
        Case{kNeededFlagsAt, 8, true, "it needs parts of the format (flags 0x8)"},
        Case{kGenerationAt, 9, false, "the headers at its beginning and at its end differ"}}) {
    CAPTURE(c.why);
    const Scene scene;
    std::string changed = scene.bytes;
    change_header(changed, c.field, c.value, c.both);
    scene.folder.write(scene.shard, changed);

    const Outcome decoded = scene.run("decode d -o back");
    CHECK(decoded.status == 0);
    CHECK(has(decoded.err, scene.shard + ": " + c.why));
    CHECK(has(decoded.err, "missing: shard 4"));
    CHECK(scene.folder.read("back") == scene.content);
    CHECK(scene.run("verify d").status == 1);
    CHECK(has(scene.run("info d").err, c.why));

    const Outcome refused = scene.run("encode file -o d");
    CHECK(refused.status == 2);
    const Outcome repaired = scene.run("repair d");
    CHECK(repaired.status == 0);
    CHECK(has(repaired.err, c.why));
    CHECK(scene.run("verify d").status == 0);
    const Outcome replaced = scene.run("encode file -o d --replace");
    CHECK(replaced.status == 0);
    CHECK(has(replaced.err, "left alone: " + scene.shard + ": " + c.why));
    CHECK(scene.folder.read(scene.shard) == changed);
    CHECK(scene.folder.names("d").size() == 15);
  }
}

TEST_CASE("A wreck under a shard's name is named, and made whole") {
  for (const std::string& rest : {std::string(), std::string(5000, '\0'), std::string("a text")}) {
    CAPTURE(rest.size());
    const Scene scene;
    scene.folder.write(scene.shard, rest);
    const Outcome decoded = scene.run("decode d -o back");
    CHECK(decoded.status == 0);
    CHECK(has(decoded.err, scene.shard + ": it has no readable header"));
    CHECK(scene.run("repair d").status == 0);
    CHECK(scene.folder.read(scene.shard) == scene.bytes);
    CHECK(scene.run("verify d").status == 0);
  }
}

TEST_CASE("A flip in the version is damage, not a later version") {
  const Scene scene;
  std::string changed = scene.bytes;
  changed[kVersionAt] = 2;
  scene.folder.write(scene.shard, changed);
  CHECK(has(scene.run("decode d -o back").err, "the header at its beginning is damaged"));
  CHECK(scene.run("repair d").status == 0);
  CHECK(scene.folder.read(scene.shard) == scene.bytes);
}

TEST_CASE("A shard of another generation of the same set is not mixed in") {
  const Scene scene;
  std::string changed = scene.bytes;
  change_header(changed, kGenerationAt, 9, true);
  scene.folder.write(scene.shard, changed);
  // The highest generation is meant, though it has one shard and cannot be decoded.
  const Outcome decoded = scene.run("decode d -o back");
  CHECK(decoded.status == 3);
  CHECK(has(decoded.err, "generation 1, 13 of 14 shards"));
  CHECK(has(decoded.err, "lost locations {0, 1, 2, 3, 5"));
}

TEST_CASE("A copy of a stale shard is no shard more that repair has rebuilt") {
  const TemporaryFolder folder;
  folder.write("file", random_bytes(1000, 1));
  const Outcome repaired = shell(
      "$xorloom encode -q file -o d -k 4 -m 2; shard=$(ls d/*-3.shard); mv $shard old; "
      "$xorloom append -q d file; cp old $shard; mv old d/copy; $xorloom repair d",
      folder / "");
  CHECK(repaired.status == 0);
  CHECK(has(repaired.err, "rebuilt in place: d/copy\n"));
  CHECK(has(repaired.err, "\nrebuilt 1 of 6 shards of set "));
}

TEST_CASE("Beyond repair, --only-missing names no way that cannot help") {
  const TemporaryFolder folder;
  folder.write("file", random_bytes(1'300'000, 1));  // two stripes
  const Outcome repaired = shell(
      "$xorloom encode -q file -o d; rm d/*-0[1-4].shard; "
      "printf xorloom | dd of=$(ls d/*-07.shard) bs=1 seek=66000 conv=notrunc status=none; "
      "$xorloom repair d --only-missing",
      folder / "");
  CHECK(repaired.status == 3);
  CHECK(has(repaired.err, "still damaged: d/"));
  CHECK(has(repaired.err, "is repaired but for 1 of its stripes"));
  CHECK_FALSE(has(repaired.err, "run repair without --only-missing"));
}

TEST_CASE("JSON has generations as --set takes them") {
  const TemporaryFolder folder;
  folder.write("file", random_bytes(1000, 7));
  REQUIRE(xorloom({"encode", folder / "file", "-o", folder / "d"}).status == 0);
  REQUIRE(shell("printf x | $xorloom patch d --at 0", folder.path()).status == 0);
  const auto data_of = [&](const std::string& command) {
    return nlohmann::json::parse(xorloom({command, folder / "d", "--format", "json"}).out);
  };
  const nlohmann::json info = data_of("info")["sets"][0];
  const std::string generation = info["generation"];
  CHECK(generation.starts_with("2-"));
  CHECK(info["generations_before"] == nlohmann::json::array({"1"}));
  CHECK(data_of("verify")["generation"] == generation);
  const auto verify = [&](const std::string& chosen) {
    const std::string set = info["set"];
    return xorloom({"verify", folder / "d", "--set", set + "@" + chosen}).status;
  };
  CHECK(verify(generation) == 0);
  CHECK(verify("1") == 2);
}

}  // namespace xorloom::test
