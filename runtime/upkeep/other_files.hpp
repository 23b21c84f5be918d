#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <set>
#include <vector>

#include "runtime/files/open_file.hpp"
#include "runtime/upkeep/source_reader.hpp"

namespace xorloom {

/// Files that are no protected ones under their names, and may hold what is missing. Each is listed
/// once, however often it is come by.
class OtherFiles {
 public:
  /// Which files are listed.
  struct Wanted {
    bool below = false;                 ///< those in directories below one, too
    bool is_given = false;              ///< see SourceFile
    std::set<std::uint64_t> lengths{};  ///< only these; empty: all
    bool stays_on_device = false;       ///< in directories on the file system of the first alone
  };

  /// Adds to `sources`, which outlives this.
  explicit OtherFiles(std::vector<SourceFile>& sources) : sources_(sources) {}

  void pass_over(const FileIdentity& file) { passed_over_.insert(file); }

  /// What is no regular file, empty, unfinished, or cannot be read is not listed.
  void add_file(const std::filesystem::path& path, const Wanted& wanted);
  void add_directory(const std::filesystem::path& directory, const Wanted& wanted);

  /// Adds a source that is no other file.
  std::uint32_t add_source(const std::filesystem::path& path, std::uint64_t bytes, bool is_given);

  /// The numbers of the files among the sources, ascending.
  const std::vector<std::uint32_t>& sources() const { return listed_; }
  bool contains(std::uint32_t source) const;

 private:
  std::vector<SourceFile>& sources_;
  std::set<FileIdentity> passed_over_;
  std::vector<std::uint32_t> listed_;
};

}  // namespace xorloom
