#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tests/cli/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace xorloom::test {

/// A command that writes shards, all it works on, and what has to hold after it was interrupted.
class ShardScene {
 public:
  enum class Command {
    kEncode,    ///< a file into a directory without a set
    kReplace,   ///< a file over the set of another one
    kRepair,    ///< a set that has lost two shards, two others being damaged
    kRepairTo,  ///< the same into another directory
    kConvert,   ///< such a set to another code with as many shards
  };

  /// A new scene is prepared with empty directories.
  ShardScene(Command command, std::size_t file_bytes, const std::string& threads);

  /// Makes all as it is to be before the command; directories that it can make are there, or not.
  void prepare(bool with_empty_directories);

  /// The command line.
  std::vector<std::string> arguments() const;

  /// What the paths of all files in the command's directories begin with.
  std::vector<std::string> directories() const { return {d_, to_}; }

  /// Whether a shard has got its name since, or one that was there has gone.
  bool is_naming() const;
  bool is_removing() const;

  /// How far the command came, told by the names that are there.
  std::string phase() const;

  /// Whether its new shards get their names all or none; repair keeps those that have got theirs.
  bool gives_all_names_or_none() const {
    return command_ == Command::kEncode || command_ == Command::kReplace ||
           command_ == Command::kConvert;
  }

  /// Whether there are the same names as before.
  bool is_as_before() const;

  /// What is there now and has no place in a finished set: hidden names, a directory that was made
  /// in vain.
  std::string litter() const;

  /// What should hold after the command was interrupted and does not, empty if all does: the file
  /// that was there is given back, or the one that was to be; the next command does its work; then
  /// there are the shards of one whole set and nothing else.
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
  std::string set_ = folder_ / "set";  ///< what was there, if anything was
  std::string d_ = folder_ / "d";
  std::string to_ = folder_ / "to";
  std::string back_ = folder_ / "back";
  std::vector<std::string> damaged_;
  std::vector<std::string> before_;
  bool had_directories_ = false;
};

}  // namespace xorloom::test
