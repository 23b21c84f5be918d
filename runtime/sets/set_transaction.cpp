#include "runtime/sets/set_transaction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "codes/text/error.hpp"
#include "runtime/files/pipeline.hpp"
#include "runtime/sets/carry_out.hpp"
#include "runtime/shards/file_info.hpp"
#include "runtime/shards/set_damage.hpp"

namespace xorloom {
namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail_on_archive(const ShardSet& set) {
  fail(Status::kInvalidArgument,
       fmt::format(
           "set {} holds an archive of files, which a change of bytes may make impossible to "
           "unpack; encode with option replace writes a new archive, and option as_file "
           "changes this one as one file",
           to_string(set.header.set)));
}

}  // namespace

SetTransaction::SetTransaction(const ChangeRequest& request)
    : threads_(pipeline_threads(request.options)) {
  const std::vector<fs::path> directories = each_once(request.directories);
  for (const fs::path& directory : directories) {
    locks_.push_back(std::make_unique<DirectoryLock>(directory));
  }
  found_ = find_shards(directories);
  if (settle_journals(found_, directories)) found_ = find_shards(directories);
  set_ = std::make_unique<OpenedSet>(found_, request.set_digits, codec_options(request.options),
                                     request.bounds);
  for (const ShardFile& shard : set_->set().shards) {
    if (request.input != shard.file.identity()) continue;
    fail(Status::kInvalidArgument,
         fmt::format("{} is a shard of the set that is to be changed, and cannot be its input",
                     shard.path.string()));
  }
  if (holds_files(before()) && !request.as_file) fail_on_archive(set_->set());
  check_decided(found_, before().set);
  if (!set_->can_rebuild(set_->missing())) {
    const std::uint64_t stripes = num_blocks(before());
    // New bytes would go to places that were known to be zeros.
    if (stripes == 0 || (stripes == 1 && set_->can_rebuild(0, set_->missing()))) {
      fail(Status::kInvalidArgument,
           fmt::format("{} has lost more shards than can be spared while it is changed: repair it "
                       "first, its file is whole",
                       describe(set_->set())));
    }
    fail(kind_of_loss(found_, set_->set()),
         fmt::format("{} cannot be changed: its shards do not suffice to recover the file{}{}",
                     describe(set_->set()),
                     way_to_the_rest({{0, num_blocks(before()) - 1, set_->missing()}}, *set_),
                     describe_others(found_, set_->set())));
  }
  after_ = next_generation(before(), set_->num_copies());
  journals_.emplace(after_.set, after_.generation, permissions_of(set_->set()));
  open_copies();
}

void SetTransaction::open_copies() {
  copies_.resize(set_->code().locations);
  for (const ShardFile& shard : set_->set().shards) {
    JournalWriter& journal = journals_->in(directory_of(shard.path));
    const std::uint32_t location = shard.header.location;
    copies_[location].push_back({&shard, ChangedFile(shard.path, shard.file.identity()), &journal});
    journals_->cover(journal, location);
  }
}

SetTransaction::~SetTransaction() {
  if (bytes_behind_ == 0 || journals_->is_made()) return;
  for (const std::vector<Copy>& copies : copies_) {
    for (const Copy& copy : copies) {
      try {
        copy.file.cut_behind(shard_bytes(before()));
      } catch (const Error&) {  // then the bytes stay behind the end, where nobody looks for them
      }
    }
  }
}

void SetTransaction::set_file_bytes(std::uint64_t file_bytes) {
  after_.file_bytes = file_bytes;
  after_.last_block_bytes =
      stripe_sizes(set_->code(), after_.block_bytes, file_bytes).last_block_bytes;
  static_cast<void>(header_text(after_));  // throws if the format cannot hold it
}

void SetTransaction::write(std::uint32_t location, std::uint64_t block,
                           std::span<const std::uint8_t> frame,
                           std::span<const std::uint8_t> payload) {
  const std::uint64_t offset = block_offset(after_, block);
  const bool is_behind = offset >= shard_bytes(before());
  const JournalWriter* last = nullptr;
  for (const Copy& copy : copies_[location]) {
    if (is_behind) {
      copy.file.write_at(offset, frame, payload);
      bytes_behind_ += frame.size() + payload.size();
    } else if (copy.journal != last) {
      copy.journal->write(location, block, frame, payload);
      last = copy.journal;
    }
  }
}

void SetTransaction::write_frame(std::uint32_t location, std::uint64_t block, const Frame& frame) {
  const JournalWriter* last = nullptr;
  for (const Copy& copy : copies_[location]) {
    if (copy.journal != last) copy.journal->write_frame(location, block, frame);
    last = copy.journal;
  }
}

/// Allocates what shards need at their ends, so that a full disk is noticed before the change is
/// made.
void SetTransaction::reserve_ends() {
  const std::uint64_t begin = std::max(shard_bytes(before()), lineage_offset(after_));
  if (begin >= shard_bytes(after_)) return;
  const std::vector<std::uint8_t> zeros(shard_bytes(after_) - begin);
  for (const std::vector<Copy>& copies : copies_) {
    for (const Copy& copy : copies) {
      copy.file.write_at(begin, zeros);
      bytes_behind_ += zeros.size();
    }
  }
}

SetTransaction::Result SetTransaction::commit(Progress& progress) {
  Result result;
  progress.begin("syncing");
  reserve_ends();
  if (bytes_behind_ != 0) {
    for (const std::vector<Copy>& copies : copies_) {
      for (const Copy& copy : copies) copy.file.sync();
    }
  }
  journals_->finish(before(), after_);
  result.bytes_written = journals_->bytes();
  journals_->name_all();
  progress.begin("carrying out");
  std::vector<ShardToChange> shards;
  for (const std::vector<Copy>& copies : copies_) {
    for (const Copy& copy : copies) {
      ShardHeader header = after_;
      header.location = copy.shard->header.location;
      shards.push_back({copy.shard->path, copy.shard->file.identity(), header,
                        journals_->read_back(*copy.journal)});
    }
  }
  const CarriedOut carried = carry_out(shards, threads_);
  result.failures = carried.failures;
  result.bytes_written += carried.bytes_written + bytes_behind_;
  journals_->remove_without(carried.locations);
  return result;
}

}  // namespace xorloom
