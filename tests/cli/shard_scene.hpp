#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {

/// A command that writes shards, its files, and checks of the state after an interruption.
class ShardScene {
 public:
  enum class Command {
    kEncode,    ///< a file into a directory without a set
    kReplace,   ///< a file over the set of another one
    kRepair,    ///< a set that has lost two shards, two others being damaged
    kRepairTo,  ///< repairs such a set into another directory
    kConvert,   ///< converts such a set to another code with as many shards
  };

  /// A new scene is prepared with empty directories.
  ShardScene(Command command, std::size_t file_bytes, const std::string& threads);

  /// Makes the state before the command. `with_empty_directories`: the directories that the command
  /// could make exist already.
  void prepare(bool with_empty_directories);

  /// The command line.
  std::vector<std::string> arguments() const;

  /// The command's directories; the paths of all its files begin with one of them.
  std::vector<std::string> directories() const { return {d_, to_}; }

  /// True if a shard has got its name since, or one that was there has gone.
  bool is_naming() const;
  bool is_removing() const;

  /// Progress of the command, judged by the names that are there.
  std::string phase() const;

  /// True if all new shards get their names, or none. repair keeps those that have got theirs.
  bool gives_all_names_or_none() const {
    return command_ == Command::kEncode || command_ == Command::kReplace ||
           command_ == Command::kConvert;
  }

  /// True if the names are those before the command.
  bool is_as_before() const;

  /// New names that a finished set does not have: hidden names, an empty new directory.
  std::string litter() const;

  /// Describes the first violation after an interruption; empty: none. The file must be the old one
  /// or the new one; the next command must do its work; then there must be the shards of one whole
  /// set and nothing else.
  std::string flaw();

 private:
  struct Count {
    std::size_t gone = 0;
    std::size_t fresh = 0;
    std::size_t hidden = 0;
  };

  void make_set();
  std::vector<std::string> names() const;
  Count count() const;
  std::string flaw_of(const std::vector<std::string>& next);
  std::string flaw_of_whole(const std::vector<std::string>& directories,
                            const std::string& content) const;
  bool decode() const;

  TemporaryFolder folder_{memory_directory()};
  Command command_;
  std::string threads_;
  std::string old_;
  std::string new_;
  std::string set_ = folder_ / "set";  ///< the set before the command, if any
  std::string d_ = folder_ / "d";
  std::string to_ = folder_ / "to";
  std::string back_ = folder_ / "back";
  std::vector<std::string> damaged_;
  std::vector<std::string> before_;
  bool had_directories_ = false;
};

}  // namespace xorloom::test
