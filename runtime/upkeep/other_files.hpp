#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "runtime/files/open_file.hpp"
#include "runtime/upkeep/source_reader.hpp"

namespace xorloom {

/// Names that are none of protected files, of files that may hold what is missing. A file with
/// several names is listed under each: any of them may be the new name of a protected file.
class OtherFiles {
 public:
  /// Which files are listed.
  struct Wanted {
    bool below = false;                 ///< those in directories below one, too
    bool is_given = false;              ///< see SourceFile
    std::set<std::uint64_t> lengths{};  ///< only these; empty: all
    bool stays_on_device = false;       ///< in directories on the file system of the first alone
    bool follows_links = false;         ///< what symbolic links lead to, by the names of the links
  };

  /// Adds to `sources`, which outlives this.
  explicit OtherFiles(std::vector<SourceFile>& sources) : sources_(sources) {}

  /// Lists a file under no name.
  void pass_over(const FileIdentity& file) { passed_over_.insert(file); }

  /// Adds the source that is a protected file under its own name.
  std::uint32_t add_protected(const std::filesystem::path& path, std::uint64_t bytes,
                              const FileIdentity& identity);

  /// What is no regular file, empty, unfinished, or cannot be read is not listed. No name is listed
  /// twice.
  void add_file(const std::filesystem::path& path, const Wanted& wanted);
  void add_directory(const std::filesystem::path& directory, const Wanted& wanted);

  /// Adds a source that is no other file.
  std::uint32_t add_source(const std::filesystem::path& path, std::uint64_t bytes, bool is_given);

  /// The numbers of the files among the sources, ascending.
  const std::vector<std::uint32_t>& sources() const { return listed_; }
  bool contains(std::uint32_t source) const;

  /// The directories that could not be searched.
  const std::set<std::filesystem::path>& unsearched() const { return unsearched_; }

  /// The first source that is the same file as this one, under whatever name.
  std::uint32_t first_name(std::uint32_t source) const;

 private:
  /// A name in a directory, however the path to the directory is spelled.
  using Name = std::pair<FileIdentity, std::string>;
  struct Names {
    std::uint32_t first;    ///< source
    std::size_t names = 0;  ///< that have a source
  };

  Name name_of(const std::filesystem::path& path);
  void add_names_in(const std::filesystem::path& directory, const Wanted& wanted);

  std::vector<SourceFile>& sources_;
  std::set<FileIdentity> passed_over_;
  std::set<Name> names_;                ///< that have a source, but those of unnamed_
  std::vector<std::uint32_t> unnamed_;  ///< protected files: if all are whole, no name is needed
  std::map<FileIdentity, Names> by_identity_;
  std::map<std::uint32_t, std::uint32_t> first_names_;  ///< of sources that are a file's next name
  std::vector<std::uint32_t> listed_;
  std::set<std::filesystem::path> unsearched_;
  std::set<FileIdentity> entered_;        ///< by links, in one call of add_directory()
  std::filesystem::path last_directory_;  ///< of which last_identity_ is known
  FileIdentity last_identity_;
};

/// With how many equal names two paths end.
std::size_t num_equal_ends(const std::filesystem::path& one, const std::filesystem::path& other);

}  // namespace xorloom
