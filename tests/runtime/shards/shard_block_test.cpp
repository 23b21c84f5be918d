#include "runtime/shards/shard_block.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "runtime/shards/shard_pieces.hpp"
#include "tests/runtime/shards/shard_scene.hpp"

namespace xorloom {
namespace {

using test::from_hex;
using test::text_of;

ShardHeader block_example() {
  ShardHeader header;
  for (std::size_t i = 0; i < SetId::kBytes; ++i)
    header.set.bytes[i] = static_cast<std::uint8_t>(i);
  header.generation = 0x0102030405060708;
  header.location = 2;
  header.locations = 6;
  return header;
}

std::vector<std::uint8_t> payload_of(std::size_t size) {
  std::vector<std::uint8_t> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(7 * i + 3);
  return bytes;
}

}  // namespace

TEST_CASE("A frame has the bytes the format says") {
  // Block 3 of location 2 by an independent program: libxxhash 0.8.1 over the set id, the
  // generation, the location and the number of the block as 8 bytes each, and the payload 3, 10,
  // 17, ….
  const Frame frame = block_frame(block_example(), 3, payload_of(64));
  CHECK(text_of(frame) == from_hex("e2 e8 9b 51 bd 53 20 e5 08 07 06 05 04 03 02 01"));
  CHECK(check_block(block_example(), 3, frame, payload_of(64)) == BlockState::kGood);
}

TEST_CASE("Payloads of any size are good behind their frame") {
  for (const std::size_t size : {1U, 2U, 3U, 63U, 64U, 65U, 1023U, 1024U, 1025U, 65520U}) {
    const std::vector<std::uint8_t> payload = payload_of(size);
    const Frame frame = block_frame(block_example(), 0, payload);
    CAPTURE(size);
    CHECK(check_block(block_example(), 0, frame, payload) == BlockState::kGood);
    CHECK(check_block(block_example(), 0, frame, std::span(payload).first(size - 1)) ==
          BlockState::kDamaged);
  }
}

TEST_CASE("A block with any bit flipped is damaged, in its frame and in its payload") {
  const std::vector<std::uint8_t> payload = payload_of(33);
  const Frame frame = block_frame(block_example(), 3, payload);
  for (std::size_t bit = 0; bit < 8 * frame.size(); ++bit) {
    Frame flipped = frame;
    flipped[bit / 8] = static_cast<std::uint8_t>(flipped[bit / 8] ^ 1U << bit % 8);
    CAPTURE(bit);
    CHECK(check_block(block_example(), 3, flipped, payload) == BlockState::kDamaged);
  }
  for (std::size_t bit = 0; bit < 8 * payload.size(); ++bit) {
    std::vector<std::uint8_t> flipped = payload;
    flipped[bit / 8] = static_cast<std::uint8_t>(flipped[bit / 8] ^ 1U << bit % 8);
    CAPTURE(bit);
    CHECK(check_block(block_example(), 3, frame, flipped) == BlockState::kDamaged);
  }
}

TEST_CASE("A block in another place, of another location or another set is damaged") {
  const std::vector<std::uint8_t> payload = payload_of(64);
  const Frame frame = block_frame(block_example(), 3, payload);
  for (const std::uint64_t block : {0U, 2U, 4U}) {
    CHECK(check_block(block_example(), block, frame, payload) == BlockState::kDamaged);
  }
  CHECK(check_block(block_example(), 3 + (std::uint64_t{1} << 32), frame, payload) ==
        BlockState::kDamaged);
  ShardHeader other = block_example();
  other.location = 3;
  CHECK(check_block(other, 3, frame, payload) == BlockState::kDamaged);
  // Location and number do not stand for one another.
  CHECK(check_block(other, 2, frame, payload) == BlockState::kDamaged);
  for (std::size_t i = 0; i < SetId::kBytes; ++i) {
    other = block_example();
    other.set.bytes[i] = static_cast<std::uint8_t>(other.set.bytes[i] ^ 1);
    CHECK(check_block(other, 3, frame, payload) == BlockState::kDamaged);
  }
}

TEST_CASE("A whole block of another generation is stale, and a damaged one is damaged") {
  const std::vector<std::uint8_t> payload = payload_of(64);
  for (const std::uint64_t generation : {std::uint64_t{1}, block_example().generation - 1,
                                         block_example().generation + 1, ~std::uint64_t{0}}) {
    ShardHeader other = block_example();
    other.generation = generation;
    Frame frame = block_frame(other, 3, payload);
    CAPTURE(generation);
    CHECK(check_block(block_example(), 3, frame, payload) == BlockState::kStale);
    CHECK(check_block(other, 3, frame, payload) == BlockState::kGood);
    frame[0] = static_cast<std::uint8_t>(frame[0] ^ 1);
    CHECK(check_block(block_example(), 3, frame, payload) == BlockState::kDamaged);
  }
}

TEST_CASE("What is not part of a block's place is not covered") {
  const std::vector<std::uint8_t> payload = payload_of(64);
  ShardHeader other = block_example();
  other.file_bytes = 12345;
  other.spec = "another";
  CHECK(block_frame(other, 3, payload) == block_frame(block_example(), 3, payload));
}

TEST_CASE("Zeros are no block") {
  const std::vector<std::uint8_t> payload(64);
  CHECK(check_block(block_example(), 0, Frame(kFrameBytes), payload) == BlockState::kDamaged);
}

namespace {

/// The example with blocks in pieces.
ShardHeader in_pieces(const Pieces& pieces) {
  ShardHeader header = block_example();
  header.pieces = pieces;
  return header;
}

const std::vector<Pieces> kPieces = {{3, 0}, {3, 4}, {3, 8}, {24, 0}, {2, 1}};

}  // namespace

TEST_CASE("The frame of a block in pieces has the bytes the format says") {
  // By the independent program above: a piece's checksum is over the place of its block, its number
  // as 8 bytes, and its bytes; the frame's over the place and the checksums of the pieces.
  const Frame contiguous = block_frame(in_pieces({3, 0}), 3, payload_of(24));
  CHECK(text_of(contiguous) ==
        from_hex("30 64 7a 8c 3d 47 4a 0c 08 07 06 05 04 03 02 01 39 07 9c e2 3c 0d ea cf "
                 "ed 47 e1 2d d2 6a a3 54 4e 3e f3 0e 2e 6c b0 f7"));
  const Frame in_turn = block_frame(in_pieces({3, 4}), 3, payload_of(24));
  CHECK(text_of(in_turn) ==
        from_hex("56 4b ca 03 09 0a a0 43 08 07 06 05 04 03 02 01 bc db c6 7e 70 e7 be 87 "
                 "58 17 d0 d3 79 cb f8 82 4e 6d 1d ff 3c 3c 5a 38"));
}

TEST_CASE(
    "Of a block in pieces any bit flipped in the frame spoils all, and in a piece that piece") {
  const std::vector<std::uint8_t> payload = payload_of(24);
  for (const Pieces& pieces : kPieces) {
    const ShardHeader header = in_pieces(pieces);
    const PieceLayout layout = piece_layout(pieces, payload.size());
    const Frame frame = block_frame(header, 3, payload);
    CAPTURE(pieces.number);
    CAPTURE(pieces.unit_bytes);
    REQUIRE(frame.size() == 16 + 8 * pieces.number);
    CHECK(check_block(header, 3, frame, payload) == BlockState::kGood);
    for (std::size_t bit = 0; bit < 8 * frame.size(); ++bit) {
      Frame flipped = frame;
      flipped[bit / 8] = static_cast<std::uint8_t>(flipped[bit / 8] ^ 1U << bit % 8);
      CAPTURE(bit);
      CHECK(check_frame(header, 3, flipped) == BlockState::kDamaged);
      CHECK(check_block(header, 3, flipped, payload) == BlockState::kDamaged);
    }
    for (std::size_t bit = 0; bit < 8 * payload.size(); ++bit) {
      std::vector<std::uint8_t> flipped = payload;
      flipped[bit / 8] = static_cast<std::uint8_t>(flipped[bit / 8] ^ 1U << bit % 8);
      CAPTURE(bit);
      CHECK(check_block(header, 3, frame, flipped) == BlockState::kDamaged);
      for (std::uint32_t piece = 0; piece < pieces.number; ++piece) {
        const bool is_hit = !is_same_piece(layout, piece, payload, flipped);
        CHECK(is_piece_good(header, 3, piece, frame, flipped) == !is_hit);
      }
    }
  }
}

TEST_CASE("Pieces that changed places, or came from another block, are not good") {
  const ShardHeader header = in_pieces({3, 0});
  const std::vector<std::uint8_t> same(24, 7);  // so that the bytes of all pieces are the same
  const Frame frame = block_frame(header, 3, same);
  for (std::uint32_t piece = 0; piece < 3; ++piece) {
    CHECK(is_piece_good(header, 3, piece, frame, same));
    Frame swapped = frame;
    std::swap_ranges(swapped.begin() + 16 + 8 * piece, swapped.begin() + 24 + 8 * piece,
                     swapped.begin() + 16 + 8 * ((piece + 1) % 3));
    CHECK(check_frame(header, 3, swapped) == BlockState::kDamaged);
    CHECK(!is_piece_good(header, 3, piece, swapped, same));
    for (const std::uint64_t block : {0U, 2U, 4U}) {
      CHECK(!is_piece_good(header, block, piece, frame, same));
      CHECK(check_frame(header, block, frame) == BlockState::kDamaged);
    }
    ShardHeader other = header;
    other.location = 3;
    CHECK(!is_piece_good(other, 3, piece, frame, same));
    CHECK(check_frame(other, 3, frame) == BlockState::kDamaged);
    other = header;
    other.set.bytes[7] = 0;
    CHECK(!is_piece_good(other, 3, piece, frame, same));
    CHECK(check_frame(other, 3, frame) == BlockState::kDamaged);
  }
}

TEST_CASE("A block in pieces of another generation is stale, and none of its pieces is good") {
  const std::vector<std::uint8_t> payload = payload_of(24);
  ShardHeader older = in_pieces({3, 4});
  older.generation = 1;
  const Frame frame = block_frame(older, 3, payload);
  const ShardHeader header = in_pieces({3, 4});
  CHECK(check_frame(header, 3, frame) == BlockState::kStale);
  CHECK(check_block(header, 3, frame, payload) == BlockState::kStale);
  for (std::uint32_t piece = 0; piece < 3; ++piece) {
    CHECK(!is_piece_good(header, 3, piece, frame, payload));
  }
}

}  // namespace xorloom
