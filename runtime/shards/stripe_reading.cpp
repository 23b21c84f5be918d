#include "runtime/shards/stripe_reading.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <span>

#include "runtime/machine/last_error.hpp"
#include "runtime/plans/plan.hpp"

namespace xorloom {
namespace {

using Locations = std::vector<std::size_t>;

/// The chunks of a stripe as they are read.
class StripeReader {
 public:
  /// Fills the chunks that are known to be zeros.
  StripeReader(const OpenedSet& set, std::uint64_t stripe, StripeBuffer& buffer,
               StripeReading& reading)
      : set_(set), stripe_(stripe), buffer_(buffer), reading_(reading) {
    for (const std::size_t location : set.zeros(stripe)) {
      std::ranges::fill(buffer.chunk(location), std::uint8_t{0});
    }
  }

  /// Reads what is missing of a location's chunk, or of some pieces of it. False if the location
  /// turns out to be lost.
  bool read(std::size_t location) {
    return is_known(location) ||
           note(location, reader(location).read(buffer_.chunk(location), reading_));
  }
  bool read(std::size_t location, std::span<const std::uint32_t> pieces) {
    return is_known(location) ||
           note(location, reader(location).read(pieces, buffer_.chunk(location), reading_));
  }

  /// Reads a location's whole block, even if it is known to be zeros.
  void scrub(std::size_t location) {
    note(location, reader(location).read(buffer_.chunk(location), reading_));
  }

  /// True if all that was read is of one version of the stripe. If enough can be read, the stamps
  /// of more locations than the code may lose are compared: one of them is right. False: locations
  /// with earlier stamps count as lost from now on.
  bool agrees() {
    const ShardHeader& header = set_.header();
    reading_.stamp = header.generation;
    if (!header.lineage) return true;
    reading_.stamp = 0;
    for (const auto& [location, stamp] : stamps_) reading_.stamp = std::max(reading_.stamp, stamp);
    if (drop_outdated()) return false;
    while (stamps_.size() <= set_.code().promised_losses) {
      const std::optional<std::size_t> asked = ask_one_more();
      if (!asked) break;
      if (stamps_.at(*asked) == reading_.stamp) continue;
      reading_.stamp = std::max(reading_.stamp, stamps_.at(*asked));
      if (drop_outdated()) return false;
    }
    return true;
  }

 private:
  bool drop_outdated() {
    const ShardHeader& header = set_.header();
    const std::uint64_t right = stamp_rank(header, reading_.stamp);
    Locations outdated;
    for (const auto& [location, stamp] : stamps_) {
      if (stamp_rank(header, stamp) < right) outdated.push_back(location);
    }
    for (const std::size_t location : outdated) {
      name_copies(set_, location, BlockFault::kLostWrite, reading_);
      note(location, false);
    }
    return !outdated.empty();
  }

  /// Asks the next location that was not read for its stamp; nullopt if all were read or asked. A
  /// frame alone has no checksum: if its stamp differs from the one found, its block is read.
  std::optional<std::size_t> ask_one_more() {
    while (next_asked_ < set_.code().locations) {
      const std::size_t location = next_asked_++;
      if (is_known(location) || stamps_.contains(location)) continue;
      if (set_.copies(location).empty()) continue;
      const BlockReader& asked = reader(location);
      if (reading_.stamp != 0 && asked.has_stamp(reading_.stamp, reading_)) {
        stamps_[location] = reading_.stamp;
        return location;
      }
      if (read(location)) return location;
    }
    return std::nullopt;
  }

  bool is_known(std::size_t location) const {
    return std::ranges::binary_search(set_.zeros(stripe_), location) ||
           std::ranges::binary_search(reading_.lost, location);
  }

  BlockReader& reader(std::size_t location) {
    return readers_.try_emplace(location, set_, location, stripe_).first->second;
  }

  bool note(std::size_t location, bool is_read) {
    if (is_read) {
      stamps_[location] = reader(location).stamp();
      return true;
    }
    stamps_.erase(location);
    reading_.lost.insert(std::ranges::lower_bound(reading_.lost, location), location);
    return false;
  }

  const OpenedSet& set_;
  std::uint64_t stripe_;
  StripeBuffer& buffer_;
  StripeReading& reading_;
  std::map<std::size_t, BlockReader> readers_;
  std::map<std::size_t, std::uint64_t> stamps_;  ///< stamps of locations that were read or asked
                                                 ///< and are not lost
  std::size_t next_asked_ = 0;                   ///< next location to ask for its stamp
};

StripeReading begin_reading(const OpenedSet& set, std::uint64_t stripe, StripeBuffer& buffer) {
  buffer.set_chunk_bytes(payload_bytes(set.header(), stripe));
  StripeReading reading;
  reading.stripe = stripe;
  std::ranges::set_difference(set.missing(), set.zeros(stripe), std::back_inserter(reading.lost));
  return reading;
}

/// Locations that cost nothing to read, ascending: those known to be zeros, and those that are read
/// whole in any case.
Locations at_hand(const OpenedSet& set, std::uint64_t stripe,
                  const std::vector<std::size_t>& needed, const Locations& wanted,
                  const WantedUnits& pieces) {
  Locations locations = set.zeros(stripe);
  if (!pieces.empty()) return locations;
  for (const std::size_t i : needed) locations.push_back(wanted[i]);
  std::ranges::sort(locations);
  locations.erase(std::unique(locations.begin(), locations.end()), locations.end());
  return locations;
}

/// Encodes from the chunks that hold bytes of the file; the others' data are zeros.
void encode_anew(const OpenedSet& set, std::uint64_t stripe, StripeBuffer& buffer) {
  for (std::size_t location = 0; location < set.code().locations; ++location) {
    if (std::ranges::binary_search(set.data_locations(stripe), location)) continue;
    std::ranges::fill(buffer.chunk(location), std::uint8_t{0});
  }
  check_run(set.encoding_plan().run(buffer.chunks(), buffer.chunk_bytes()));
}

}  // namespace

StripeReading read_stripe(const OpenedSet& set, std::uint64_t stripe, const Locations& wanted,
                          Rebuild rebuild, StripeBuffer& buffer, const WantedUnits& pieces) {
  StripeReading reading = begin_reading(set, stripe, buffer);
  StripeReader reader(set, stripe, buffer, reading);
  std::optional<Plan> plan;
  bool encodes = false;  // read the data, and encode what is wanted from them
  const Locations* sought = &wanted;
  for (bool is_settled = false; !is_settled;) {
    std::vector<std::size_t> needed;  // indices into `sought`
    Locations rebuilt;
    WantedUnits rebuilt_pieces;
    for (std::size_t i = 0; i < sought->size(); ++i) {
      const std::size_t location = (*sought)[i];
      if (!std::ranges::binary_search(reading.lost, location)) {
        needed.push_back(i);
        continue;
      }
      rebuilt.push_back(location);
      if (!pieces.empty()) rebuilt_pieces.push_back(pieces[i]);
    }
    plan.reset();
    if (!rebuilt.empty()) {
      plan = set.plan(reading.lost, rebuilt, rebuilt_pieces,
                      at_hand(set, stripe, needed, *sought, pieces));
      if (!plan && !encodes && pieces.empty() && set.can_encode_anew(stripe, reading.lost)) {
        encodes = true;
        sought = &set.data_locations(stripe);
        continue;
      }
      if (!plan) {
        reading.is_recovered = false;
        return reading;
      }
    }
    is_settled = true;
    for (const std::size_t i : needed) {
      const std::size_t location = (*sought)[i];
      is_settled &= pieces.empty() ? reader.read(location) : reader.read(location, pieces[i]);
    }
    if (plan) {
      for (const std::size_t location : plan->reads()) {
        is_settled &= reader.read(location, plan->units_read(location));
      }
    }
    is_settled = is_settled && reader.agrees();
  }
  if (reading.stamp == 0) {  // nothing tells which stamp rebuilt blocks would have
    reading.is_recovered = false;
    return reading;
  }
  if (plan && rebuild == Rebuild::kYes) {
    check_run(plan->run(buffer.chunks(), buffer.chunk_bytes()));
  }
  if (encodes && rebuild == Rebuild::kYes) encode_anew(set, stripe, buffer);
  return reading;
}

StripeReading salvage_stripe(const OpenedSet& set, std::uint64_t stripe, const Locations& wanted,
                             StripeBuffer& buffer) {
  StripeReading all;
  all.stripe = stripe;
  // Each reading may bring damaged bytes into chunks of others, so what is good is kept apart.
  std::map<std::size_t, std::vector<std::uint8_t>> chunks;
  for (const std::size_t location : wanted) {
    StripeReading reading = read_stripe(set, stripe, {location}, Rebuild::kYes, buffer);
    if (reading.is_recovered) {
      const std::span<const std::uint8_t> chunk = buffer.chunk(location);
      chunks[location].assign(chunk.begin(), chunk.end());
    } else {
      all.not_had.push_back(location);
    }
    all.bytes_read += reading.bytes_read;
    for (const BadBlock& bad : reading.bad) {
      const bool is_known =
          std::ranges::find(all.bad, bad.shard, &BadBlock::shard) != all.bad.end();
      if (!is_known) all.bad.push_back(bad);
    }
    for (const std::size_t shard : reading.shards) {
      if (std::ranges::find(all.shards, shard) == all.shards.end()) all.shards.push_back(shard);
    }
    if (reading.lost.size() > all.lost.size()) all.lost = std::move(reading.lost);
    all.stamp = std::max(all.stamp, reading.stamp);
  }
  for (const auto& [location, chunk] : chunks) {
    std::ranges::copy(chunk, buffer.chunk(location).begin());
  }
  all.is_recovered = all.not_had.empty();
  return all;
}

StripeFrames read_frames(const OpenedSet& set, std::uint64_t stripe, BlocksRead& result) {
  StripeFrames all{std::vector<Frame>(set.code().locations),
                   std::vector<bool>(set.code().locations)};
  for (std::size_t location = 0; location < all.frames.size(); ++location) {
    Frame& first = all.frames[location];
    for (const std::size_t copy : set.copies(location)) {
      Frame frame(frame_bytes(set.header()));
      const bool is_read = set.set().shards[copy].read_block(stripe, 0, frame) == 0;
      if (is_read) result.bytes_read += frame.size();
      if (copy == set.copies(location).front()) {
        if (is_read) first = std::move(frame);
      } else if (!is_read || frame != first) {
        all.do_differ[location] = true;
      }
    }
    if (all.do_differ[location]) first.clear();
  }
  return all;
}

StripeReading scrub_stripe(const OpenedSet& set, std::uint64_t stripe, StripeBuffer& buffer) {
  StripeReading reading = begin_reading(set, stripe, buffer);
  StripeReader reader(set, stripe, buffer, reading);
  for (std::size_t location = 0; location < set.code().locations; ++location) {
    if (!set.copies(location).empty()) reader.scrub(location);
  }
  while (!reader.agrees()) continue;
  for (const std::size_t location : set.zeros(stripe)) std::erase(reading.lost, location);
  reading.is_recovered = reading.lost.empty() || set.can_rebuild(stripe, reading.lost);
  return reading;
}

}  // namespace xorloom
