#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/sets/change_set.hpp"
#include "runtime/sets/convert_set.hpp"
#include "tests/runtime/shards/shard_scene.hpp"

namespace xorloom::test {

/// A set in three directories that is changed at random, and what its file has to be.
class ChangeHistory {
 public:
  /// Codes of four data shards take turns with the seed; no directory has more shards than they may
  /// lose.
  explicit ChangeHistory(std::uint64_t seed);

  /// Does one thing: patches, appends, truncates, repairs or converts.
  void change();

  /// Patches some bytes through the shards of some directories.
  void patch(const std::vector<std::filesystem::path>& directories);

  /// Encodes another file in place of the set.
  void replace();

  /// Loses a shard, or damages a block of one, and repairs the set.
  void damage_and_repair();

  const std::vector<std::filesystem::path>& directories() const { return directories_; }
  const std::string& content() const { return content_; }
  const std::string& last() const { return last_; }  ///< the last step, in a word
  std::mt19937_64& random() { return random_; }
  std::size_t draw(std::size_t most);

 private:
  ChangeRequest request(std::vector<std::filesystem::path> directories) const;
  void encode(bool replace);

  std::mt19937_64 random_;
  const char* spec_;
  TemporaryFolder folder_{memory_directory()};
  std::vector<std::filesystem::path> directories_;
  std::string content_;
  std::string last_;
};

/// All files of some directories, by path.
using SetFiles = std::map<std::filesystem::path, std::string>;
SetFiles files_in(const std::vector<std::filesystem::path>& directories);

/// Gives a directory the files that it had.
void put_back(const std::filesystem::path& directory, const SetFiles& files);

/// Content of the set's file, read both whole and in parts. nullopt: the set cannot be read, or a
/// part of the file is lost.
std::optional<std::string> content_of(const std::vector<std::filesystem::path>& directories);

}  // namespace xorloom::test
