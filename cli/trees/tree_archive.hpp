#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cli/trees/tree_roots.hpp"

namespace xorloom::cli {

/// The pax archive of files and directories, made while it is read.
///
/// It has names, permissions, times of modification to the nanosecond, symbolic links, and hard
/// links among its files. It has no owners, and its bytes depend on nothing else: the names in a
/// directory are sorted. Names are stored as the bytes that they are.
class TreeArchive {
 public:
  explicit TreeArchive(std::vector<TreeRoot> roots);
  TreeArchive(const TreeArchive&) = delete;
  TreeArchive& operator=(const TreeArchive&) = delete;
  ~TreeArchive();

  /// Fills the bytes and returns how many it filled: fewer only at the end.
  ///
  /// Errors: throws kIo if a file or a directory cannot be read, or is changed meanwhile.
  /// Cost:   memory for the names of the directories from a root to where it is, and a piece of a
  ///         file.
  std::size_t read(std::span<std::uint8_t> bytes);

  /// How many files, directories and links it has so far.
  std::size_t entries() const;

  /// What it has not, each with the reason: "photos/socket: it is a socket".
  const std::vector<std::string>& left_out() const;

 private:
  class Maker;
  std::unique_ptr<Maker> maker_;
};

}  // namespace xorloom::cli
