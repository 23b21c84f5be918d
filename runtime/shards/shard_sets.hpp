#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codes/text/error.hpp"
#include "runtime/shards/shard_file.hpp"

namespace xorloom {

/// The shards of one set that were found, all with the same header but for the location.
struct ShardSet {
  ShardHeader header;             ///< any shard's header
  std::vector<ShardFile> shards;  ///< by location; several may have the same one
};

/// A file that is no shard of any set, although its name or content says that it could be one.
struct StrayFile {
  std::filesystem::path path;
  ShardFile::Kind kind;  ///< kWreck, kNewer or kConflicting
  std::string why;
  std::optional<FileIdentity> identity;  ///< if it is a regular file
  int error = 0;                         ///< errno, if the system could not read it
  /// The first header of a conflicting file with two generations of its set.
  std::optional<ShardHeader> header = {};

  /// True if the system denied reading it for lack of permission.
  bool is_forbidden() const;
};

/// The journal of a change in place, and what became of the change.
struct FoundJournal {
  enum class State {
    kCommitted,  ///< made: shards are read as the journal says
    kDiscarded,  ///< not made, or carried out since: nothing needs the journal
    kUndecided,  ///< changes the code, perhaps made: the shards before it are read, and no writer
                 ///< may change them until more are found
    kApart,      ///< of another history than the set that was found, and perhaps made
    kKept,       ///< cannot be decided from the shards that were found
  };
  std::shared_ptr<const Journal> journal;
  SetId set;
  bool is_pending = false;  ///< has a hidden name
  State state = State::kKept;
};

/// Shards, journals and other files that were found in some directories.
struct FoundShards {
  std::vector<std::filesystem::path> paths;  ///< paths that were looked at, as given
  std::vector<ShardSet> sets;                ///< the highest generation first
  std::vector<StrayFile> strays;
  /// Pending files that an ended program left behind and no set needs. `leftovers`: of sets without
  /// a shard under its own name; whoever holds the directory may remove them. `incomplete`: of sets
  /// that were found, or of a change that does not count but whose journal is there; they may go
  /// once the set is whole.
  std::vector<std::filesystem::path> leftovers;
  std::vector<std::pair<SetId, std::filesystem::path>> incomplete;
  std::vector<FoundJournal> journals;
  std::vector<std::string> unread;  ///< why a given path is of no use, a sentence each
  /// Entries of `unread` whose path is missing or cannot be read: there may be shards.
  std::vector<std::string> unread_places;
};

/// Looks at every file in some directories, not in subdirectories, and finds shards by their
/// content. A path of a file stands for that file. A file that has two names, or is found twice,
/// counts once.
///
/// A pending file (a hidden name, see PendingFile) counts as a shard of its set if another shard of
/// the set has its own name: all of a set's are complete before the first is renamed.
///
/// If a change in place was interrupted, the shards are those after it if its journals are
/// committed, else those before it; see apply_journals.
///
/// Errors: throws kIo if none of the paths can be read. If only some cannot, as of failed disks,
///         the result says so.
FoundShards find_shards(std::span<const std::filesystem::path> paths);

/// The highest generation count that a set in `found` has, or gets by a journal; 0 if there is
/// none.
std::uint64_t highest_generation(const FoundShards& found);

/// Chooses the set with the highest generation, or the one whose id begins with the digits in
/// `name`. Behind an '@', `name` may have the beginning of a generation as generation_text writes
/// it. Of several generations of one set, the one that all others came before is chosen. A change in
/// place raises the generation of a set, and replaces no other one: then both match, if the other
/// may have enough shards.
///
/// Errors: throws kIo if there is no set; kInvalidArgument if several match, naming all, or none
///         matches.
const ShardSet& choose_set(const FoundShards& found, std::string_view name = {});

/// "no shard of any set was found in DIR": for an error if there is no set.
std::string no_set_text(const FoundShards& found);

/// "set 0123… of 1234 bytes (report.doc), generation 3, 12 of 14 shards": for sentences.
std::string describe(const ShardSet& set);

/// Sets that are of different files, as the names that they remember tell, may have enough shards,
/// and have not replaced each other. Empty if there is only one such file.
std::vector<const ShardSet*> sets_of_files(const FoundShards& found);

/// The file with the name of a location's shard that the system could not read; null if none.
const StrayFile* unreadable_shard(const FoundShards& found, const ShardSet& set,
                                  std::uint32_t location);

/// Kind of the error if the shards of a set do not suffice: kIo if a given path, or the file of a
/// missing location, could not be read, as it need not be lost; else kDamaged.
Status kind_of_loss(const FoundShards& found, const ShardSet& set);

/// "; PATH: it cannot be read: …; what cannot be read may be whole; there is also set …, which
/// option set 0123…@1 chooses": what cannot be read, and other sets that may have enough shards;
/// empty if there are none.
std::string describe_others(const FoundShards& found, const ShardSet& meant);

/// The set with a header, whatever its location; null if there is none.
ShardSet* set_of(std::vector<ShardSet>& sets, const ShardHeader& header);
const ShardSet* set_of(const std::vector<ShardSet>& sets, const ShardHeader& header);

/// Adds a shard to its set, which is created if this is its first shard.
void add_to_set(std::vector<ShardSet>& sets, ShardFile shard);

/// Permissions for a file that is made of a set's shards: what all of them allow. See
/// permissions_within().
mode_t permissions_of(const ShardSet& set);

/// Locations that have a shard, ascending.
std::vector<std::size_t> locations_present(const ShardSet& set);

}  // namespace xorloom
