#include "runtime/shards/block_reading.hpp"

#include <algorithm>
#include <array>

#include "runtime/shards/shard_pieces.hpp"

namespace xorloom {

const char* to_string(BlockFault fault) {
  constexpr std::array kNames = {"damaged",
                                 "of another generation",
                                 "unreadable",
                                 "missing",
                                 "contradicted by another copy",
                                 "left behind by a lost write",
                                 "wrong by the rest of the stripe"};
  return kNames[static_cast<std::size_t>(fault)];
}

void name_copies(const OpenedSet& set, std::size_t location, BlockFault fault, BlocksRead& result) {
  for (const std::size_t copy : set.copies(location)) {
    const bool is_named = std::ranges::find(result.bad, copy, &BadBlock::shard) != result.bad.end();
    if (!is_named) result.bad.push_back({copy, fault});
  }
}

BlockReader::BlockReader(const OpenedSet& set, std::size_t location, std::uint64_t stripe)
    : set_(&set),
      stripe_(stripe),
      is_distrusted_(set.is_distrusted(stripe, location)),
      has_piece_(std::max(set.header().pieces.number, 1U)) {
  for (const std::size_t shard : set.copies(location)) copies_.emplace_back().shard = shard;
}

bool BlockReader::read(std::span<std::uint8_t> chunk, BlocksRead& result) {
  return read(all_pieces(set_->header().pieces), chunk, result);
}

bool BlockReader::read(std::span<const std::uint32_t> pieces, std::span<std::uint8_t> chunk,
                       BlocksRead& result) {
  if (is_distrusted_) {
    for (Copy& copy : copies_) name(copy, BlockFault::kWrong, result);
    return false;
  }
  if (set_->header().pieces.number == 0) return has_piece_[0] || read_block(chunk, result);
  std::vector<std::uint32_t> missing;
  std::ranges::copy_if(pieces, std::back_inserter(missing),
                       [&](std::uint32_t piece) { return !has_piece_[piece]; });
  return missing.empty() || read_pieces(missing, chunk, result);
}

const ShardHeader& BlockReader::header_of(const Copy& copy) const {
  return set_->set().shards[copy.shard].header;
}

void BlockReader::name(Copy& copy, BlockFault fault, BlocksRead& result) const {
  if (!copy.is_named) result.bad.push_back({copy.shard, fault});
  copy.is_named = true;
}

/// Reads `bytes` and `more` of a copy, from `offset` in its block on. Gives up a copy that fails.
bool BlockReader::read_bytes(Copy& copy, std::uint64_t offset, std::span<std::uint8_t> bytes,
                             std::span<std::uint8_t> more, BlocksRead& result) const {
  const ShardFile& shard = set_->set().shards[copy.shard];
  const int error = shard.read_block(stripe_, offset, bytes, more);
  if (error != 0) {
    name(copy, error < 0 ? BlockFault::kMissing : BlockFault::kUnreadable, result);
    copy.is_used = false;
    return false;
  }
  result.bytes_read += bytes.size() + more.size();
  if (!copy.is_counted) result.shards.push_back(copy.shard);
  copy.is_counted = true;
  return true;
}

/// True if `state`, of a block or its frame, is good. Else names the copy bad and gives it up.
bool BlockReader::is_good(Copy& copy, BlockState state, BlocksRead& result) const {
  if (state == BlockState::kGood) return true;
  name(copy, state == BlockState::kStale ? BlockFault::kStale : BlockFault::kDamaged, result);
  copy.is_used = false;
  return false;
}

std::uint64_t BlockReader::rank_of(std::uint64_t stamp) const {
  return stamp_rank(set_->header(), stamp);
}

bool BlockReader::has_stamp(std::uint64_t stamp, BlocksRead& result) const {
  bool is_there = false;
  for (const Copy& copy : copies_) {
    Frame frame(kFrameBytes);
    if (set_->set().shards[copy.shard].read_block(stripe_, 0, frame) != 0) continue;
    result.bytes_read += frame.size();
    if (stamp_of(frame) != stamp) return false;
    is_there = true;
  }
  return is_there;
}

/// True if a copy has an earlier stamp than another had; then it is given up. If its stamp is later
/// than all before, the earlier copies are given up, and the chunk counts as unread.
bool BlockReader::is_outdated(Copy& copy, std::uint64_t stamp, BlocksRead& result) {
  copy.stamp = stamp;
  const std::uint64_t rank = rank_of(stamp);
  if (rank > rank_of(stamp_)) {
    for (Copy& other : copies_) {
      if (other.stamp == 0 || rank_of(other.stamp) == rank) continue;
      name(other, BlockFault::kLostWrite, result);
      other.is_used = false;
    }
    std::fill(has_piece_.begin(), has_piece_.end(), false);
  }
  if (rank < rank_of(stamp_)) {
    name(copy, BlockFault::kLostWrite, result);
    copy.is_used = false;
    return true;
  }
  stamp_ = std::max(stamp_, stamp);
  return false;
}

/// Reads every copy of a block without pieces. True if `chunk` has what all good copies agree on.
bool BlockReader::read_block(std::span<std::uint8_t> chunk, BlocksRead& result) {
  std::vector<std::uint8_t> other;
  bool is_contradicted = false;
  for (Copy& copy : copies_) {
    std::span<std::uint8_t> payload = chunk;
    const bool is_first = !has_piece_[0];
    if (!is_first) {
      other.resize(chunk.size());
      payload = other;
    }
    Frame frame(kFrameBytes);
    if (!read_bytes(copy, 0, frame, payload, result)) continue;
    if (!is_good(copy, check_block(header_of(copy), stripe_, frame, payload), result)) continue;
    if (is_outdated(copy, stamp_of(frame), result)) continue;
    if (!has_piece_[0]) is_contradicted = false;
    if (!has_piece_[0] && !is_first) std::ranges::copy(payload, chunk.begin());
    if (has_piece_[0] && !std::ranges::equal(payload, chunk)) is_contradicted = true;
    has_piece_[0] = true;
  }
  if (!is_contradicted) return has_piece_[0];
  for (Copy& copy : copies_) name(copy, BlockFault::kContradicted, result);
  has_piece_[0] = false;
  return false;
}

/// Reads the ranges that `pieces` lie in, and the frame before them if it was not read yet.
bool BlockReader::read_ranges(Copy& copy, std::span<const std::uint32_t> pieces,
                              std::span<std::uint8_t> payload, BlocksRead& result) const {
  const ShardHeader& header = header_of(copy);
  const PieceLayout layout = piece_layout(header.pieces, payload.size());
  Frame frame;
  if (copy.frame.empty()) frame.resize(frame_bytes(header));
  bool is_frame_read = frame.empty();
  for (const ByteRange& range : ranges_of(layout, pieces)) {
    const std::span<std::uint8_t> bytes = payload.subspan(range.offset, range.bytes);
    const bool follows_frame = !is_frame_read && range.offset == 0;
    if (!is_frame_read &&
        !read_bytes(copy, 0, frame, follows_frame ? bytes : std::span<std::uint8_t>{}, result)) {
      return false;
    }
    if (!is_frame_read && !is_good(copy, check_frame(header, stripe_, frame), result)) return false;
    is_frame_read = true;
    if (follows_frame) continue;
    if (!read_bytes(copy, frame_bytes(header) + range.offset, bytes, {}, result)) return false;
  }
  if (!frame.empty()) copy.frame = std::move(frame);
  return true;
}

/// Reads pieces that `chunk` does not have yet, from every copy.
bool BlockReader::read_pieces(std::span<const std::uint32_t> pieces, std::span<std::uint8_t> chunk,
                              BlocksRead& result) {
  const PieceLayout layout = piece_layout(set_->header().pieces, chunk.size());
  std::vector<bool> is_there(layout.number);  // pieces that this call has brought into the chunk
  std::size_t num_there = 0;
  std::vector<std::uint8_t> other;
  bool is_contradicted = false;
  for (Copy& copy : copies_) {
    if (!copy.is_used) continue;
    const bool is_first = num_there == 0;
    if (!is_first) other.resize(chunk.size());
    const std::span<std::uint8_t> payload = is_first ? chunk : std::span(other);
    if (!read_ranges(copy, pieces, payload, result)) continue;
    const std::uint64_t before = stamp_;
    if (is_outdated(copy, stamp_of(copy.frame), result)) continue;
    if (rank_of(stamp_) > rank_of(before)) {
      is_there.assign(layout.number, false);
      num_there = 0;
      is_contradicted = false;
    }
    for (const std::uint32_t piece : pieces) {
      if (!is_piece_good(header_of(copy), stripe_, piece, copy.frame, payload)) {
        name(copy, BlockFault::kDamaged, result);
        continue;
      }
      if (is_there[piece]) {
        if (!is_same_piece(layout, piece, payload, chunk)) is_contradicted = true;
        continue;
      }
      if (!is_first) copy_piece(layout, piece, payload, chunk);
      is_there[piece] = true;
      ++num_there;
    }
  }
  if (is_contradicted) {
    for (Copy& copy : copies_) name(copy, BlockFault::kContradicted, result);
    return false;
  }
  for (const std::uint32_t piece : pieces) has_piece_[piece] = is_there[piece];
  return num_there == pieces.size();
}

}  // namespace xorloom
