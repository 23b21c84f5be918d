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
///                                                  /old/   what they replace, if names cannot be
///                                                          exchanged
///
/// The hidden directory is locked as long as its program runs, and the next tree in DIRECTORY
/// removes what a dead program left. A name that is replaced has its old content or the new one at
/// any moment: the two names are exchanged. If the file system cannot do that, the name is missing
/// for a moment; if the program is killed then, the next tree puts the old content back.
class PendingTree {
 public:
  /// Errors: throws kIo if nothing can be made in the directory.
  explicit PendingTree(const std::filesystem::path& directory);
  PendingTree(const PendingTree&) = delete;
  PendingTree& operator=(const PendingTree&) = delete;

  /// Removes what was not committed, and what was replaced.
  ~PendingTree();

  /// The directory in which to make everything, and the one where it will appear: absolute paths.
  const std::filesystem::path& path() const { return new_; }
  const std::filesystem::path& destination() const { return destination_; }

  /// The names in path(), sorted.
  std::vector<std::string> names() const;

  /// Syncs everything, moves it to its place, and syncs the directory.
  ///
  /// Errors: throws kIo, also if a name is taken and `existing` is kRefuse. All names then have
  ///         their old content.
  void commit(Existing existing);

  /// Removes the content that commit() has replaced. Returns the hidden directory if it stays (an
  /// empty path if there is no memory for its name); nullopt if it is gone.
  std::optional<std::filesystem::path> clear() noexcept;

 private:
  enum class Placing { kFree, kExchanged, kAside };
  /// The paths that a name can have, so that taking it back allocates nothing.
  struct Placed {
    std::filesystem::path from;   ///< path at which it was made
    std::filesystem::path to;     ///< its place
    std::filesystem::path aside;  ///< place of the old content if names cannot be exchanged
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
  int descriptor_ = -1;  ///< descriptor of the hidden directory
  bool has_to_stay_ =
      false;  ///< has old content that could not be put back; the next tree tries again
};

}  // namespace xorloom
