#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/cli/tree_scene.hpp"

namespace xorloom::test {

/// Commands that encode and decode a tree, all they work on, and what has to hold after one of them
/// was interrupted.
///
///   photos, notes.txt   the tree
///   set                 its shards
///   to                  a directory with other files of these names
///   new, encoded        not there
class TreeFailureScene {
 public:
  explicit TreeFailureScene(std::size_t large_bytes);  ///< of the largest file

  /// The command lines: into a directory of that name.
  std::vector<std::string> encode_to(const std::string& name) const;
  std::vector<std::string> decode_to(const std::string& name) const;

  /// Makes all as it is to be before the command.
  void prepare() const;

  /// What should hold after a decode into "to", one into "new/", or an encode into "encoded", and
  /// does not, empty if all does: each name is the old one or the new one, the next command does
  /// its work, and then there is nothing else.
  std::string flaw_of_replaced() const;
  std::string flaw_of_made() const;
  std::string flaw_of_encoded() const;

  /// Whether nothing has changed in "to", and there is no "new".
  bool is_as_before() const;

  /// What has no place in a finished set or tree: hidden names, a directory that was made in vain.
  std::string litter() const;

 private:
  bool has_old() const;
  std::string flaw_of_whole(const std::string& name) const;

  TreeFolder folder_;
  std::string photos_;  ///< its listing
};

}  // namespace xorloom::test
