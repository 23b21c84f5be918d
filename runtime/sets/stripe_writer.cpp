#include "runtime/sets/stripe_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "codes/linear_map.hpp"
#include "codes/text/error.hpp"
#include "runtime/files/pipeline.hpp"
#include "runtime/machine/last_error.hpp"
#include "runtime/plans/codec_access.hpp"
#include "runtime/shards/set_damage.hpp"

namespace xorloom {
namespace {

using Locations = std::vector<std::size_t>;

Locations merged(const Locations& a, const Locations& b) {
  std::set<std::size_t> all(a.begin(), a.end());
  all.insert(b.begin(), b.end());
  return {all.begin(), all.end()};
}

/// Copies the part of `bytes` that lies in `location` into its chunk.
void put_parts(const std::vector<UserPart>& parts, const std::vector<std::uint8_t>& bytes,
               std::size_t location, std::uint8_t* chunk) {
  const std::uint8_t* from = bytes.data();
  for (const UserPart& part : parts) {
    if (part.location == location) std::copy_n(from, part.bytes, chunk + part.offset);
    from += part.bytes;
  }
}

/// Adds the locations that `parts` lie in, and whether the parts fill the whole chunk.
void add_touched(const std::vector<UserPart>& parts, std::size_t chunk_bytes, StripeWrite& write) {
  std::map<std::size_t, std::size_t> bytes;
  for (const UserPart& part : parts) bytes[part.location] += part.bytes;
  for (const auto& [location, count] : bytes) {
    write.touched.push_back(location);
    write.is_whole.push_back(count == chunk_bytes);
  }
}

}  // namespace

StripeWriter::StripeWriter(const SetTransaction& transaction, const Options& options,
                           WritePolicy policy)
    : transaction_(&transaction),
      codec_(CodecAccess::codec_of(transaction.set().code(), codec_options(options))),
      chooser_(transaction.set().code()),
      policy_(policy),
      has_shard_(transaction.set().code().locations) {
  for (std::size_t i = 0; i < has_shard_.size(); ++i) has_shard_[i] = transaction.has_shard(i);
}

StripeReading StripeWriter::load(StripeBeingChanged& slot, const Locations& wanted) const {
  const OpenedSet& set = transaction_->set();
  StripeReading reading = read_stripe(set, slot.stripe, wanted, Rebuild::kYes, slot.buffer);
  slot.bytes_read += reading.bytes_read;
  if (reading.is_recovered) return reading;
  fail(Status::kDamaged,
       fmt::format("set {} cannot be changed there: stripe {} lost locations {}{}",
                   to_string(set.header().set), slot.stripe, set_text(reading.lost),
                   way_to_the_rest({{slot.stripe, slot.stripe, reading.lost}}, set)));
}

/// True if a stripe has blocks of generations before the lineage began. Their checksums cover these
/// generations, which differ from block to block.
bool StripeWriter::is_mixed(const std::vector<Frame>& frames) const {
  return std::ranges::any_of(frames, [&](const Frame& frame) {
    return !frame.empty() && stamp_of(frame) < transaction_->after().lineage->base;
  });
}

void StripeWriter::replace(StripeBeingChanged& slot) const {
  const OpenedSet& set = transaction_->set();
  const std::size_t chunk_bytes = payload_bytes(set.header(), slot.stripe);
  const std::vector<UserPart> parts =
      user_parts(set.code(), chunk_bytes, slot.begin, slot.begin + slot.bytes.size());
  StripeWrite write;
  write.is_readable = write.is_written = has_shard_;
  for (const std::size_t location : set.zeros(slot.stripe)) write.is_readable[location] = true;
  add_touched(parts, chunk_bytes, write);
  const WriteChoice choice = chooser_.choose(write, policy_);
  slot.bytes_read = 0;
  slot.restamped.clear();
  slot.written = merged(write.touched, merged(choice.changed, choice.reencoded));
  std::erase_if(slot.written, [&](std::size_t location) { return !has_shard_[location]; });
  Locations wanted = merged(choice.reads, choice.rebuilt);
  Locations others;
  for (std::size_t location = 0; location < has_shard_.size(); ++location) {
    const bool is_written = std::ranges::binary_search(slot.written, location);
    if (has_shard_[location] && !is_written) others.push_back(location);
  }
  std::vector<Frame> frames;
  if (!others.empty()) {
    BlocksRead read;
    StripeFrames found = read_frames(set, slot.stripe, read);
    slot.bytes_read += read.bytes_read;
    frames = std::move(found.frames);
    // If a block cannot get a new frame alone, it is read, checked and written whole.
    const bool are_mixed = is_mixed(frames);
    Locations whole;
    std::ranges::copy_if(others, std::back_inserter(whole), [&](std::size_t location) {
      return are_mixed || found.do_differ[location];
    });
    std::erase_if(
        others, [&](std::size_t location) { return std::ranges::binary_search(whole, location); });
    slot.written = merged(slot.written, whole);
    wanted = merged(wanted, are_mixed ? slot.written : whole);
  }
  slot.buffer.set_chunk_bytes(chunk_bytes);
  if (!wanted.empty() || !others.empty()) {
    const std::uint64_t stamp = load(slot, wanted).stamp;
    for (const std::size_t location : others) {
      Frame& frame = frames[location];
      // A block with another stamp was left behind before, and stays so.
      if (frame.empty() || stamp_of(frame) != stamp) continue;
      ShardHeader header = transaction_->after();
      header.location = static_cast<std::uint32_t>(location);
      slot.restamped[location] = restamped(header, std::move(frame));
    }
  }
  if (!choice.changed.empty()) add_difference(slot, choice, write.touched, parts);
  for (const std::size_t location : write.touched) {
    put_parts(parts, slot.bytes, location, slot.buffer.chunk(location).data());
  }
  if (!choice.reencoded.empty()) encode_again(slot, choice);
}

/// Pointers to the buffer's chunks of data and of the redundancy at `kept`; other redundancy goes
/// to `slot.other`.
std::vector<std::uint8_t*> StripeWriter::chunks_for(StripeBeingChanged& slot,
                                                    const Locations& kept) const {
  const Code& code = transaction_->set().code();
  if (slot.other == nullptr) {
    slot.other = std::make_unique<StripeBuffer>(code, transaction_->before().block_bytes);
  }
  slot.other->set_chunk_bytes(slot.buffer.chunk_bytes());
  const std::vector<bool> has_data = holds_data(code);
  std::vector<std::uint8_t*> chunks(code.locations);
  for (std::size_t location = 0; location < code.locations; ++location) {
    const bool is_used = has_data[location] || std::ranges::binary_search(kept, location);
    chunks[location] = is_used ? slot.buffer.chunks()[location] : slot.other->chunks()[location];
  }
  return chunks;
}

void StripeWriter::add_difference(StripeBeingChanged& slot, const WriteChoice& choice,
                                  const Locations& touched,
                                  const std::vector<UserPart>& parts) const {
  const std::vector<std::uint8_t*> chunks = chunks_for(slot, choice.changed);
  std::vector<std::uint8_t> changed;
  for (const std::size_t location : touched) {
    const auto chunk = slot.buffer.chunk(location);
    changed.assign(chunk.begin(), chunk.end());
    put_parts(parts, slot.bytes, location, changed.data());
    check_run(codec_.update(location, chunk.data(), changed.data(), chunks.data(), chunk.size()));
  }
}

void StripeWriter::encode_again(StripeBeingChanged& slot, const WriteChoice& choice) const {
  const std::vector<std::uint8_t*> chunks = chunks_for(slot, choice.reencoded);
  check_run(codec_.encode(chunks.data(), slot.buffer.chunk_bytes()));
}

void StripeWriter::read(StripeBeingChanged& slot, std::size_t count) const {
  const OpenedSet& set = transaction_->set();
  const std::size_t chunk_bytes = payload_bytes(set.header(), slot.stripe);
  load(slot, data_locations(set.code(), chunk_bytes, count));
  slot.buffer.collect(count);
}

void StripeWriter::encode(StripeBeingChanged& slot, std::size_t count) const {
  slot.restamped.clear();
  slot.buffer.spread(count);
  check_run(codec_.encode(slot.buffer.chunks(), slot.buffer.chunk_bytes()));
  slot.written.clear();
  for (std::size_t location = 0; location < has_shard_.size(); ++location) {
    if (has_shard_[location]) slot.written.push_back(location);
  }
}

}  // namespace xorloom
