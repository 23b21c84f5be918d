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
  /// `most`: what the journals may allow at most; see permissions_of().
  ChangeJournals(const SetId& set, std::uint64_t generation, mode_t most)
      : set_(set), generation_(generation), most_(most) {}

  /// The journal in a directory, begun if there is none yet. Errors: throws kIo.
  JournalWriter& in(const std::filesystem::path& directory);

  /// Makes a journal cover a location. Precondition: locations come in ascending order.
  void cover(const JournalWriter& journal, std::uint32_t location);
  bool covers_any(const JournalWriter& journal, std::span<const std::uint32_t> locations) const;

  /// Finishes all journals and reads them back, before anything depends on them.
  ///
  /// Errors: throws kIo.
  void finish(const ShardHeader& before, const ShardHeader& after);

  /// A finished journal, as it was read back.
  std::shared_ptr<const Journal> read_back(const JournalWriter& journal) const {
    return read_back_.at(&journal);
  }

  /// Gives all journals their names, or none. Once the change is made, the pending files `brought`
  /// are its own and are left as they are.
  ///
  /// Errors: throws kIo; then is_made() tells whether the change counts nevertheless, or may count.
  void name_all(std::span<PendingFile> brought = {});
  bool is_made() const { return is_made_; }

  /// Removes each journal that covers none of `locations`. Errors: throws kIo.
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
