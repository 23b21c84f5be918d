#include "runtime/sets/rebuild_shards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "codes/text/error.hpp"
#include "runtime/shards/read_set.hpp"
#include "runtime/shards/settled_reading.hpp"
#include "runtime/shards/shard_block.hpp"
#include "runtime/shards/shard_file.hpp"

namespace xorloom {
namespace {

using Targets = std::vector<RepairTargets::Shard>;

/// Writes shards to new files, and reads the files whose places these take.
class ShardWriting {
 public:
  ShardWriting(const ShardHeader& header, const Targets& targets, std::vector<PendingFile>& files)
      : header_(header), targets_(targets), files_(files) {
    for (const RepairTargets::Shard& target : targets) {
      replaced_.push_back(target.replaced ? open_shard(target.path) : ShardFile());
    }
  }

  /// Writes a stripe's blocks. Blocks that could not be had stay what they were in the old files.
  void write(const StripeReading& reading, StripeBuffer& buffer) {
    const std::uint64_t stripe = reading.stripe;
    const std::vector<std::size_t>& not_had = reading.not_had;
    ShardHeader header = header_;
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      header.location = targets_[i].location;
      const std::span<std::uint8_t> payload = buffer.chunk(header.location);
      const std::uint64_t offset = block_offset(header, stripe);
      if (!std::ranges::binary_search(not_had, header.location)) {
        files_[i].write_at(offset, block_frame(header, stripe, payload, reading.stamp), payload);
        continue;
      }
      Frame frame(frame_bytes(header));
      const OpenFile& file = replaced_[i].file;
      if (!file.is_open() || file.read_at(offset, frame, payload) != 0) continue;
      if (may_be_stale(replaced_[i], frame)) continue;
      files_[i].write_at(offset, frame, payload);
    }
  }

  void finish() {
    ShardHeader header = header_;
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      header.location = targets_[i].location;
      files_[i].write_at(0, header_text(header));
      files_[i].write_at(lineage_offset(header), tail_text(header));
      files_[i].finish();
    }
  }

 private:
  /// True if a block may have been left behind by a change of the set. Under the set's present
  /// header, nothing would tell it from blocks that the change did not touch.
  bool may_be_stale(const ShardFile& file, const Frame& frame) const {
    if (!header_.is_changed) return false;
    const bool is_of_set = file.kind == ShardFile::Kind::kShard && same_set(file.header, header_);
    return !is_of_set && stamp_of(frame) != header_.generation;
  }

  const ShardHeader& header_;
  const Targets& targets_;
  std::vector<PendingFile>& files_;
  std::vector<ShardFile> replaced_;
};

}  // namespace

Rebuilding rebuild_shards(const OpenedSet& set, std::size_t threads, const Targets& targets,
                          std::vector<PendingFile>& files, const SetDamage* found,
                          Progress& progress) {
  std::set<std::size_t> locations;
  for (const RepairTargets::Shard& target : targets) locations.insert(target.location);
  const std::vector<std::size_t> wanted(locations.begin(), locations.end());
  ShardWriting writing(set.header(), targets, files);
  Rebuilding rebuilding;
  rebuilding.blocks_had.resize(targets.size());
  progress.begin("rebuilding", shard_bytes(set.header()) * targets.size());
  for_each_stripe(
      set, threads,
      [&](std::uint64_t stripe, StripeBuffer& buffer) {
        StripeReading reading = read_stripe(set, stripe, wanted, Rebuild::kYes, buffer);
        if (!reading.is_recovered) {
          if (found != nullptr && !found->is_lost(stripe)) return reading;
          reading = salvage_stripe(set, stripe, wanted, buffer);
        }
        writing.write(reading, buffer);
        return reading;
      },
      [&](const StripeReading& reading, StripeBuffer& buffer) {
        rebuilding.damage.add(reading);
        if (!reading.is_recovered && found != nullptr && !found->is_lost(reading.stripe)) {
          check_unchanged(set.set());
          fail(Status::kDamaged,
               fmt::format("stripe {} has lost more in the meantime than can be rebuilt",
                           reading.stripe));
        }
        rebuilding.shards.insert(reading.shards.begin(), reading.shards.end());
        for (std::size_t i = 0; i < targets.size(); ++i) {
          const std::size_t location = targets[i].location;
          if (!std::ranges::binary_search(reading.not_had, location)) ++rebuilding.blocks_had[i];
        }
        progress.done += (frame_bytes(set.header()) + buffer.chunk_bytes()) * targets.size();
      });
  writing.finish();
  return rebuilding;
}

void read_back(const PendingFile& file, const ShardHeader& expected, const SetDamage& damage,
               Progress& progress) {
  const auto differs = [&] {
    fail(Status::kIo,
         fmt::format("{} reads back other bytes than were written", file.destination().string()));
  };
  OpenFile(file.temporary()).forget_cached();
  const ShardFile shard = open_shard(file.temporary());
  if (shard.kind != ShardFile::Kind::kShard || !shard.defects.empty()) differs();
  if (shard.header != expected) differs();
  Frame frame(frame_bytes(expected));
  std::vector<std::uint8_t> payload;
  for (std::uint64_t block = 0; block < num_blocks(expected); ++block) {
    if (damage.is_lost(block)) continue;
    payload.resize(payload_bytes(expected, block));
    if (shard.file.read_at(block_offset(expected, block), frame, payload) != 0) differs();
    if (check_block(expected, block, frame, payload) != BlockState::kGood) differs();
    progress.done += frame.size() + payload.size();
  }
}

}  // namespace xorloom
