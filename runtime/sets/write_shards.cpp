#include "runtime/sets/write_shards.hpp"

#include "runtime/files/pipeline.hpp"
#include "runtime/files/user_bytes.hpp"
#include "runtime/machine/last_error.hpp"
#include "runtime/plans/codec_access.hpp"
#include "runtime/shards/opened_set.hpp"
#include "runtime/shards/shard_block.hpp"
#include "runtime/shards/stripe_buffer.hpp"

namespace xorloom {
namespace {

/// Bytes of a shard that are synced together while more is coded. Otherwise all would be left for
/// the end, and meanwhile fill the system's memory.
constexpr std::uint64_t kEarlySyncBytes = std::uint64_t{1} << 22;

/// One slot of the pipeline.
struct StripeBeingWritten {
  explicit StripeBeingWritten(const Code& code, std::size_t block_bytes)
      : buffer(code, block_bytes) {}
  StripeBuffer buffer;
  std::uint64_t stripe = 0;
  std::size_t file_bytes = 0;
  std::uint64_t stamp = 0;
};

/// Encodes a slot's bytes of the file and writes its blocks.
void write_stripe(StripeBeingWritten& slot, const ShardsToWrite& writing, const Codec& codec,
                  ShardHeader header, std::vector<PendingFile>& files) {
  if (slot.file_bytes < header.stripe_bytes) {
    slot.buffer.set_chunk_bytes(chunk_bytes_for(writing.code, slot.file_bytes));
  }
  slot.buffer.spread(slot.file_bytes);
  check_run(codec.encode(slot.buffer.chunks(), slot.buffer.chunk_bytes()));
  const std::uint64_t offset = block_offset(header, slot.stripe);
  for (std::uint32_t location = writing.first; location < header.locations; ++location) {
    header.location = location;
    const std::span<const std::uint8_t> payload = slot.buffer.chunk(location);
    files[location - writing.first].write_at(
        offset, block_frame(header, slot.stripe, payload, slot.stamp), payload);
  }
}

/// Reads the whole file and writes its blocks. Sets the lengths in `header` that only the end of
/// the file tells; returns what became of the codec's plans.
PlanCounts write_blocks(const ShardsToWrite& writing, ShardHeader& header,
                        std::vector<PendingFile>& files, Progress& progress) {
  const Code& code = writing.code;
  const Codec codec = CodecAccess::codec_of(code, codec_options(writing.options));
  const std::size_t threads = pipeline_threads(writing.options);
  const std::size_t memory = StripeBuffer::memory_bytes(code, header.block_bytes);
  std::vector<StripeBeingWritten> slots;
  const std::size_t num_slots = slots_for(threads, memory, kStripeMemoryBytes);
  for (std::size_t i = 0; i < num_slots; ++i) slots.emplace_back(code, header.block_bytes);

  std::uint64_t num_stripes = 0;
  bool is_at_end = false;
  const auto read = [&](std::size_t number) {
    if (is_at_end) return false;
    StripeBeingWritten& slot = slots[number];
    slot.buffer.set_chunk_bytes(header.block_bytes);
    slot.stripe = num_stripes;
    slot.file_bytes = writing.read(slot.buffer.user_bytes());
    is_at_end = slot.file_bytes < header.stripe_bytes;
    if (slot.file_bytes == 0) return false;
    slot.stamp = writing.stamp ? writing.stamp() : header.generation;
    ++num_stripes;
    header.file_bytes += slot.file_bytes;
    return true;
  };
  const ShardHeader begun = header;
  const auto code_and_write = [&](std::size_t number) {
    write_stripe(slots[number], writing, codec, begun, files);
  };
  std::uint64_t num_synced = 0;
  const auto count = [&](std::size_t number) {
    progress.done += slots[number].file_bytes;
    const std::uint64_t num_written = slots[number].stripe + 1;
    const std::uint64_t from = block_offset(begun, num_synced);
    const std::uint64_t bytes = block_offset(begun, num_written) - from;
    if (bytes < kEarlySyncBytes) return;
    for (PendingFile& file : files) file.begin_sync(from, bytes);
    num_synced = num_written;
  };
  run_pipeline(threads, num_slots, {read, code_and_write, count});
  header.last_block_bytes =
      stripe_sizes(code, header.block_bytes, header.file_bytes).last_block_bytes;
  return codec.plan_counts();
}

}  // namespace

PlanCounts write_shards(const ShardsToWrite& writing, ShardHeader& header,
                        std::vector<PendingFile>& files, Progress& progress) {
  const PlanCounts plans = write_blocks(writing, header, files, progress);
  progress.begin("syncing");
  ShardHeader own = header;
  for (std::size_t i = 0; i < files.size(); ++i) {
    own.location = writing.first + static_cast<std::uint32_t>(i);
    files[i].write_at(0, header_text(own));
    files[i].write_at(lineage_offset(own), tail_text(own));
    files[i].finish();
  }
  return plans;
}

}  // namespace xorloom
