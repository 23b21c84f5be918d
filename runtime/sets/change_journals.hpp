#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include "runtime/files/pending_file.hpp"
#include "runtime/shards/shard_journal.hpp"

namespace xorloom {

/// The journals of one change in place, one in each directory. The change is made once they have
/// their names.
class ChangeJournals {
 public:
  /// The journals allow at most what `most` does: see permissions_of().
  ChangeJournals(const SetId& set, std::uint64_t generation, mode_t most)
      : set_(set), generation_(generation), most_(most) {}

  /// The journal in a directory, which is begun if there is none. Errors: throws kIo.
  JournalWriter& in(const std::filesystem::path& directory);

  /// Says that a journal speaks for a location; locations ascend.
  void cover(const JournalWriter& journal, std::uint32_t location);
  bool covers_any(const JournalWriter& journal, std::span<const std::uint32_t> locations) const;

  /// Finishes all journals and reads them back before anything depends on them.
  ///
  /// Errors: throws kIo.
  void finish(const ShardHeader& before, const ShardHeader& after);

  /// A finished journal, as it was read back.
  std::shared_ptr<const Journal> read_back(const JournalWriter& journal) const {
    return read_back_.at(&journal);
  }

  /// Gives all journals their names, or none. Pending files that the change brings along are left
  /// as they are if it is made: they are its own then.
  ///
  /// Errors: throws kIo; is_made tells whether the change counts all the same, or may count.
  void name_all(std::span<PendingFile> brought = {});
  bool is_made() const { return is_made_; }

  /// Removes the journals that speak for none of some locations. Errors: throws kIo.
  void remove_without(std::span<const std::uint32_t> locations);

  std::set<std::filesystem::path> directories() const;
  std::uint64_t bytes() const;

 private:
  void leave_all(std::span<PendingFile> brought);

  SetId set_;
  std::uint64_t generation_;
  mode_t most_;
  std::map<std::filesystem::path, std::unique_ptr<JournalWriter>> journals_;  ///< by directory
  std::map<const JournalWriter*, std::vector<std::uint32_t>> locations_;
  std::map<const JournalWriter*, std::shared_ptr<const Journal>> read_back_;
  bool is_made_ = false;
};

}  // namespace xorloom
