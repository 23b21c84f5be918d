#pragma once

#include <cstdint>
#include <filesystem>
#include <list>
#include <set>
#include <vector>

#include "runtime/files/directory_lock.hpp"
#include "runtime/protection/protection.hpp"
#include "runtime/protection/write_parts.hpp"

namespace xorloom {

/// The protection files that a command writes. A link stays: the file that it leads to is written.
/// Locks the directories of the files against other programs while it exists.
class OutputParts {
 public:
  /// Removes what killed programs left of these files. Errors: throws what DirectoryLock throws.
  explicit OutputParts(const std::vector<std::filesystem::path>& paths);

  /// Begins parts at `places`, some of the paths. They allow at most `permissions`.
  ///
  /// Errors: throws what PendingFile throws.
  void begin(const std::vector<PlaceOfPart>& places, mode_t permissions);

  /// The parts that were begun.
  std::vector<PartBeingWritten>& parts() { return parts_; }
  std::uint64_t bytes() const;

  /// Gives all parts their names. If a part cannot have its name and nothing was replaced, none
  /// gets its name.
  ///
  /// Errors: throws kIo.
  void name_all(Existing existing);

 private:
  std::set<std::filesystem::path> directories_;
  std::list<DirectoryLock> locks_;
  std::vector<PartBeingWritten> parts_;
};

/// The parts that share the redundancy of a new protection, one for each path. Precondition:
/// `header` is that of part 0, except for its share.
std::vector<PlaceOfPart> shared_parts(PartHeader header,
                                      const std::vector<std::filesystem::path>& paths,
                                      std::size_t m);

/// The id and the generation of a protection that replaces others. If all files there are parts of
/// one protection: its id and next generation; else a new id.
PartHeader successor_of(const std::vector<std::filesystem::path>& paths);

}  // namespace xorloom
