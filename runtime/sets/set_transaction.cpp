#include "runtime/sets/set_transaction.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <utility>

#include "codes/text/error.hpp"
#include "runtime/files/file_error.hpp"
#include "runtime/files/pipeline.hpp"
#include "runtime/sets/carry_out.hpp"

namespace xorloom {
namespace fs = std::filesystem;

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
  if (!set_->can_rebuild(set_->missing())) {
    fail(kind_of_loss(found_, set_->set()),
         fmt::format("{} cannot be changed: its shards do not suffice to recover the file{}",
                     describe(set_->set()), describe_others(found_, set_->set())));
  }
  after_ = next_generation(before());
  open_copies();
}

void SetTransaction::open_copies() {
  copies_.resize(set_->code().locations);
  for (const ShardFile& shard : set_->set().shards) {
    const fs::path directory = directory_of(shard.path);
    const auto known = std::ranges::find_if(
        journals_, [&](const auto& each) { return is_same_directory(each.first, directory); });
    const auto journal =
        known != journals_.end()
            ? known
            : journals_
                  .emplace(directory, std::make_unique<JournalWriter>(directory, after_.set,
                                                                      after_.generation))
                  .first;
    const std::uint32_t location = shard.header.location;
    copies_[location].push_back(
        {&shard, ChangedFile(shard.path, shard.file.identity()), journal->second.get()});
    std::vector<std::uint32_t>& locations = locations_[journal->second.get()];
    if (locations.empty() || locations.back() != location) locations.push_back(location);
  }
}

SetTransaction::~SetTransaction() {
  if (is_made_ || bytes_behind_ == 0) return;
  for (const std::vector<Copy>& copies : copies_) {
    for (const Copy& copy : copies) {
      try {
        copy.file.cut_behind(shard_bytes(before()));
      } catch (const Error&) {  // then it stays behind the end, where nobody looks for it
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

/// Reads the journals back before anything depends on them.
std::map<const JournalWriter*, std::shared_ptr<const Journal>> SetTransaction::read_journals()
    const {
  std::map<const JournalWriter*, std::shared_ptr<const Journal>> journals;
  for (const auto& [directory, writer] : journals_) {
    auto journal = std::make_shared<const Journal>(writer->file().temporary());
    if (journal->kind() != Journal::Kind::kWhole ||
        journal->locations() != locations_.at(writer.get())) {
      fail(Status::kIo, fmt::format("the journal in {} reads back other bytes than were written",
                                    directory.string()));
    }
    journals[writer.get()] = std::move(journal);
  }
  return journals;
}

/// Gives all journals their names, or none.
void SetTransaction::name_journals() {
  std::set<fs::path> directories;
  for (const auto& [directory, writer] : journals_) directories.insert(directory);
  const auto uninterrupted = hold_off_abandoning();
  std::vector<PendingFile*> named;
  try {
    sync_directories(directories);
    for (const auto& [directory, writer] : journals_) {
      writer->file().commit(Existing::kRefuse);
      named.push_back(&writer->file());
    }
    sync_directories(directories);
    is_made_ = true;
  } catch (...) {
    bool are_withdrawn = true;
    for (PendingFile* const file : named) are_withdrawn &= file->withdraw();
    if (!are_withdrawn) {  // the change counts, and whoever writes next carries it out
      for (const auto& [directory, writer] : journals_) writer->file().leave();
      is_made_ = true;
    }
    throw;
  }
}

SetTransaction::Result SetTransaction::commit(Progress& progress) {
  Result result;
  progress.begin("syncing");
  if (bytes_behind_ != 0) {
    for (const std::vector<Copy>& copies : copies_) {
      for (const Copy& copy : copies) copy.file.sync();
    }
  }
  for (const auto& [directory, writer] : journals_) {
    writer->finish(before(), after_, locations_.at(writer.get()));
    result.bytes_written += writer->bytes();
  }
  const auto journals = read_journals();
  name_journals();
  progress.begin("carrying out");
  std::vector<ShardToChange> shards;
  for (const std::vector<Copy>& copies : copies_) {
    for (const Copy& copy : copies) {
      ShardHeader header = after_;
      header.location = copy.shard->header.location;
      shards.push_back(
          {copy.shard->path, copy.shard->file.identity(), header, journals.at(copy.journal)});
    }
  }
  const CarriedOut carried = carry_out(shards, threads_);
  result.failures = carried.failures;
  result.bytes_written += carried.bytes_written + bytes_behind_;
  std::set<fs::path> directories;
  for (const auto& [directory, writer] : journals_) {
    const std::vector<std::uint32_t>& locations = locations_.at(writer.get());
    const bool is_needed = std::ranges::any_of(locations, [&](std::uint32_t location) {
      return std::ranges::find(carried.locations, location) != carried.locations.end();
    });
    if (is_needed) continue;
    ::unlink(writer->file().destination().c_str());
    directories.insert(directory);
  }
  sync_directories(directories);
  return result;
}

}  // namespace xorloom
