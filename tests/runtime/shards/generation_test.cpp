#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "codes/text/error.hpp"
#include "runtime/shards/shard_block.hpp"
#include "runtime/shards/shard_header.hpp"
#include "tests/runtime/shards/shard_scene.hpp"

namespace xorloom {
namespace {

ShardHeader generation_example() {
  ShardHeader header = test::small_header();
  header.generation = 3;
  header.block_bytes = 24;  // pieces of 4 bytes cut it evenly
  header.last_block_bytes = 12;
  header.stripe_bytes = 96;
  return header;
}

}  // namespace

TEST_CASE("A change in place raises the count of a generation and sets a flag to be known") {
  ShardHeader header = generation_example();
  CHECK(generation_count(header) == 3);
  CHECK(generation_text(header) == "3");
  const ShardHeader changed = next_generation(header, {});
  const std::uint64_t count = changed.generation >> 32;
  CHECK(count == 4);
  CHECK(generation_count(changed) == 4);
  CHECK(generation_text(changed).substr(0, 2) == "4-");
  CHECK(generation_text(changed).size() == 10);
  CHECK(generation_count(next_generation(changed, {})) == 5);
  const std::vector<std::uint8_t> text = header_text(changed);
  CHECK(text[16] == 6);
  CHECK(header_text(header)[16] == 0);
  CHECK(same_set(read_header(text).header, changed));
  CHECK(!read_header(text).header.lineage->is_known());
  CHECK(!same_set(header, changed));
  header.generation = 0xffffffff;
  CHECK_THROWS_AS(next_generation(header, {}), Error);
}

TEST_CASE("In a set that was changed in place, blocks of earlier generations are good") {
  const std::vector<std::uint8_t> payload(24, 7);
  for (const bool has_pieces : {false, true}) {
    ShardHeader before = generation_example();
    if (has_pieces) before.pieces = {3, 4};
    const ShardHeader after = next_generation(before, {});
    ShardHeader later = next_generation(after, {});
    const Frame old = block_frame(before, 3, payload);
    CHECK(check_block(after, 3, old, payload) == BlockState::kGood);
    CHECK(check_block(later, 3, old, payload) == BlockState::kGood);
    CHECK(check_block(after, 3, block_frame(later, 3, payload), payload) == BlockState::kStale);
    if (has_pieces) CHECK(is_piece_good(after, 3, 1, old, payload));
    later.is_changed = false;
    CHECK(check_block(later, 3, old, payload) == BlockState::kStale);
  }
}

TEST_CASE("A block that stays gets the stamp of its stripe's change, and is checked as before") {
  const std::vector<std::uint8_t> payload(24, 7);
  std::vector<std::uint8_t> other = payload;
  other[5] ^= 1;
  for (const bool has_pieces : {false, true}) {
    ShardHeader before = generation_example();
    if (has_pieces) before.pieces = {3, 4};
    const ShardHeader after = next_generation(before, {});
    const ShardHeader later = next_generation(after, {});
    const Frame old = block_frame(before, 3, payload);
    CHECK(stamp_rank(after, stamp_of(old)) == 0);
    const Frame once = restamped(after, old);
    CHECK(stamp_of(once) == after.generation);
    CHECK(stamp_rank(after, stamp_of(once)) == after.generation);
    CHECK(once == block_frame(after, 3, payload));
    CHECK(check_block(after, 3, once, payload) == BlockState::kGood);
    CHECK(check_block(after, 3, once, other) == BlockState::kDamaged);
    CHECK(check_block(after, 2, once, payload) == BlockState::kDamaged);
    CHECK(check_block(before, 3, once, payload) == BlockState::kDamaged);
    const Frame twice = restamped(later, once);
    CHECK(twice == block_frame(later, 3, payload));
    CHECK(restamped(later, old) == twice);
    CHECK(check_block(after, 3, twice, payload) == BlockState::kStale);
    // The stamp of one frame and the checksum of another make no frame.
    Frame mixed = twice;
    std::copy_n(once.begin(), 8, mixed.begin());
    CHECK(check_block(later, 3, mixed, payload) == BlockState::kDamaged);
  }
}

}  // namespace xorloom
