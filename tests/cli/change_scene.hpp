#pragma once

#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {

/// A command that changes a set in place, its set, and checks of the state after an interruption.
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
    kMissing,  ///< the code could survive no further loss
    kSpread,   ///< all, in seven directories, two of which vanish after the interruption
  };

  ChangeScene(Command command, Layout layout, std::size_t file_bytes);

  /// Makes the state before the command.
  void prepare();

  /// The command line.
  std::vector<std::string> arguments() const;
  const std::vector<std::string>& directories() const { return directories_; }

  /// Whether a journal has its name, or has had it.
  bool is_committed() const;

  /// Progress of the command, judged by the names that are there.
  std::string phase() const;

  /// Describes the first violation after an interruption; empty: none. The file must be the old one
  /// or the new one, with all directories and without some. After a conversion this must also hold
  /// without some shards. A repair must not change the file, and must leave the shards of one whole
  /// set and nothing else.
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
  std::string settled_;  ///< content of the file that was decided on; must not change
};

}  // namespace xorloom::test
