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

/// Unpacks an archive of files into a pending tree while the bytes of the archive arrive.
///
/// Nothing is written outside the tree. The archive is refused if a name or the target of a hard
/// link is absolute, contains "..", or passes through a symbolic link. Files, directories and links
/// are restored with permissions and times, but without owners, setuid and setgid. Other entries,
/// such as devices, are left out.
///
/// During its lifetime the tree is the working directory of the process, since libarchive writes
/// relative to it. Other code must open files by absolute paths meanwhile.
class TreeExtractor {
 public:
  /// Calls `check_name` once per name at the top of the tree, usually on another thread.
  /// `check_name` throws if the name must not appear. With `keeps_going`, entries that the file
  /// system cannot hold are left out.
  TreeExtractor(const PendingTree& tree, std::function<void(const std::string&)> check_name,
                bool keeps_going);
  TreeExtractor(const TreeExtractor&) = delete;
  TreeExtractor& operator=(const TreeExtractor&) = delete;
  ~TreeExtractor();

  /// Takes the next bytes of the archive.
  ///
  /// Errors: throws kIo if the system refuses to write; kDamaged if the bytes are no archive of
  ///         files, or if the archive is refused; what `check_name` throws.
  void write(std::span<const std::uint8_t> bytes);

  /// Ends the archive. Errors: as write(); throws kDamaged if the archive was cut.
  void finish();

  /// Number of unpacked files, directories and links. Precondition: finish() has returned.
  std::size_t entries() const;
  std::size_t left_out() const;  ///< entries that the file system cannot hold

  /// Sentences on what was left out or not restored. Precondition: finish() has returned.
  const std::vector<std::string>& remarks() const;

 private:
  class Unpacker;
  std::unique_ptr<Unpacker> unpacker_;
};

}  // namespace xorloom::cli
