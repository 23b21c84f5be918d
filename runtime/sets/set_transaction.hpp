#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/files/changed_file.hpp"
#include "runtime/files/directory_lock.hpp"
#include "runtime/files/progress.hpp"
#include "runtime/sets/change_journals.hpp"
#include "runtime/shards/opened_set.hpp"

namespace xorloom {

/// Names the set that is changed in place, and the options for that.
struct ChangeRequest {
  std::vector<std::filesystem::path> directories;
  std::string set_digits;
  Options options;  ///< threads are those of the pipeline; see run_pipeline
  ReadingBounds bounds = {};
  std::optional<FileIdentity> input = {};  ///< file that is read; must be no shard of the set
  bool as_file = false;                    ///< allow changing an archive of files, as one file
};

/// A change of a set's shards in place that is made as a whole or not at all.
///
/// New versions of blocks that the shards have are written to journals, one in each directory.
/// Blocks that an append adds are written behind the ends of the shards at once, where nobody looks
/// for them. Once all of that is on the disk, the journals get their names: then the change is
/// made, whatever happens. Then it is carried out, and the journals are removed.
///
/// Shards that are away are left behind; their generation tells that.
class SetTransaction {
 public:
  /// Locks the directories, carries out what interrupted programs left there, and opens the set.
  ///
  /// Errors: throws what DirectoryLock, find_shards, settle_journals and OpenedSet throw;
  ///         kInvalidArgument if the input is a shard of the set, or if the set holds an archive of
  ///         files and the request is not `as_file`; kDamaged if the shards that were found do not
  ///         suffice to recover the file; kIo if the system does not let shards be read that may
  ///         suffice, or if one of them cannot be written.
  explicit SetTransaction(const ChangeRequest& request);
  SetTransaction(const SetTransaction&) = delete;
  SetTransaction& operator=(const SetTransaction&) = delete;
  ~SetTransaction();

  const OpenedSet& set() const { return *set_; }
  const ShardHeader& before() const { return set_->header(); }

  /// The header that the set gets. set_file_bytes() changes its lengths until the commit.
  const ShardHeader& after() const { return after_; }
  void set_file_bytes(std::uint64_t file_bytes);

  /// True if a location has a shard, which is to be written.
  bool has_shard(std::size_t location) const { return !set_->copies(location).empty(); }

  /// Sets the new content of a location's block. Blocks come in any order, each once, from one
  /// thread at a time.
  ///
  /// Errors: throws kIo; nothing is changed then.
  void write(std::uint32_t location, std::uint64_t block, std::span<const std::uint8_t> frame,
             std::span<const std::uint8_t> payload);

  /// Sets the new frame of a block whose payload stays.
  void write_frame(std::uint32_t location, std::uint64_t block, const Frame& frame);

  struct Result {
    std::uint64_t bytes_written = 0;    ///< to journals and shards
    std::vector<std::string> failures;  ///< sentences about shards that still need their journals
  };

  /// Makes the change and carries it out.
  ///
  /// Errors: throws kIo if the change is not made, or if it cannot be told whether it is.
  Result commit(Progress& progress);

 private:
  struct Copy {
    const ShardFile* shard;
    ChangedFile file;
    JournalWriter* journal;
  };

  void open_copies();
  void reserve_ends();

  std::size_t threads_;
  std::vector<std::unique_ptr<DirectoryLock>> locks_;
  FoundShards found_;
  std::unique_ptr<OpenedSet> set_;
  ShardHeader after_;
  std::optional<ChangeJournals> journals_;
  std::vector<std::vector<Copy>> copies_;  ///< by location
  std::uint64_t bytes_behind_ = 0;         ///< bytes written behind the ends of shards
};

}  // namespace xorloom
