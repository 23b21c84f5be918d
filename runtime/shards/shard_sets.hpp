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
  ShardHeader header;             ///< of any of them
  std::vector<ShardFile> shards;  ///< by location; several may have the same one
};

/// A file that is no shard of any set, though something tells that it could be one.
struct StrayFile {
  std::filesystem::path path;
  ShardFile::Kind kind;  ///< kWreck, kNewer or kConflicting
  std::string why;
  std::optional<FileIdentity> identity;  ///< if it is a regular file
  int error = 0;                         ///< errno, if the system could not read it
  /// Of a conflicting one with two generations of its set: the header at its beginning.
  std::optional<ShardHeader> header = {};

  /// Whether other permissions would let it be read.
  bool is_forbidden() const;
};

/// The journal of a change in place, and what became of the change.
struct FoundJournal {
  enum class State {
    kCommitted,  ///< made: shards are read as the journal says
    kDiscarded,  ///< not made, or carried out since: nothing needs the journal
    kUndecided,  ///< of another code, perhaps made: the shards are read as those before it, and no
                 ///< writer may change them until more are found
    kApart,      ///< of another history than the set that was found, and perhaps made
    kKept,       ///< not to be told from the shards that were found
  };
  std::shared_ptr<const Journal> journal;
  SetId set;
  bool is_pending = false;  ///< it has a hidden name
  State state = State::kKept;
};

/// What some directories hold.
struct FoundShards {
  std::vector<std::filesystem::path> paths;  ///< that were looked at, as they were given
  std::vector<ShardSet> sets;                ///< the highest generation first
  std::vector<StrayFile> strays;
  /// Pending files that an ended program left behind and no set needs: of a set without a shard
  /// under a name of its own, or incomplete, or of a change whose journal is there and that does
  /// not count. Whoever holds the directory may remove the first; the others may go once the set is
  /// whole.
  std::vector<std::filesystem::path> leftovers;
  std::vector<std::pair<SetId, std::filesystem::path>> incomplete;
  std::vector<FoundJournal> journals;
  std::vector<std::string> unread;  ///< why a given path is of no use, a sentence each
  /// Those of paths that are not there or that the system did not let be read: there may be shards.
  std::vector<std::string> unread_places;
};

/// Looks at every file in some directories, not in theirs, and finds shards by their content. A
/// path of a file stands for that file. A file that has two names, or is come by twice, counts
/// once.
///
/// A pending file (a hidden name, see PendingFile) counts as a shard of its set if another of the
/// set has a name of its own: all of a set's are complete before the first is renamed.
///
/// Where a change in place was interrupted, the shards are those after it if its journals are
/// committed, and those before it if they are not; see apply_journals.
///
/// Errors: throws kIo if none of the paths can be read. Of several, as of
///         disks, some may fail; that is in what is returned.
FoundShards find_shards(std::span<const std::filesystem::path> paths);

/// The highest count of a generation that a set has there, or gets by a journal; 0 if there is
/// none.
std::uint64_t highest_generation(const FoundShards& found);

/// The set that is meant: the one with the highest generation, or the one whose id begins with the
/// given digits. Behind an '@' may stand the beginning of its generation, as generation_text has
/// it. Of generations of one set, the one is meant that all others came before.
///
/// Errors: throws kIo if there is no set; kInvalidArgument if several are meant, naming all, or the
///         digits fit none.
const ShardSet& choose_set(const FoundShards& found, std::string_view name = {});

/// "no shard of any set was found in DIR": for an error if there is no set.
std::string no_set_text(const FoundShards& found);

/// "set 0123… of 1234 bytes, generation 3, 12 of 14 shards": for sentences.
std::string describe(const ShardSet& set);

/// The file of a location that the system could not read, told by its name, if there is one.
const StrayFile* unreadable_shard(const FoundShards& found, const ShardSet& set,
                                  std::uint32_t location);

/// What it means that the shards of a set do not suffice: kIo if the system could not read a given
/// path, or the file of any location, which need not be lost; else kDamaged.
Status kind_of_loss(const FoundShards& found, const ShardSet& set);

/// "; PATH: it cannot be read: …; what cannot be read may be whole; there is also set …, which
/// option set 0123…@1 chooses": what cannot be read, and other sets that may have enough shards;
/// empty if there are none.
std::string describe_others(const FoundShards& found, const ShardSet& meant);

/// The set with a header, whatever its location; null if there is none.
ShardSet* set_of(std::vector<ShardSet>& sets, const ShardHeader& header);
const ShardSet* set_of(const std::vector<ShardSet>& sets, const ShardHeader& header);

/// Puts a shard to those of its set, of which it may be the first.
void add_to_set(std::vector<ShardSet>& sets, ShardFile shard);

/// What a file may allow that is made of a set's shards: what all of them allow. See
/// permissions_within().
mode_t permissions_of(const ShardSet& set);

/// Locations that have a shard, ascending.
std::vector<std::size_t> locations_present(const ShardSet& set);

}  // namespace xorloom
