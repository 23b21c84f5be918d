#include "runtime/shards/range_reading.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "runtime/shards/shard_pieces.hpp"

namespace xorloom {

RangeReader::RangeReader(const OpenedSet& set, const FileRange& range)
    : set_(&set),
      begin_(std::min(range.begin, set.header().file_bytes)),
      end_(std::clamp(range.end, begin_, set.header().file_bytes)) {}

std::uint64_t RangeReader::bytes(std::uint64_t stripe) const {
  const std::uint64_t first = stripe * set_->header().stripe_bytes;
  const std::uint64_t last = first + stripe_file_bytes(set_->header(), stripe);
  return std::min(last, end_) - std::max(first, begin_);
}

StripeRange RangeReader::stripes() const {
  if (begin_ == end_) return {0, 0};
  const std::uint64_t stripe_bytes = set_->header().stripe_bytes;
  return {begin_ / stripe_bytes, (end_ - 1) / stripe_bytes + 1};
}

bool RangeReader::is_whole(std::uint64_t stripe) const {
  return bytes(stripe) == stripe_file_bytes(set_->header(), stripe);
}

/// The parts of a stripe's chunks that hold bytes of the range.
std::vector<UserPart> RangeReader::parts(std::uint64_t stripe) const {
  const std::uint64_t first = stripe * set_->header().stripe_bytes;
  const std::uint64_t begin = std::max(first, begin_) - first;
  return user_parts(set_->code(), payload_bytes(set_->header(), stripe), begin,
                    begin + bytes(stripe));
}

StripeReading RangeReader::read(std::uint64_t stripe, Rebuild rebuild, StripeBuffer& buffer) const {
  if (is_whole(stripe)) {
    return read_stripe(*set_, stripe, set_->data_locations(stripe), rebuild, buffer);
  }
  std::map<std::size_t, std::vector<ByteRange>> ranges;
  for (const UserPart& part : parts(stripe)) {
    ranges[part.location].push_back({part.offset, part.bytes});
  }
  const ShardHeader& header = set_->header();
  std::vector<std::size_t> locations;
  WantedUnits pieces;
  for (const auto& [location, of_location] : ranges) {
    locations.push_back(location);
    if (header.pieces.number == 0) continue;
    const PieceLayout layout = piece_layout(header.pieces, payload_bytes(header, stripe));
    pieces.push_back(pieces_at(layout, of_location));
  }
  return read_stripe(*set_, stripe, locations, rebuild, buffer, pieces);
}

StripeReading RangeReader::salvage(std::uint64_t stripe, StripeBuffer& buffer) const {
  const std::vector<UserPart> all = parts(stripe);
  std::set<std::size_t> locations;
  for (const UserPart& part : all) locations.insert(part.location);
  StripeReading reading =
      salvage_stripe(*set_, stripe, {locations.begin(), locations.end()}, buffer);
  for (const std::size_t location : reading.not_had) {
    std::ranges::fill(buffer.chunk(location), std::uint8_t{0});
  }
  std::uint64_t at = file_bytes(stripe).begin;
  for (const UserPart& part : all) {
    if (std::ranges::binary_search(reading.not_had, part.location)) {
      reading.lost_bytes.push_back({at, at + part.bytes});
    }
    at += part.bytes;
  }
  return reading;
}

std::span<const std::uint8_t> RangeReader::collect(std::uint64_t stripe, StripeBuffer& buffer,
                                                   std::vector<std::uint8_t>& part) const {
  if (is_whole(stripe)) {
    buffer.collect(bytes(stripe));
    return buffer.user_bytes().first(bytes(stripe));
  }
  part.clear();
  for (const UserPart& from : parts(stripe)) {
    const auto bytes = buffer.chunk(from.location).subspan(from.offset, from.bytes);
    part.insert(part.end(), bytes.begin(), bytes.end());
  }
  return part;
}

}  // namespace xorloom
