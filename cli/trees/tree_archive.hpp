#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cli/trees/tree_roots.hpp"

namespace xorloom::cli {

/// A pax archive of files and directories, made while it is read.
///
/// It stores names, permissions, modification times in nanoseconds, symbolic links, and hard links
/// among its files. Its bytes depend on nothing else: it has no owners, and the names in a
/// directory are sorted. Names are stored as raw bytes.
class TreeArchive {
 public:
  explicit TreeArchive(std::vector<TreeRoot> roots);
  TreeArchive(const TreeArchive&) = delete;
  TreeArchive& operator=(const TreeArchive&) = delete;
  ~TreeArchive();

  /// Fills `bytes` with the next bytes of the archive. Returns the number filled; less than
  /// bytes.size() only at the end.
  ///
  /// Errors: throws kIo if a file or directory cannot be read, or if a file changes meanwhile.
  /// Cost:   memory for the names in each directory from a root to the current file, and for a
  ///         piece of the file.
  std::size_t read(std::span<std::uint8_t> bytes);

  /// Number of files, directories and links added so far.
  std::size_t entries() const;

  /// Paths that were left out so far, with the reason: "photos/socket: it is a socket".
  const std::vector<std::string>& left_out() const;

 private:
  class Maker;
  std::unique_ptr<Maker> maker_;
};

}  // namespace xorloom::cli
