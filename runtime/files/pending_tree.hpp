#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/files/pending_file.hpp"

namespace xorloom {

/// Files and directories that appear in a directory under their names once all of them are
/// complete, or not at all.
///
///   DIRECTORY/.tree.xorloom-output-0123456789abcdef/new/   where they are made
///                                                  /old/   what they replace, where names cannot
///                                                          be exchanged
///
/// The hidden directory is locked as long as its program runs, and the next tree in DIRECTORY
/// removes what a dead program left. Of a name that is replaced there is the old content or the new
/// one at any moment: the two names are exchanged. A file system that cannot do that has neither
/// for a moment; if the program is killed then, the next tree puts the old content back.
class PendingTree {
 public:
  /// Errors: throws kIo if nothing can be made in the directory.
  explicit PendingTree(const std::filesystem::path& directory);
  PendingTree(const PendingTree&) = delete;
  PendingTree& operator=(const PendingTree&) = delete;

  /// Removes what has no place of its own, and what was replaced.
  ~PendingTree();

  /// The directory in which to make everything, and the one where it is to appear: absolute paths.
  const std::filesystem::path& path() const { return new_; }
  const std::filesystem::path& destination() const { return destination_; }

  /// The names that were made, sorted.
  std::vector<std::string> names() const;

  /// Syncs everything, gives it its place, and syncs the directory.
  ///
  /// Errors: throws kIo, also if a name is taken and that is to be refused. All names are then what
  ///         they were.
  void commit(Existing existing);

  /// Removes what is left after commit: what was replaced. The hidden directory if it stays; an
  /// empty path if there is no memory for its name.
  std::optional<std::filesystem::path> clear() noexcept;

 private:
  enum class Placing { kFree, kExchanged, kAside };
  /// A name, by all the paths that it can have: taking it back allocates nothing.
  struct Placed {
    std::filesystem::path from;   ///< where it was made
    std::filesystem::path to;     ///< its place
    std::filesystem::path aside;  ///< of what it replaces, where names cannot be exchanged
    Placing how = Placing::kFree;
  };

  void make_root();
  void make_directories(const std::filesystem::path& directory);
  Placing place(const Placed& placed, Existing existing);
  void take_back(const Placed& placed) noexcept;
  void put_back(const Placed& placed) noexcept;

  std::filesystem::path destination_;
  std::optional<PendingName> root_;  ///< the hidden directory, until it is gone
  std::filesystem::path new_;
  std::filesystem::path old_;
  int descriptor_ = -1;  ///< of the hidden directory
  bool has_to_stay_ =
      false;  ///< since it has what could not be put back: the next tree tries again
};

}  // namespace xorloom
