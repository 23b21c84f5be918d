#include "runtime/read_set.hpp"

#include <atomic>
#include <vector>

#include "runtime/pipeline.hpp"

namespace xorloom {
namespace {

struct Slot {
  Slot(const Code& code, std::size_t block_bytes) : buffer(code, block_bytes) {}
  StripeBuffer buffer;
  std::uint64_t stripe = 0;
  StripeReading reading;
};

}  // namespace

void for_each_stripe(const OpenedSet& set, std::size_t threads,
                     const std::function<StripeReading(std::uint64_t, StripeBuffer&)>& load,
                     const std::function<void(const StripeReading&, StripeBuffer&)>& store) {
  const std::size_t block_bytes =
      num_blocks(set.header()) == 1 ? set.header().last_block_bytes : set.header().block_bytes;
  const std::size_t memory = StripeBuffer::memory_bytes(set.code(), block_bytes);
  std::vector<Slot> slots;
  const std::size_t num_slots = slots_for(threads, memory, kStripeMemoryBytes);
  for (std::size_t i = 0; i < num_slots; ++i) slots.emplace_back(set.code(), block_bytes);
  std::uint64_t next = 0;
  const auto begin = [&](std::size_t slot) {
    slots[slot].stripe = next;
    return next++ < set.num_readable_stripes();
  };
  run_pipeline(threads, num_slots,
               {begin,
                [&](std::size_t slot) {
                  slots[slot].reading = load(slots[slot].stripe, slots[slot].buffer);
                },
                [&](std::size_t slot) { store(slots[slot].reading, slots[slot].buffer); }});
}

SetDamage verify_set(const OpenedSet& set, std::size_t threads, Progress& progress) {
  SetDamage damage;
  std::uint64_t total = 0;
  for (const ShardFile& shard : set.set().shards) total += shard.file.bytes();
  progress.begin("verifying", total);
  for_each_stripe(
      set, threads,
      [&](std::uint64_t stripe, StripeBuffer& buffer) { return scrub_stripe(set, stripe, buffer); },
      [&](const StripeReading& reading, StripeBuffer&) {
        damage.add(reading);
        progress.done += reading.bytes_read;
      });
  damage.add_beyond(set);
  return damage;
}

SetDamage check_set(const OpenedSet& set, std::size_t threads, Progress& progress) {
  SetDamage damage;
  progress.begin("verifying", set.header().file_bytes);
  for_each_stripe(
      set, threads,
      [&](std::uint64_t stripe, StripeBuffer& buffer) {
        return read_stripe(set, stripe, set.data_locations(stripe), Rebuild::kOnlyAsk, buffer);
      },
      [&](const StripeReading& reading, StripeBuffer&) {
        damage.add(reading);
        progress.done += stripe_file_bytes(set.header(), reading.stripe);
      });
  damage.add_beyond(set);
  return damage;
}

SetDamage decode_set(const OpenedSet& set, std::size_t threads,
                     const std::function<void(std::span<const std::uint8_t>)>& write,
                     Progress& progress) {
  SetDamage damage;
  std::atomic<bool> is_lost = false;
  progress.begin("decoding", set.header().file_bytes);
  for_each_stripe(
      set, threads,
      [&](std::uint64_t stripe, StripeBuffer& buffer) {
        const Rebuild rebuild = is_lost ? Rebuild::kOnlyAsk : Rebuild::kYes;
        return read_stripe(set, stripe, set.data_locations(stripe), rebuild, buffer);
      },
      [&](const StripeReading& reading, StripeBuffer& buffer) {
        const std::uint64_t bytes = stripe_file_bytes(set.header(), reading.stripe);
        damage.add(reading);
        progress.done += bytes;
        if (!reading.is_recovered) is_lost = true;
        if (is_lost) return;
        buffer.collect(bytes);
        write(buffer.user_bytes().first(bytes));
      });
  damage.add_beyond(set);
  return damage;
}

}  // namespace xorloom
