#include "runtime/shards/read_set.hpp"

#include <algorithm>
#include <atomic>
#include <optional>
#include <vector>

#include "runtime/files/pipeline.hpp"
#include "runtime/shards/range_reading.hpp"
#include "runtime/shards/redundancy_check.hpp"

namespace xorloom {
namespace {

struct StripeBeingRead {
  StripeBeingRead(const Code& code, std::size_t block_bytes) : buffer(code, block_bytes) {}
  StripeBuffer buffer;
  std::uint64_t stripe = 0;
  StripeReading reading;
};

/// Writes zeros for the stripes behind the end of every shard.
void write_zeros_beyond(const OpenedSet& set, const RangeReader& reader,
                        const std::function<void(std::span<const std::uint8_t>)>& write,
                        SetDamage& damage) {
  const StripeRange stripes = reader.stripes();
  std::vector<std::uint8_t> zeros;
  for (std::uint64_t i = std::max(set.num_readable_stripes(), stripes.begin); i < stripes.end;
       ++i) {
    zeros.resize(reader.bytes(i));
    write(zeros);
    damage.add_lost_bytes(reader.file_bytes(i));
  }
}

}  // namespace

void for_each_stripe(const OpenedSet& set, std::size_t threads,
                     const std::function<StripeReading(std::uint64_t, StripeBuffer&)>& load,
                     const std::function<void(const StripeReading&, StripeBuffer&)>& store,
                     const StripeRange& stripes) {
  const std::uint64_t end = std::min(stripes.end, set.num_readable_stripes());
  if (stripes.begin >= end) return;
  const std::size_t block_bytes =
      num_blocks(set.header()) == 1 ? set.header().last_block_bytes : set.header().block_bytes;
  check_stripe(set.bounds(), set.code(), block_bytes);
  const std::size_t memory = StripeBuffer::memory_bytes(set.code(), block_bytes);
  std::vector<StripeBeingRead> slots;
  const std::size_t num_slots = slots_for(threads, memory, kStripeMemoryBytes);
  for (std::size_t i = 0; i < num_slots; ++i) slots.emplace_back(set.code(), block_bytes);
  std::uint64_t next = stripes.begin;
  const auto begin = [&](std::size_t slot) {
    slots[slot].stripe = next;
    return next++ < end;
  };
  run_pipeline(threads, num_slots,
               {begin,
                [&](std::size_t slot) {
                  slots[slot].reading = load(slots[slot].stripe, slots[slot].buffer);
                },
                [&](std::size_t slot) { store(slots[slot].reading, slots[slot].buffer); }});
}

SetDamage verify_set(const OpenedSet& set, std::size_t threads, Progress& progress, Depth depth) {
  SetDamage damage;
  std::optional<RedundancyCheck> redundancy;
  if (depth == Depth::kRedundancy) redundancy.emplace(set);
  if (depth == Depth::kFingerprints) redundancy.emplace(set, Compared::kFingerprints);
  std::uint64_t total = 0;
  for (const ShardFile& shard : set.set().shards) total += shard.file.bytes();
  progress.begin("verifying", total);
  for_each_stripe(
      set, threads,
      [&](std::uint64_t stripe, StripeBuffer& buffer) {
        StripeReading reading = scrub_stripe(set, stripe, buffer);
        if (redundancy) redundancy->check(reading, buffer);
        return reading;
      },
      [&](const StripeReading& reading, StripeBuffer&) {
        damage.add(reading);
        progress.done += reading.bytes_read;
      });
  damage.add_beyond(set);
  return damage;
}

SetDamage check_set(const OpenedSet& set, std::size_t threads, Progress& progress,
                    const FileRange& range) {
  const RangeReader reader(set, range);
  SetDamage damage;
  progress.begin("verifying", reader.bytes());
  for_each_stripe(
      set, threads,
      [&](std::uint64_t stripe, StripeBuffer& buffer) {
        return reader.read(stripe, Rebuild::kOnlyAsk, buffer);
      },
      [&](const StripeReading& reading, StripeBuffer&) {
        damage.add(reading);
        progress.done += reader.bytes(reading.stripe);
      },
      reader.stripes());
  damage.add_beyond(set, reader.stripes());
  return damage;
}

SetDamage decode_set(const OpenedSet& set, std::size_t threads,
                     const std::function<void(std::span<const std::uint8_t>)>& write,
                     Progress& progress, const FileRange& range, Lost lost) {
  const RangeReader reader(set, range);
  SetDamage damage;
  std::atomic<bool> is_lost = false;
  std::vector<std::uint8_t> part;
  progress.begin("decoding", reader.bytes());
  for_each_stripe(
      set, threads,
      [&](std::uint64_t stripe, StripeBuffer& buffer) {
        StripeReading reading =
            reader.read(stripe, is_lost ? Rebuild::kOnlyAsk : Rebuild::kYes, buffer);
        if (reading.is_recovered || lost == Lost::kStop) return reading;
        return reader.salvage(stripe, buffer);
      },
      [&](const StripeReading& reading, StripeBuffer& buffer) {
        damage.add(reading);
        progress.done += reader.bytes(reading.stripe);
        if (!reading.is_recovered && lost == Lost::kStop) is_lost = true;
        if (!is_lost) write(reader.collect(reading.stripe, buffer, part));
      },
      reader.stripes());
  damage.add_beyond(set, reader.stripes());
  if (lost == Lost::kZeros) write_zeros_beyond(set, reader, write, damage);
  return damage;
}

}  // namespace xorloom
