#include "runtime/stripe_reading.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include "codes/error.hpp"
#include "runtime/shard_block.hpp"

namespace xorloom {
namespace {

using Locations = std::vector<std::size_t>;

/// Reads one copy of a block. None if it is good.
std::optional<BlockFault> read_copy(const ShardFile& shard, std::uint64_t block,
                                    std::span<std::uint8_t> payload, StripeReading& reading) {
  Frame frame{};
  const int error = shard.file.read_at(block_offset(shard.header, block), frame, payload);
  if (error < 0) return BlockFault::kMissing;
  if (error > 0) return BlockFault::kUnreadable;
  reading.bytes_read += frame.size() + payload.size();
  switch (check_block(shard.header, block, frame, payload)) {
    case BlockState::kGood:
      return std::nullopt;
    case BlockState::kStale:
      return BlockFault::kStale;
    case BlockState::kDamaged:
      break;
  }
  return BlockFault::kDamaged;
}

/// Reads every copy of a location's block; the chunk is the one that all good ones agree on. False,
/// and the location is lost, if there is none.
bool read_location(const OpenedSet& set, std::size_t location, StripeBuffer& buffer,
                   StripeReading& reading) {
  const auto& shards = set.set().shards;
  std::vector<std::size_t> good;
  std::vector<std::uint8_t> other;
  bool is_contradicted = false;
  for (const std::size_t copy : set.copies(location)) {
    std::span<std::uint8_t> payload = buffer.chunk(location);
    if (!good.empty()) {
      other.resize(payload.size());
      payload = other;
    }
    if (const auto fault = read_copy(shards[copy], reading.stripe, payload, reading)) {
      reading.bad.push_back({copy, *fault});
      continue;
    }
    if (!good.empty() && !std::ranges::equal(payload, buffer.chunk(location))) {
      is_contradicted = true;
    }
    good.push_back(copy);
  }
  if (is_contradicted) {
    for (const std::size_t copy : good) reading.bad.push_back({copy, BlockFault::kContradicted});
  }
  if (!good.empty() && !is_contradicted) return true;
  const auto place = std::ranges::lower_bound(reading.lost, location);
  if (place == reading.lost.end() || *place != location) reading.lost.insert(place, location);
  return false;
}

StripeReading begin_reading(const OpenedSet& set, std::uint64_t stripe, StripeBuffer& buffer) {
  buffer.set_chunk_bytes(payload_bytes(set.header(), stripe));
  StripeReading reading;
  reading.stripe = stripe;
  std::ranges::set_difference(set.missing(), set.zeros(stripe), std::back_inserter(reading.lost));
  return reading;
}

}  // namespace

const char* to_string(BlockFault fault) {
  constexpr std::array kNames = {"damaged", "of another generation", "unreadable", "missing",
                                 "contradicted by another copy"};
  return kNames[static_cast<std::size_t>(fault)];
}

StripeReading read_stripe(const OpenedSet& set, std::uint64_t stripe, const Locations& wanted,
                          Rebuild rebuild, StripeBuffer& buffer) {
  StripeReading reading = begin_reading(set, stripe, buffer);
  std::vector<bool> is_read(set.code().locations);
  for (const std::size_t location : set.zeros(stripe)) {
    std::ranges::fill(buffer.chunk(location), std::uint8_t{0});
    is_read[location] = true;
  }
  std::optional<Plan> plan;
  for (bool is_settled = false; !is_settled;) {
    Locations needed;
    Locations rebuilt;
    std::ranges::set_difference(wanted, reading.lost, std::back_inserter(needed));
    std::ranges::set_intersection(wanted, reading.lost, std::back_inserter(rebuilt));
    plan.reset();
    if (!rebuilt.empty()) {
      plan = set.plan(reading.lost, rebuilt);
      if (!plan) {
        reading.is_recovered = false;
        return reading;
      }
      needed.insert(needed.end(), plan->reads().begin(), plan->reads().end());
    }
    is_settled = true;
    for (const std::size_t location : needed) {
      if (is_read[location]) continue;
      is_read[location] = true;
      if (!read_location(set, location, buffer, reading)) is_settled = false;
    }
  }
  if (plan && rebuild == Rebuild::kYes &&
      plan->run(buffer.chunks(), buffer.chunk_bytes()) != Status::kOk) {
    fail(Status::kInternal, last_error());
  }
  return reading;
}

StripeReading scrub_stripe(const OpenedSet& set, std::uint64_t stripe, StripeBuffer& buffer) {
  StripeReading reading = begin_reading(set, stripe, buffer);
  for (std::size_t location = 0; location < set.code().locations; ++location) {
    if (!set.copies(location).empty()) read_location(set, location, buffer, reading);
  }
  for (const std::size_t location : set.zeros(stripe)) std::erase(reading.lost, location);
  reading.is_recovered = reading.lost.empty() || set.can_rebuild(reading.lost);
  return reading;
}

}  // namespace xorloom
