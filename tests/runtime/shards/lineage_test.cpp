#include "runtime/shards/lineage.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "runtime/shards/shard_header.hpp"
#include "tests/runtime/shards/shard_scene.hpp"

namespace xorloom {
namespace {

using Locations = std::vector<std::size_t>;

std::uint64_t generation(std::uint64_t count) { return count << 32 | 7; }

}  // namespace

TEST_CASE("A lineage begins with a change, and has what came before") {
  const Lineage first = next_lineage(std::nullopt, 3, 0);
  CHECK(first.base == 3);
  CHECK(first.has(3));
  CHECK(!first.has(2));
  const Lineage second = next_lineage(first, generation(4), 0);
  CHECK(second.recent == std::vector{generation(4)});
  CHECK(second.has(3));
  CHECK(!second.has(generation(5)));
}

TEST_CASE("The generation that was the last for some location is kept, whatever follows") {
  Lineage lineage = next_lineage(std::nullopt, 3, 0);
  const std::uint64_t without_two = presence(Locations{1, 1, 0, 1});
  CHECK(without_two != presence(Locations{1, 1, 1, 0}));
  CHECK(without_two != presence(Locations{1, 1, 0, 2}));
  lineage = next_lineage(lineage, generation(4), without_two);  // 2 has generation 4
  for (std::uint64_t count = 5; count < 700; ++count) {
    lineage = next_lineage(lineage, generation(count), without_two);
  }
  CHECK(lineage.has(3));
  CHECK(lineage.has(generation(4)));
  CHECK(!lineage.has(generation(100)));
  CHECK(lineage.has(generation(699)));
  CHECK(lineage.recent.size() == 448);
  for (std::uint64_t count = 700; count < 900; ++count) {
    lineage = next_lineage(lineage, generation(count), presence(Locations{count}));
  }
  CHECK(lineage.parted.size() == 59);
  CHECK(lineage_text(lineage, {}, generation(900)).size() == kLineageBytes);
  CHECK(read_lineage(lineage_text(lineage, {}, generation(900)), {}, generation(900)) == lineage);
}

TEST_CASE("A lineage is read as it was written, by its own set and generation alone") {
  const SetId set = test::small_header().set;
  SetId other = set;
  other.bytes[3] ^= 1;
  Lineage lineage = next_lineage(std::nullopt, 3, 0);
  lineage = next_lineage(lineage, generation(4), presence(Locations{1, 2}));
  lineage.recoded = generation(4);
  lineage = next_lineage(lineage, generation(5), presence(Locations{1, 2}));
  const std::vector<std::uint8_t> text = lineage_text(lineage, set, generation(6));
  CHECK(read_lineage(text, set, generation(6)) == lineage);
  CHECK(!read_lineage(text, other, generation(6)));
  CHECK(!read_lineage(text, set, generation(7)));
  CHECK(!read_lineage(std::span(text).first(kLineageBytes - 1), set, generation(6)));
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::vector<std::uint8_t> flipped = text;
    flipped[i] ^= 0x20;
    CHECK(!read_lineage(flipped, set, generation(6)));
  }
}

TEST_CASE("What came before is told by the lineage, and by counts where there is none") {
  ShardHeader header = test::small_header();
  header.generation = 3;
  ShardHeader older = header;
  older.generation = 2;
  CHECK(came_before(older, header));
  CHECK(!came_before(header, header));
  const ShardHeader one = next_generation(header, {});
  const ShardHeader other = next_generation(header, {});
  CHECK(one.lineage->base == 3);
  CHECK(came_before(header, one));
  CHECK(came_before(older, one));
  CHECK(!came_before(one, other));
  const ShardHeader later = next_generation(one, {});
  CHECK(came_before(one, later));
  CHECK(!came_before(other, later));
  // Without a lineage: a change that an earlier program made.
  ShardHeader old = header;
  old.is_changed = true;
  old.generation = std::uint64_t{9} << 32;
  CHECK(came_before(header, old));
  CHECK(!came_before(one, old));
  CHECK(!came_before(old, one));
  CHECK(generation_count(next_generation(one, {}, 9)) == 10);
}

}  // namespace xorloom
