#pragma once

#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {

/// A command that changes a set in place, the set it works on, and what has to hold after it was
/// interrupted.
class ChangeScene {
 public:
  enum class Command {
    kPatch,
    kAppend,
    kTruncate,
    kRepair,          ///< after a patch while four shards were away
    kConvertToMore,   ///< to a code with two more redundant shards; the data shards stay
    kConvertToFewer,  ///< to one with two fewer
  };
  enum class Layout {
    kWhole,    ///< all shards, in one directory
    kMissing,  ///< as many are missing as may be
    kSpread,   ///< all, in seven directories, two of which vanish after the interruption
  };

  ChangeScene(Command command, Layout layout, std::size_t file_bytes);

  /// Makes all as it is to be before the command.
  void prepare();

  /// The command line.
  std::vector<std::string> arguments() const;
  const std::vector<std::string>& directories() const { return directories_; }

  /// Whether a journal has its name, or has had it.
  bool is_committed() const;

  /// How far the command came, told by the names that are there.
  std::string phase() const;

  /// What should hold after the command was interrupted and does not, empty if all does: the file
  /// is the one before or the one after, with all directories and without some, after a conversion
  /// also without some files of shards; it stays that one through a repair; then there are shards
  /// of one whole set and nothing else.
  std::string flaw(std::mt19937& random);

 private:
  std::vector<std::string> with(std::vector<std::string> command,
                                const std::vector<std::string>& directories) const;
  std::string decoded(const std::vector<std::string>& directories) const;
  bool converts() const;
  std::string flaw_without_some(std::mt19937& random);
  std::string flaw_without_shards(std::mt19937& random) const;
  bool is_one_of(const std::string& content) const;

  TemporaryFolder folder_{memory_directory()};
  Command command_;
  Layout layout_;
  std::string old_;
  std::string new_;
  std::size_t offset_ = 0;
  std::string input_ = folder_ / "input";
  std::string back_ = folder_ / "back";
  std::vector<std::string> directories_;
  std::string settled_;  ///< what the file has been found to be where shards were written since
};

}  // namespace xorloom::test
