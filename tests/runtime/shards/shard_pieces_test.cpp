#include "runtime/shards/shard_pieces.hpp"

#include <doctest/doctest.h>

#include <numeric>
#include <vector>

namespace xorloom {
namespace {

using Numbers = std::vector<std::uint32_t>;
using Ranges = std::vector<ByteRange>;

std::vector<std::uint8_t> counted(std::size_t size) {
  std::vector<std::uint8_t> bytes(size);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{0});
  return bytes;
}

}  // namespace

TEST_CASE("Contiguous pieces are the parts of a payload, one after the other") {
  const PieceLayout layout = piece_layout({4, 0}, 40);
  CHECK(layout.unit_bytes == 10);
  CHECK(layout.super_blocks == 1);
  CHECK(layout.piece_bytes() == 10);
  CHECK(ranges_of(layout, Numbers{}) == Ranges{});
  CHECK(ranges_of(layout, Numbers{0}) == Ranges{{0, 10}});
  CHECK(ranges_of(layout, Numbers{3}) == Ranges{{30, 10}});
  CHECK(ranges_of(layout, Numbers{0, 1, 3}) == Ranges{{0, 20}, {30, 10}});
  CHECK(ranges_of(layout, Numbers{0, 2}) == Ranges{{0, 10}, {20, 10}});
  CHECK(ranges_of(layout, all_pieces({4, 0})) == Ranges{{0, 40}});
}

TEST_CASE("Pieces in units take turns, and what follows one another is one range") {
  const PieceLayout layout = piece_layout({3, 4}, 24);
  CHECK(layout.unit_bytes == 4);
  CHECK(layout.super_blocks == 2);
  CHECK(layout.piece_bytes() == 8);
  CHECK(ranges_of(layout, Numbers{0}) == Ranges{{0, 4}, {12, 4}});
  CHECK(ranges_of(layout, Numbers{1, 2}) == Ranges{{4, 8}, {16, 8}});
  CHECK(ranges_of(layout, Numbers{0, 2}) == Ranges{{0, 4}, {8, 8}, {20, 4}});
  CHECK(ranges_of(layout, all_pieces({3, 4})) == Ranges{{0, 24}});
}

TEST_CASE("Bytes lie in the pieces whose ranges they meet") {
  const auto pieces = [](const Pieces& how, const Ranges& ranges) {
    return pieces_at(piece_layout(how, 24), ranges);
  };
  for (const Pieces& how : {Pieces{3, 0}, Pieces{3, 4}, Pieces{3, 8}, Pieces{24, 0}}) {
    const PieceLayout layout = piece_layout(how, 24);
    CHECK(pieces(how, {}) == Numbers{});
    CHECK(pieces(how, {{0, 24}}) == all_pieces(how));
    for (std::size_t first = 0; first < 24; ++first) {
      for (std::size_t last = first; last < 24; ++last) {
        Numbers expected;
        for (std::uint32_t piece = 0; piece < how.number; ++piece) {
          bool meets = false;
          for (const ByteRange& range : ranges_of(layout, Numbers{piece})) {
            meets |= range.offset <= last && first < range.offset + range.bytes;
          }
          if (meets) expected.push_back(piece);
        }
        CHECK(pieces(how, {{first, last - first + 1}}) == expected);
      }
    }
  }
  CHECK(pieces({3, 4}, {{0, 1}, {23, 1}}) == Numbers{0, 2});
  CHECK(pieces({3, 4}, {{5, 0}}) == Numbers{});
}

TEST_CASE("A piece is copied and compared without the others") {
  for (const Pieces& pieces : {Pieces{3, 0}, Pieces{3, 4}, Pieces{3, 8}}) {
    const PieceLayout layout = piece_layout(pieces, 24);
    const std::vector<std::uint8_t> from = counted(24);
    std::vector<std::vector<std::uint8_t>> parts;
    for (std::uint32_t piece = 0; piece < 3; ++piece) {
      std::vector<std::uint8_t> to(24, 0xff);
      copy_piece(layout, piece, from, to);
      CHECK(is_same_piece(layout, piece, from, to));
      CHECK(!is_same_piece(layout, (piece + 1) % 3, from, to));
      std::vector<bool> is_in(24);
      for (const ByteRange& range : ranges_of(layout, Numbers{piece})) {
        for (std::size_t i = 0; i < range.bytes; ++i) is_in[range.offset + i] = true;
      }
      for (std::size_t i = 0; i < 24; ++i) {
        CAPTURE(i);
        CHECK(to[i] == (is_in[i] ? from[i] : 0xff));
        std::vector<std::uint8_t> changed = from;
        changed[i] = 0xee;
        CHECK(is_same_piece(layout, piece, from, changed) == !is_in[i]);
      }
    }
  }
}

}  // namespace xorloom
