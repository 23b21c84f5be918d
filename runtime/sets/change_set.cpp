#include "runtime/sets/change_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "runtime/files/pipeline.hpp"
#include "runtime/sets/stripe_writer.hpp"

namespace xorloom {
namespace {

/// Slots of a pipeline, each for a stripe of a change.
std::vector<StripeBeingChanged> slots_of(const OpenedSet& set, std::size_t threads) {
  const std::size_t block_bytes = set.header().block_bytes;
  check_stripe(set.bounds(), set.code(), block_bytes);
  const std::size_t memory = 2 * StripeBuffer::memory_bytes(set.code(), block_bytes);
  std::vector<StripeBeingChanged> slots;
  const std::size_t num_slots = slots_for(threads, memory, kStripeMemoryBytes);
  for (std::size_t i = 0; i < num_slots; ++i) slots.emplace_back(set.code(), block_bytes);
  return slots;
}

/// Puts the blocks of a slot into the transaction.
void write_blocks(const StripeBeingChanged& slot, SetTransaction& transaction, ChangedSet& result) {
  ShardHeader header = transaction.after();
  for (const std::size_t location : slot.written) {
    header.location = static_cast<std::uint32_t>(location);
    const std::span<const std::uint8_t> payload = slot.buffer.chunk(location);
    transaction.write(header.location, slot.stripe, block_frame(header, slot.stripe, payload),
                      payload);
  }
  for (const auto& [location, frame] : slot.restamped) {
    transaction.write_frame(static_cast<std::uint32_t>(location), slot.stripe, frame);
  }
  ++result.stripes;
  result.bytes_read += slot.bytes_read;
}

ChangedSet committed(SetTransaction& transaction, ChangedSet result, Progress& progress) {
  result.before = transaction.before();
  result.after = transaction.after();
  SetTransaction::Result committed = transaction.commit(progress);
  result.bytes_written = committed.bytes_written;
  result.failures = std::move(committed.failures);
  result.left_behind = transaction.set().missing();
  return result;
}

/// Result if there is nothing to change.
ChangedSet unchanged(const SetTransaction& transaction) {
  ChangedSet result;
  result.before = result.after = transaction.before();
  return result;
}

[[noreturn]] void fail_behind_end(std::uint64_t end, std::uint64_t file_bytes, bool is_more) {
  fail(Status::kInvalidArgument,
       fmt::format("the patch ends at byte {}{}, behind the end of the file, which has {}; append "
                   "adds bytes",
                   end, is_more ? " or later" : "", counted(file_bytes, "byte")));
}

}  // namespace

ChangedSet patch_set(const ChangeRequest& request, std::uint64_t offset, const ReadBytes& read,
                     Progress& progress, WritePolicy policy) {
  SetTransaction transaction(request);
  const OpenedSet& set = transaction.set();
  const ShardHeader& header = set.header();
  if (offset > header.file_bytes) fail_behind_end(offset, header.file_bytes, false);
  const StripeWriter writer(transaction, request.options, policy);
  const std::size_t threads = pipeline_threads(request.options);
  std::vector<StripeBeingChanged> slots = slots_of(set, threads);
  ChangedSet result;
  std::uint64_t at = offset;
  bool is_at_end = false;
  const auto begin = [&](std::size_t number) {
    StripeBeingChanged& slot = slots[number];
    if (is_at_end) return false;
    if (at == header.file_bytes) {
      std::uint8_t more = 0;
      if (read({&more, 1}) != 0) fail_behind_end(at + 1, header.file_bytes, true);
      return false;
    }
    slot.stripe = at / header.stripe_bytes;
    slot.begin = at % header.stripe_bytes;
    const std::uint64_t room = stripe_file_bytes(header, slot.stripe) - slot.begin;
    slot.bytes.resize(room);
    slot.bytes.resize(read(slot.bytes));
    is_at_end = slot.bytes.size() < room;
    at += slot.bytes.size();
    return !slot.bytes.empty();
  };
  run_pipeline(threads, slots.size(),
               {begin, [&](std::size_t number) { writer.replace(slots[number]); },
                [&](std::size_t number) {
                  write_blocks(slots[number], transaction, result);
                  result.bytes_changed += slots[number].bytes.size();
                  progress.done += slots[number].bytes.size();
                }});
  if (result.bytes_changed == 0) return unchanged(transaction);
  return committed(transaction, std::move(result), progress);
}

ChangedSet append_to_set(const ChangeRequest& request, const ReadBytes& read, Progress& progress) {
  SetTransaction transaction(request);
  const OpenedSet& set = transaction.set();
  const Code& code = set.code();
  const ShardHeader header = set.header();
  const StripeWriter writer(transaction, request.options, WritePolicy::kReencode);
  const std::size_t threads = pipeline_threads(request.options);
  std::vector<StripeBeingChanged> slots = slots_of(set, threads);
  ChangedSet result;
  std::uint64_t file_bytes = header.file_bytes;
  bool is_at_end = false;
  const auto begin = [&](std::size_t number) {
    StripeBeingChanged& slot = slots[number];
    if (is_at_end) return false;
    slot.stripe = file_bytes / header.stripe_bytes;
    const std::size_t kept = file_bytes % header.stripe_bytes;
    slot.bytes_read = 0;
    slot.buffer.set_chunk_bytes(header.block_bytes);
    if (kept != 0) writer.read(slot, kept);  // the stripe that the file ends in
    slot.buffer.set_chunk_bytes(header.block_bytes);
    const std::size_t added = read(slot.buffer.user_bytes().subspan(kept));
    is_at_end = kept + added < header.stripe_bytes;
    if (added == 0) return false;
    file_bytes += added;
    slot.begin = kept;
    slot.count = kept + added;
    return true;
  };
  const auto encode = [&](std::size_t number) {
    StripeBeingChanged& slot = slots[number];
    if (slot.count < header.stripe_bytes) {
      slot.buffer.set_chunk_bytes(chunk_bytes_for(code, slot.count));
    }
    writer.encode(slot, slot.count);
  };
  const auto end = [&](std::size_t number) {
    const StripeBeingChanged& slot = slots[number];
    write_blocks(slot, transaction, result);
    result.bytes_changed += slot.count - slot.begin;
    progress.done += slot.count - slot.begin;
  };
  run_pipeline(threads, slots.size(), {begin, encode, end});
  if (result.bytes_changed == 0) return unchanged(transaction);
  transaction.set_file_bytes(file_bytes);
  return committed(transaction, std::move(result), progress);
}

ChangedSet truncate_set(const ChangeRequest& request, std::uint64_t file_bytes,
                        Progress& progress) {
  SetTransaction transaction(request);
  const OpenedSet& set = transaction.set();
  const ShardHeader& header = set.header();
  if (file_bytes > header.file_bytes) {
    fail(Status::kInvalidArgument,
         fmt::format("the file has {}, and cannot be cut to {}; append adds bytes",
                     counted(header.file_bytes, "byte"), file_bytes));
  }
  if (file_bytes == header.file_bytes) return unchanged(transaction);
  ChangedSet result;
  result.bytes_changed = header.file_bytes - file_bytes;
  const std::size_t kept = file_bytes % header.stripe_bytes;
  transaction.set_file_bytes(file_bytes);
  if (kept != 0) {
    const StripeWriter writer(transaction, request.options, WritePolicy::kReencode);
    StripeBeingChanged slot(set.code(), header.block_bytes);
    check_stripe(set.bounds(), set.code(), header.block_bytes);
    slot.stripe = file_bytes / header.stripe_bytes;
    writer.read(slot, kept);
    slot.buffer.set_chunk_bytes(transaction.after().last_block_bytes);
    writer.encode(slot, kept);
    write_blocks(slot, transaction, result);
  }
  return committed(transaction, std::move(result), progress);
}

}  // namespace xorloom
