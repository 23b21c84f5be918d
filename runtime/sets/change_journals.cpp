#include "runtime/sets/change_journals.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "codes/text/error.hpp"
#include "runtime/files/open_file.hpp"

namespace xorloom {
namespace fs = std::filesystem;

JournalWriter& ChangeJournals::in(const fs::path& directory) {
  const auto known = std::ranges::find_if(
      journals_, [&](const auto& each) { return is_same_directory(each.first, directory); });
  if (known != journals_.end()) return *known->second;
  auto journal = std::make_unique<JournalWriter>(directory, set_, generation_, most_);
  return *journals_.emplace(directory, std::move(journal)).first->second;
}

void ChangeJournals::cover(const JournalWriter& journal, std::uint32_t location) {
  std::vector<std::uint32_t>& locations = locations_[&journal];
  if (locations.empty() || locations.back() != location) locations.push_back(location);
}

bool ChangeJournals::covers_any(const JournalWriter& journal,
                                std::span<const std::uint32_t> locations) const {
  const auto covered = locations_.find(&journal);
  return covered != locations_.end() &&
         std::ranges::any_of(covered->second, [&](std::uint32_t location) {
           return std::ranges::find(locations, location) != locations.end();
         });
}

void ChangeJournals::finish(const ShardHeader& before, const ShardHeader& after) {
  for (const auto& [directory, writer] : journals_) {
    writer->finish(before, after, locations_[writer.get()]);
  }
  for (const auto& [directory, writer] : journals_) {
    auto journal = std::make_shared<const Journal>(writer->file().temporary());
    if (journal->kind() != Journal::Kind::kWhole ||
        journal->locations() != locations_.at(writer.get())) {
      fail(Status::kIo, fmt::format("the journal in {} reads back other bytes than were written",
                                    directory.string()));
    }
    read_back_[writer.get()] = std::move(journal);
  }
}

void ChangeJournals::name_all(std::span<PendingFile> brought) {
  const auto uninterrupted = hold_off_abandoning();
  std::vector<PendingFile*> named;
  named.reserve(journals_.size());
  try {
    sync_directories(directories());
    for (const auto& [directory, writer] : journals_) {
      writer->file().commit(Existing::kRefuse);
      named.push_back(&writer->file());
    }
    sync_directories(directories());
    is_made_ = true;
    for (PendingFile& file : brought) file.leave();
  } catch (...) {
    bool are_withdrawn = true;
    for (PendingFile* const file : named) are_withdrawn &= file->withdraw();
    // A journal that still has its name on the disk must not be without the files that it needs.
    if (are_withdrawn && !brought.empty()) {
      for (const fs::path& directory : directories()) {
        are_withdrawn &= sync_directory(directory) == 0;
      }
    }
    if (!are_withdrawn) leave_all(brought);  // the next writer carries it out, or removes it
    throw;
  }
}

void ChangeJournals::leave_all(std::span<PendingFile> brought) {
  for (const auto& [directory, writer] : journals_) writer->file().leave();
  for (PendingFile& file : brought) file.leave();
  is_made_ = true;
}

void ChangeJournals::remove_without(std::span<const std::uint32_t> locations) {
  std::set<fs::path> changed;
  for (const auto& [directory, writer] : journals_) {
    if (covers_any(*writer, locations)) continue;
    ::unlink(writer->file().destination().c_str());
    changed.insert(directory);
  }
  sync_directories(changed);
}

std::set<fs::path> ChangeJournals::directories() const {
  std::set<fs::path> directories;
  for (const auto& [directory, writer] : journals_) directories.insert(directory);
  return directories;
}

std::uint64_t ChangeJournals::bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& [directory, writer] : journals_) bytes += writer->bytes();
  return bytes;
}

}  // namespace xorloom
