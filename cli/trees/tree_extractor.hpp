#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/files/pending_tree.hpp"

namespace xorloom::cli {

/// Unpacks an archive of files into a pending tree while its bytes come.
///
/// Nothing is written outside of the tree, whatever the archive says: it is refused if a name, or
/// what a hard link leads to, is absolute, has "..", or goes through a symbolic link. There are
/// files, directories and links with their permissions and times, and no owners, devices or bits
/// that would give others the user's rights.
///
/// While there is one, the directory of the process is that of the tree: libarchive writes relative
/// to it. The paths of files that others are to open meanwhile have to be absolute.
class TreeExtractor {
 public:
  /// `check_name` is asked once for each name that is to appear, on another thread, and throws if
  /// it must not. With `keeps_going`, entries that the file system cannot hold are left out.
  TreeExtractor(const PendingTree& tree, std::function<void(const std::string&)> check_name,
                bool keeps_going);
  TreeExtractor(const TreeExtractor&) = delete;
  TreeExtractor& operator=(const TreeExtractor&) = delete;
  ~TreeExtractor();

  /// Takes the next bytes of the archive.
  ///
  /// Errors: throws kIo if the system refuses, kDamaged if this is no archive of files or one that
  ///         is refused, what check_name throws.
  void write(std::span<const std::uint8_t> bytes);

  /// Takes the end of the archive. Errors: as write, and kDamaged if the archive has no end.
  void finish();

  /// After finish: how many files, directories and links there are, and what is to be said: what
  /// was left out, or could not be restored.
  std::size_t entries() const;
  std::size_t left_out() const;  ///< entries that the file system cannot hold
  const std::vector<std::string>& remarks() const;

 private:
  class Unpacker;
  std::unique_ptr<Unpacker> unpacker_;
};

}  // namespace xorloom::cli
