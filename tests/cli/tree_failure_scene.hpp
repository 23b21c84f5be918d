#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/cli/tree_scene.hpp"

namespace xorloom::test {

/// Commands that encode and decode a tree, their files, and checks of the state after an
/// interruption.
///
///   photos, notes.txt   the tree
///   set                 its shards
///   to                  a directory with other files of these names
///   new, encoded        not there
class TreeFailureScene {
 public:
  explicit TreeFailureScene(std::size_t large_bytes);  ///< size of the largest file

  /// Command lines that write to the directory `name`.
  std::vector<std::string> encode_to(const std::string& name) const;
  std::vector<std::string> decode_to(const std::string& name) const;

  /// Makes the state before the command.
  void prepare() const;

  /// Describe the first violation after an interruption; empty: none. The commands are a decode
  /// into "to", a decode into "new/", and an encode into "encoded". Each name must be the old one
  /// or the new one; the next command must do its work and leave nothing else.
  std::string flaw_of_replaced() const;
  std::string flaw_of_made() const;
  std::string flaw_of_encoded() const;

  /// True if nothing has changed in "to", and there is no "new".
  bool is_as_before() const;

  /// Names that a finished set or tree does not have: hidden names, an empty new directory.
  std::string litter() const;

 private:
  bool has_old() const;
  std::string flaw_of_whole(const std::string& name) const;

  TreeFolder folder_;
  std::string photos_;  ///< its listing
};

}  // namespace xorloom::test
