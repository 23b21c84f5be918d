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

/// The protection files that a command writes. It holds their directories against other programs as
/// long as it exists.
class OutputParts {
 public:
  /// Removes what killed programs left of them. Errors: throws what DirectoryLock throws.
  explicit OutputParts(const std::vector<std::filesystem::path>& paths);

  /// Begins parts at some of the paths. They allow at most `permissions`.
  ///
  /// Errors: throws what PendingFile throws.
  void begin(const std::vector<PlaceOfPart>& places, mode_t permissions);

  /// Those that were begun.
  std::vector<PartBeingWritten>& parts() { return parts_; }
  std::uint64_t bytes() const;

  /// Gives all parts their names; none, if one cannot have its name and nothing was replaced.
  ///
  /// Errors: throws kIo.
  void name_all(Existing existing);

 private:
  std::set<std::filesystem::path> directories_;
  std::list<DirectoryLock> locks_;
  std::vector<PartBeingWritten> parts_;
};

/// The parts that share the redundancy of a new protection, one for each path. Shape: `header` is
/// that of part 0 but for its share.
std::vector<PlaceOfPart> shared_parts(PartHeader header,
                                      const std::vector<std::filesystem::path>& paths,
                                      std::size_t m);

/// The id and the generation of a protection that takes the place of others: those of a new one, or
/// of the next generation if all files that are there are parts of one.
PartHeader successor_of(const std::vector<std::filesystem::path>& paths);

}  // namespace xorloom
