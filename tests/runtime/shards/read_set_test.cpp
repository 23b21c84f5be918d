#include "runtime/shards/read_set.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <functional>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "codes/families/families.hpp"
#include "tests/runtime/shards/shard_scene.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;
using test::ReadableSet;
using test::SetScene;
using test::ShardImage;

bool is_clean(const SetDamage& damage) {
  return damage.bad_blocks.empty() && damage.lost_stripes.empty();
}

constexpr const char* kTenAndFour = "cauchy-good:k=10,m=4,w=4,packet_bytes=8";

}  // namespace

TEST_CASE("Files of any size come back from whole sets, and are read once") {
  struct Case {
    const char* spec;
    std::uint64_t block_bytes;
  };
  for (const Case& c :
       {Case{kTenAndFour, 64}, Case{"rs:k=4,m=2", 16}, Case{"rs:k=5,m=1", 3}, Case{"rs:k=1,m=1", 1},
        Case{"rs:k=3,m=2,w=16", 6}, Case{"cauchy:k=3,m=2,w=3,packet_bytes=8", 24}}) {
    const std::size_t stripe = make_code(c.spec).k * c.block_bytes;
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, stripe - 1, stripe, stripe + 1,
                                   2 * stripe, 5 * stripe + stripe / 2}) {
      const SetScene scene(size, {.spec = c.spec, .block_bytes = c.block_bytes});
      const ReadableSet set = scene.set();
      CAPTURE(c.spec);
      CAPTURE(size);
      const auto result = set.decode();
      CHECK(result.content == scene.content);
      CHECK(is_clean(result.damage));
      const SetDamage verified = set.verify();
      CHECK(is_clean(verified));
      std::uint64_t blocks_on_disk = 0;
      for (std::uint64_t b = 0; b < num_blocks(scene.header); ++b) {
        blocks_on_disk += payload_bytes(scene.header, b) + kFrameBytes;
      }
      CHECK(verified.bytes_read == blocks_on_disk * scene.header.locations);
      CHECK(set.check().bytes_read == result.damage.bytes_read);
    }
  }
}

TEST_CASE(
    "Decoding reads k blocks a stripe, whole or with m losses, and no more of the last stripe than "
    "it has") {
  const SetScene scene(3 * 4 * 16 + 20);  // the last stripe has four blocks of 5 bytes
  const std::uint64_t k_blocks = 4 * (3 * (16 + kFrameBytes) + 5 + kFrameBytes);
  CHECK(scene.set().decode().damage.bytes_read == k_blocks);
  scene.lose(5);
  CHECK(scene.set().decode().damage.bytes_read == k_blocks);
  scene.lose(0);
  const auto result = scene.set().decode();
  CHECK(result.content == scene.content);
  CHECK(result.damage.bytes_read == k_blocks);
  CHECK(scene.set().check().bytes_read == k_blocks);
}

TEST_CASE("A file of one byte is read from one block, an empty one from none") {
  const SetScene one(1);
  CHECK(one.set().decode().damage.bytes_read == 1 + kFrameBytes);
  CHECK(one.set().check().bytes_read == 1 + kFrameBytes);
  one.lose(0);
  const auto rebuilt = one.set().decode();
  CHECK(rebuilt.content == one.content);
  // The other data locations are known to be zeros.
  CHECK(rebuilt.damage.bytes_read == 1 + kFrameBytes);
  const SetScene empty(0);
  CHECK(empty.set().decode().damage.bytes_read == 0);
  // For an empty file one shard suffices: its header says all.
  for (std::uint32_t i = 0; i < 5; ++i) empty.lose(i);
  const auto nothing = empty.set().decode();
  CHECK(nothing.content.empty());
  CHECK(is_clean(nothing.damage));
  CHECK(is_clean(empty.set().verify()));
}

TEST_CASE("Any m shards may be gone, on any number of threads and any executor") {
  struct Case {
    const char* spec;
    std::vector<std::uint32_t> lost;
  };
  const std::vector<Case> cases = {{kTenAndFour, {0, 3, 9, 12}}, {kTenAndFour, {6, 7, 8, 9}},
                                   {"rs:k=4,m=2", {1, 2}},       {"rs:k=5,m=1", {4}},
                                   {"rs:k=1,m=1", {0}},          {"rs:k=4,m=2,w=16", {0, 5}}};
  for (const Case& c : cases) {
    const SetScene scene(5000, {.spec = c.spec, .block_bytes = 64});
    for (const std::uint32_t location : c.lost) scene.lose(location);
    for (const Executor executor :
         {Executor::kAuto, Executor::kGraph, Executor::kPlan, Executor::kRanges}) {
      for (const int threads : {1, 2, 4}) {
        Options options;
        options.executor = executor;
        options.threads = threads;
        const ReadableSet set = scene.set(options);
        const std::size_t of_pipeline = executor == Executor::kAuto ? 4 : 1;
        CAPTURE(c.spec);
        CAPTURE(to_string(executor));
        CAPTURE(threads);
        const auto result = set.decode(of_pipeline);
        CHECK(result.content == scene.content);
        CHECK(is_clean(result.damage));
        CHECK(is_clean(set.verify(of_pipeline)));
      }
    }
  }
}

TEST_CASE("A set with damage in every shard comes back if no stripe lost more than m") {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const SetScene scene(60 * 4 * 16, {}, seed);
    std::mt19937_64 random(seed);
    std::vector<std::vector<std::uint64_t>> blocks(6);
    for (std::uint64_t stripe = 0; stripe < 60; ++stripe) {
      const std::size_t a = random() % 6;
      const std::size_t b = random() % 6;
      blocks[a].push_back(stripe);
      if (a != b) blocks[b].push_back(stripe);
    }
    for (std::uint32_t i = 0; i < 6; ++i) {
      REQUIRE(!blocks[i].empty());
      scene.damage(i, blocks[i]);
    }
    const ReadableSet set = scene.set();
    CAPTURE(seed);
    for (const std::size_t threads : {1U, 2U, 4U}) {
      const SetDamage damage = set.verify(threads);
      CHECK(damage.lost_stripes.empty());
      REQUIRE(damage.bad_blocks.size() == 6);
      for (std::size_t i = 0; i < 6; ++i) {
        std::vector<std::uint64_t> named;
        for (const BadBlocks& range : damage.bad_blocks.at(i)) {
          CHECK(range.fault == BlockFault::kDamaged);
          for (std::uint64_t b = range.first; b <= range.last; ++b) named.push_back(b);
        }
        CHECK(named == blocks[i]);
      }
      CHECK(set.decode(threads).content == scene.content);
      CHECK(set.check(threads).lost_stripes.empty());
    }
  }
}

TEST_CASE(
    "Stripes that lost more than m are named with what they lost, and nothing of them is given") {
  const SetScene scene(10 * 4 * 16);
  scene.lose(5);
  scene.damage(0, {3, 4, 7});
  scene.damage(1, {3, 4, 8});
  scene.damage(2, {7});
  for (const std::size_t threads : {1U, 2U, 4U}) {
    const ReadableSet set = scene.set();
    CAPTURE(threads);
    for (const SetDamage& damage :
         {set.verify(threads), set.check(threads), set.decode(threads).damage}) {
      REQUIRE(damage.lost_stripes.size() == 2);
      CHECK(damage.lost_stripes[0].first == 3);
      CHECK(damage.lost_stripes[0].last == 4);
      CHECK(damage.lost_stripes[0].lost == std::vector<std::size_t>{0, 1, 5});
      CHECK(damage.lost_stripes[1].first == 7);
      CHECK(damage.lost_stripes[1].last == 7);
      CHECK(damage.lost_stripes[1].lost == std::vector<std::size_t>{0, 2, 5});
      CHECK(to_string(damage.lost_stripes, scene.header) ==
            "stripes 3-4 lost locations {0, 1, 5} (in bytes 192-319 of the file); stripe 7 lost "
            "locations {0, 2, 5} (in bytes 448-511 of the file)");
    }
    CHECK(set.decode(threads).content == scene.content.substr(0, 3 * 4 * 16));
  }
}

TEST_CASE("More than m shards gone is every stripe lost") {
  const SetScene scene(4 * 4 * 16);
  for (const std::uint32_t i : {1U, 3U, 4U}) scene.lose(i);
  const ReadableSet set = scene.set();
  const auto result = set.decode();
  CHECK(result.content.empty());
  CHECK(to_string(result.damage.lost_stripes, scene.header) ==
        "stripes 0-3 lost locations {1, 3, 4} (in bytes 0-255 of the file)");
  CHECK(set.verify().lost_stripes.size() == 1);
}

TEST_CASE("What the file does not reach in the last stripe counts as no loss") {
  // `used`: data locations (of 4) that hold bytes of the file in the last stripe.
  struct Case {
    std::size_t size, used;
  };
  for (const Case& c : {Case{1, 1}, Case{5, 3}, Case{7, 4}, Case{66, 2}}) {
    const SetScene scene(c.size);
    for (unsigned lost = 0; lost < 63; ++lost) {
      for (std::uint32_t i = 0; i < 6; ++i) {
        if (lost >> i & 1) scene.lose(i);
      }
      std::size_t lost_of_all = 0;
      std::size_t lost_of_used = 0;
      std::size_t lost_data = 0;
      for (std::size_t i = 0; i < 6; ++i) {
        const bool is_used = i >= 4 || i < c.used;
        const bool is_lost = (lost >> i & 1) != 0;
        lost_of_all += is_lost;
        lost_of_used += is_lost && is_used;
        lost_data += is_lost && i < c.used;
      }
      const bool is_first_whole = c.size <= 64 || lost_of_all <= 2;
      const bool is_given_back = is_first_whole && (lost_data == 0 || lost_of_used <= 2);
      const ReadableSet set = scene.set();
      CAPTURE(c.size);
      CAPTURE(lost);
      CHECK((set.decode().content == scene.content) == is_given_back);
      CHECK(set.check().lost_stripes.empty() == is_given_back);
      CHECK(set.verify().lost_stripes.empty() == (is_first_whole && lost_of_used <= 2));
      for (const auto& file : scene.whole) test::write_file(scene.d / file.first, file.second);
    }
  }
}

TEST_CASE("Damage is named where the file does not reach, too") {
  const SetScene scene(1);
  scene.damage(2, {0});
  const ReadableSet set = scene.set();
  const SetDamage damage = set.verify();
  CHECK(set.bad_blocks(damage) == "2: block 0 damaged");
  CHECK(damage.lost_stripes.empty());
}

TEST_CASE("Stripes behind the end of every shard are lost, and named") {
  const SetScene scene(9 * 4 * 16);
  for (std::uint32_t i = 0; i < 6; ++i) {
    fs::resize_file(scene.path(i), block_offset(scene.header, 2 + i % 2));
  }
  const ReadableSet set = scene.set();
  for (const std::size_t threads : {1U, 4U}) {
    const auto result = set.decode(threads);
    CHECK(result.content == scene.content.substr(0, 2 * 4 * 16));
    for (const SetDamage& damage : {set.verify(threads), set.check(threads), result.damage}) {
      std::vector<std::uint64_t> lost;
      for (const LostStripes& range : damage.lost_stripes) {
        for (std::uint64_t stripe = range.first; stripe <= range.last; ++stripe) {
          lost.push_back(stripe);
        }
      }
      CHECK(lost == std::vector<std::uint64_t>{2, 3, 4, 5, 6, 7, 8});
    }
  }
}

TEST_CASE("Blocks that changed places are damage where they are") {
  const std::size_t size = 6 * 4 * 16;
  SUBCASE("within a shard") {
    const SetScene scene(size);
    ShardImage image = scene.image(2);
    const std::string block = image.block(1);
    image.set_block(1, image.block(4));
    image.set_block(4, block);
    image.save();
    const ReadableSet set = scene.set();
    CHECK(set.bad_blocks(set.verify()) == "2: blocks 1, 4 damaged");
    CHECK(set.decode().content == scene.content);
  }
  SUBCASE("between shards") {
    const SetScene scene(size);
    ShardImage a = scene.image(0);
    ShardImage b = scene.image(5);
    const std::string block = a.block(3);
    a.set_block(3, b.block(3));
    b.set_block(3, block);
    a.save();
    b.save();
    const ReadableSet set = scene.set();
    CHECK(set.bad_blocks(set.verify()) == "0: block 3 damaged, 5: block 3 damaged");
    CHECK(set.decode().content == scene.content);
  }
  SUBCASE("between sets") {
    const SetScene scene(size);
    const SetScene other(size, {}, 2);
    ShardImage a = scene.image(1);
    a.set_block(2, other.image(1).block(2));
    a.save();
    const ReadableSet set = scene.set();
    CHECK(set.bad_blocks(set.verify()) == "1: block 2 damaged");
    CHECK(set.decode().content == scene.content);
  }
  SUBCASE("between generations of one set id") {
    const SetScene scene(size);
    const SetScene other(size, {}, 2);
    ShardImage a = scene.image(1);
    a.set_block(2, other.image(1).block(2));
    ShardHeader older = a.header;
    older.generation = 2;
    a.seal(2, older);
    a.save();
    const ReadableSet set = scene.set();
    CHECK(set.bad_blocks(set.verify()) == "1: block 2 of another generation");
    CHECK(set.decode().content == scene.content);
  }
  SUBCASE("all blocks of one shard under the header of another") {
    const SetScene scene(size);
    ShardImage a = scene.image(1);
    const ShardHeader header = a.header;
    a = scene.image(2);
    a.set_first_header(header);
    a.set_last_header(header);
    a.save_as(scene.path(1));
    const ReadableSet set = scene.set();
    CHECK(set.bad_blocks(set.verify()) == "1: blocks 0-5 damaged");
    CHECK(set.decode().content == scene.content);
  }
}

TEST_CASE("A shard of another set or generation is never mixed in") {
  const SetScene scene(3 * 4 * 16);
  const SetScene other(3 * 4 * 16, {}, 2);
  for (const std::uint32_t i : {0U, 1U}) {
    scene.lose(i);
    fs::copy_file(other.path(i), scene.d / ("other" + std::to_string(i)));
  }
  ShardImage older = scene.image(2);
  ShardHeader header = older.header;
  header.generation = 2;  // one generation later, so the rest of the set looks outdated
  for (std::uint64_t b = 0; b < 3; ++b) older.seal(b, header);
  older.set_first_header(header);
  older.set_last_header(header);
  older.save();
  FoundShards found = find_shards(std::vector<fs::path>{scene.d});
  REQUIRE(found.sets.size() == 3);
  std::erase_if(found.sets, [&](const ShardSet& set) {
    return set.header.set != scene.header.set || set.header.generation != 1;
  });
  const OpenedSet opened(found, {}, {});
  CHECK(opened.missing() == std::vector<std::size_t>{0, 1, 2});
  Progress progress;
  std::string content;
  const SetDamage damage = decode_set(
      opened, 1, [&](std::span<const std::uint8_t> bytes) { content += test::text_of(bytes); },
      progress);
  CHECK(content.empty());
  CHECK(damage.lost_stripes.size() == 1);
}

TEST_CASE("Two copies of a location, damaged in different halves, are one whole shard") {
  const SetScene scene(8 * 4 * 16);
  const fs::path copy = scene.d / "copy";
  fs::copy_file(scene.path(0), copy);
  scene.damage(0, {0, 1, 2, 3});
  ShardImage second(copy);
  for (const std::uint64_t b : {4U, 5U, 6U, 7U}) second.damage(b);
  second.save();
  scene.lose(1);
  scene.lose(2);
  const ReadableSet set = scene.set();
  CHECK(set.decode().content == scene.content);
  const SetDamage damage = set.verify();
  CHECK(damage.lost_stripes.empty());
  // In the order of their paths.
  CHECK(set.bad_blocks(damage) == "0: blocks 4-7 damaged, 0: blocks 0-3 damaged");
  // A block that is damaged in both copies is lost.
  second.damage(0);
  second.save();
  const SetDamage more = scene.set().verify();
  REQUIRE(more.lost_stripes.size() == 1);
  CHECK(more.lost_stripes[0].lost == std::vector<std::size_t>{0, 1, 2});
  CHECK(more.lost_stripes[0].last == 0);
}

TEST_CASE("Two whole copies that differ in a block are erasures there, and named") {
  const SetScene scene(3 * 4 * 16);
  ShardImage other = scene.image(3);
  other.damage(1);
  other.seal(1);
  other.save_as(scene.d / "copy");
  const ReadableSet set = scene.set();
  const SetDamage damage = set.verify();
  CHECK(damage.lost_stripes.empty());
  CHECK(set.bad_blocks(damage) ==
        "3: block 1 contradicted by another copy, 3: block 1 contradicted by another copy");
  const auto result = set.decode();
  CHECK(result.content == scene.content);
  CHECK(result.damage.bad_blocks.size() == 2);
}

TEST_CASE("Sizes that contradict the code are refused") {
  using Change = std::function<void(ShardHeader&)>;
  const std::vector<std::pair<const char*, Change>> changes = {
      {"locations", [](auto& h) { h.locations = 7; }},
      {"stripe", [](auto& h) { h.stripe_bytes = 63; }},
      {"last block", [](auto& h) { h.last_block_bytes = 15; }},
      {"block", [](auto& h) { h.block_bytes = 17; }},
      {"not canonical", [](auto& h) { h.spec = "rs:k=4,m=2"; }},
      {"another code", [](auto& h) { h.spec = make_code("rs:k=3,m=3").spec; }},
  };
  for (const auto& change : changes) {
    const SetScene scene(0);
    FoundShards found;
    ShardHeader& header = found.sets.emplace_back().header;
    header = scene.header;
    header.file_bytes = 4 * 16;
    header.last_block_bytes = 16;
    const auto opening = [&] {
      return test::thrown_by([&] { const OpenedSet opened(found, {}, {}); });
    };
    CHECK(opening().kind == Status::kOk);
    change.second(header);
    CAPTURE(change.first);
    CHECK(opening().kind == Status::kDamaged);
    CHECK(opening().says(to_string(header.set)));
    header.spec = "none:k=4";
    CHECK(opening().kind == Status::kDamaged);
    CHECK(opening().says("none"));
  }
}

TEST_CASE("What the writer throws comes out and ends the reading") {
  const SetScene scene(100 * 4 * 16);
  const ReadableSet set = scene.set();
  for (const std::size_t threads : {1U, 2U, 4U}) {
    Progress progress;
    std::size_t written = 0;
    const auto write = [&](std::span<const std::uint8_t> bytes) {
      written += bytes.size();
      if (written == 10 * 64) throw std::runtime_error("full");
    };
    CAPTURE(threads);
    CHECK_THROWS_WITH_AS(decode_set(set.opened, threads, write, progress), "full",
                         std::runtime_error);
    CHECK(written == 10 * 64);
    CHECK(progress.done < progress.total);
  }
}

TEST_CASE("Progress ends where its total is") {
  const SetScene scene(10 * 4 * 16 + 5);
  const ReadableSet set = scene.set();
  Progress progress;
  decode_set(
      set.opened, 2, [](std::span<const std::uint8_t>) {}, progress);
  CHECK(progress.phase.load() == std::string("decoding"));
  CHECK(progress.done == scene.content.size());
  CHECK(progress.total == scene.content.size());
  check_set(set.opened, 2, progress);
  CHECK(progress.done == progress.total);
  const SetDamage damage = verify_set(set.opened, 2, progress);
  CHECK(progress.done == damage.bytes_read);
  CHECK(progress.done <= progress.total);
}

TEST_CASE("Each random pattern of damage is either given back or named") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    std::mt19937_64 random(seed);
    const std::size_t stripes = 1 + random() % 9;
    const std::size_t size = 64 * stripes - random() % 64;
    const SetScene scene(size, {}, seed);
    std::vector<std::vector<std::size_t>> lost(stripes);
    for (std::uint32_t i = 0; i < 6; ++i) {
      std::vector<std::uint64_t> blocks;
      for (std::uint64_t b = 0; b < stripes; ++b) {
        if (random() % 4 != 0) continue;
        blocks.push_back(b);
        lost[b].push_back(i);
      }
      scene.damage(i, blocks);
    }
    const ReadableSet set = scene.set();
    const SetDamage damage = set.verify(1 + seed % 3);
    std::vector<std::vector<std::size_t>> named(stripes);
    for (const LostStripes& range : damage.lost_stripes) {
      for (std::uint64_t s = range.first; s <= range.last; ++s) named[s] = range.lost;
    }
    bool is_all = true;
    for (std::size_t s = 0; s < stripes; ++s) {
      CAPTURE(seed);
      CAPTURE(s);
      CHECK(named[s] == (lost[s].size() > 2 ? lost[s] : std::vector<std::size_t>{}));
      is_all &= lost[s].size() <= 2;
    }
    const auto result = set.decode(1 + seed % 3);
    CAPTURE(seed);
    CHECK(scene.content.starts_with(result.content));
    if (is_all) CHECK(result.content == scene.content);
  }
}

}  // namespace xorloom
