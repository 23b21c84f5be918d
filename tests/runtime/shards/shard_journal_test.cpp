#include "runtime/shards/shard_journal.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "runtime/shards/shard_name.hpp"
#include "tests/runtime/shards/shard_scene.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom {
namespace {

using namespace test;
namespace fs = std::filesystem;

ShardHeader header_before() { return small_header(); }

/// The header after a change that keeps a lineage.
ShardHeader header_with_lineage() {
  ShardHeader header = next_generation(header_before(), {});
  header.generation = std::uint64_t{2} << 32 | 0x0badcafe;
  return header;
}

/// header_with_lineage() as it was before sets had lineages.
ShardHeader header_after() {
  ShardHeader header = header_with_lineage();
  header.lineage.reset();
  return header;
}

/// A journal of locations 1, 2 and 4, two of which have blocks.
struct JournalScene {
  JournalScene() {
    JournalWriter writer(folder.path(), header_after().set, header_after().generation);
    ShardHeader header = header_after();
    for (const auto& [location, block] : {std::pair{4U, 0U}, {1U, 2U}, {1U, 0U}}) {
      header.location = location;
      const std::vector<std::uint8_t> payload(payload_bytes(header, block),
                                              static_cast<std::uint8_t>(16 * location + block));
      writer.write(location, block, block_frame(header, block, payload), payload);
    }
    writer.finish(header_before(), header_after(), {1, 2, 4});
    writer.file().commit(Existing::kRefuse);
    path = writer.file().destination();
    bytes = read_file(path);
  }

  Journal with(std::size_t offset, char byte) const {
    std::string changed = bytes;
    changed[offset] = byte;
    write_file(folder.path() / "changed", changed);
    return Journal(folder.path() / "changed");
  }

  TemporaryFolder folder;
  fs::path path;
  std::string bytes;
};

}  // namespace

TEST_CASE("A journal says what it was told") {
  const JournalScene scene;
  CHECK(scene.path.filename() ==
        "xorloom-000102030405060708090a0b0c0d0e0f-000000020badcafe.journal");
  const Journal journal(scene.path);
  REQUIRE(journal.kind() == Journal::Kind::kWhole);
  CHECK(journal.before() == header_before());
  CHECK(journal.after() == header_after());
  CHECK(journal.locations() == std::vector<std::uint32_t>{1, 2, 4});
  CHECK(journal.covers(2));
  CHECK(!journal.covers(3));
  REQUIRE(journal.blocks(1).size() == 2);
  CHECK(journal.blocks(1)[0].block == 0);
  CHECK(journal.blocks(1)[1].block == 2);
  CHECK(journal.blocks(2).empty());
  CHECK(journal.offset(4, 0) == 16);
  CHECK(!journal.offset(4, 1));
  Frame frame(kFrameBytes);
  std::vector<std::uint8_t> payload(6);
  CHECK(journal.file().read_at(*journal.offset(1, 2), frame, payload) == 0);
  CHECK(payload == std::vector<std::uint8_t>(6, 0x12));
}

TEST_CASE("A journal has the bytes the format says") {
  const std::string bytes = JournalScene().bytes;
  const std::size_t header = header_bytes(header_before());
  // The prefix, three blocks of 16, 6 and 16 bytes behind frames of 16, and the end: two sizes, two
  // headers, the number of locations and three of them, the number of blocks and three of those,
  // the tail.
  const std::size_t blocks = 16 + 32 + 22 + 32;
  CHECK(bytes.size() == blocks + 8 + 2 * header + 8 + 16 + 8 + 3 * 16 + 32);
  CHECK(bytes.substr(0, 16) == from_hex("89 58 4c 4a 0d 0a 1a 0a 01 00 00 00 00 00 00 00"));
  const std::string lists = bytes.substr(blocks + 8 + 2 * header, 8 + 16 + 8 + 48);
  CHECK(lists == from_hex("03 00 00 00 00 00 00 00  01 00 00 00 02 00 00 00 04 00 00 00"
                          "00 00 00 00  03 00 00 00 00 00 00 00"
                          "04 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
                          "01 00 00 00 00 00 00 00 02 00 00 00 00 00 00 00"
                          "01 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"));
  CHECK(bytes.substr(bytes.size() - 16, 8) == from_hex("65 6e 64 20 4a 4c 58 89"));
}

TEST_CASE("A journal that is cut short anywhere is not finished") {
  const JournalScene scene;
  for (std::size_t length = 0; length < scene.bytes.size(); ++length) {
    write_file(scene.folder.path() / "cut", scene.bytes.substr(0, length));
    CHECK(Journal(scene.folder.path() / "cut").kind() == Journal::Kind::kUnfinished);
  }
  write_file(scene.folder.path() / "cut", scene.bytes + "x");
  CHECK(Journal(scene.folder.path() / "cut").kind() == Journal::Kind::kUnfinished);
}

TEST_CASE("A damaged block takes its location out of the journal, a damaged end all of them") {
  const JournalScene scene;
  for (std::size_t i = 16; i < scene.bytes.size(); ++i) {
    CAPTURE(i);
    const Journal journal = scene.with(i, static_cast<char>(scene.bytes[i] ^ 0x40));
    if (i >= 16 + 32 + 22 + 32) {
      CHECK(journal.kind() == Journal::Kind::kUnfinished);
      continue;
    }
    CHECK(journal.kind() == Journal::Kind::kWhole);
    CHECK(journal.covers(2));
    CHECK(journal.covers(4) == (i >= 16 + 32));
    CHECK(journal.covers(1) == (i < 16 + 32));
  }
}

TEST_CASE("A journal of a later version is told") {
  const JournalScene scene;
  const Journal later = scene.with(8, 4);
  CHECK(later.kind() == Journal::Kind::kNewer);
  CHECK(later.why() == "it has journal version 4 and flags 0x0, and this program knows 3 and 0");
  CHECK(scene.with(12, 1).kind() == Journal::Kind::kNewer);
}

TEST_CASE(
    "A journal of a set with a lineage has version 3, the lineage, and frames without blocks") {
  const TemporaryFolder folder;
  const ShardHeader after = header_with_lineage();
  const std::vector<std::uint8_t> payload(16, 3);
  const auto frame_of = [&](std::uint32_t location, std::uint64_t block) {
    ShardHeader header = header_before();
    header.location = location;
    ShardHeader to = after;
    to.location = location;
    return restamped(to, block_frame(header, block, payload));
  };
  const auto write = [&](const std::vector<JournalFrame>& frames) {
    JournalWriter writer(folder.path(), after.set, after.generation);
    ShardHeader header = after;
    header.location = 1;
    writer.write(1, 0, block_frame(header, 0, payload), payload);
    for (const JournalFrame& each : frames) {
      writer.write_frame(each.location, each.block, each.frame);
    }
    writer.finish(header_before(), after, {1, 4});
    const std::string bytes = read_file(writer.file().temporary());
    write_file(folder.path() / "journal", bytes);
    return bytes;
  };
  const fs::path path = folder.path() / "journal";
  const std::string bytes = write({{4, 1, frame_of(4, 1)}, {4, 0, frame_of(4, 0)}});
  CHECK(bytes[8] == 3);
  const Journal journal(path);
  REQUIRE(journal.kind() == Journal::Kind::kWhole);
  CHECK(journal.after() == after);
  CHECK(journal.locations() == std::vector<std::uint32_t>{1, 4});
  CHECK(journal.frames(1).empty());
  REQUIRE(journal.frames(4).size() == 2);
  CHECK(journal.frames(4)[0].block == 0);
  REQUIRE(journal.frame(4, 1) != nullptr);
  CHECK(*journal.frame(4, 1) == frame_of(4, 1));
  CHECK(journal.frame(4, 2) == nullptr);
  for (std::size_t i = 16 + 32; i < bytes.size(); i += 7) {
    std::string flipped = bytes;
    flipped[i] = static_cast<char>(flipped[i] ^ 1);
    write_file(path, flipped);
    CHECK(Journal(path).kind() == Journal::Kind::kUnfinished);
  }
  // Bad frames: a frame alone of a block that is there as well, a repeated one, one of a location
  // that is not there, and one with another stamp.
  write({{1, 0, frame_of(1, 0)}});
  CHECK(Journal(path).locations() == std::vector<std::uint32_t>{4});
  write({{4, 0, frame_of(4, 0)}, {4, 0, frame_of(4, 0)}});
  CHECK(Journal(path).locations() == std::vector<std::uint32_t>{1});
  write({{2, 0, frame_of(2, 0)}});
  CHECK(Journal(path).kind() == Journal::Kind::kUnfinished);
  write({{4, 0, block_frame(header_before(), 0, payload)}});
  CHECK(Journal(path).kind() == Journal::Kind::kUnfinished);
}

TEST_CASE("A journal of another code has version 2, and speaks for data shards alone") {
  const TemporaryFolder folder;
  ShardHeader after = header_after();
  after.spec = "rs:k=4,m=3,w=8,poly=0x11d";
  after.locations = 7;
  const auto written = [&](const ShardHeader& to, const std::vector<std::uint32_t>& locations) {
    JournalWriter writer(folder.path(), to.set, to.generation);
    writer.finish(header_before(), to, locations);
    return read_file(writer.file().temporary());
  };
  const auto kind_of = [&](const std::string& bytes) {
    write_file(folder.path() / "journal", bytes);
    return Journal(folder.path() / "journal").kind();
  };
  const std::string bytes = written(after, {0, 3});
  CHECK(bytes[8] == 2);
  CHECK(kind_of(bytes) == Journal::Kind::kWhole);
  const Journal journal(folder.path() / "journal");
  CHECK(journal.changes_code());
  CHECK(journal.after() == after);
  CHECK(journal.locations() == std::vector<std::uint32_t>{0, 3});
  CHECK(kind_of(std::string(bytes).replace(8, 1, "\x01")) == Journal::Kind::kUnfinished);
  CHECK(kind_of(written(after, {})) == Journal::Kind::kWhole);
  CHECK(kind_of(written(after, {0, 4})) == Journal::Kind::kUnfinished);  // location 4 is redundancy
  // Neither the file nor where its blocks are may change with the code.
  for (const auto& change : std::vector<std::function<void(ShardHeader&)>>{
           [](ShardHeader& h) { h.file_bytes -= 1; }, [](ShardHeader& h) { h.stripe_bytes += 16; },
           [](ShardHeader& h) { h.extra.resize(8); },
           [](ShardHeader& h) { h.generation = std::uint64_t{1} << 32; },
           [](ShardHeader& h) {
             h.pieces = {2, 0};
           }}) {
    ShardHeader other = after;
    change(other);
    CHECK(kind_of(written(other, {0, 3})) == Journal::Kind::kUnfinished);
  }
  JournalWriter with_block(folder.path(), after.set, after.generation);
  const std::vector<std::uint8_t> payload(16);
  with_block.write(0, 0, block_frame(after, 0, payload), payload);
  with_block.finish(header_before(), after, {0});
  CHECK(Journal(with_block.file().temporary()).kind() == Journal::Kind::kUnfinished);
}

TEST_CASE("Names of journals are told from those of shards") {
  const SetId id = header_before().set;
  const std::string name = journal_name(id, 0x2badcafe);
  CHECK(parse_journal_name(name) == ShardName{id, false});
  CHECK(parse_journal_name("." + name + ".xorloom-0123456789abcdef") == ShardName{id, true});
  CHECK(!parse_shard_name(name));
  CHECK(!parse_journal_name(shard_name(id, 1, 14)));
  CHECK(!parse_journal_name(name.substr(1)));
  CHECK(!parse_journal_name(name + "x"));
}

}  // namespace xorloom
