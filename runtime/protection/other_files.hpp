#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "runtime/files/modified_time.hpp"
#include "runtime/files/open_file.hpp"
#include "runtime/protection/source_reader.hpp"

namespace xorloom {

/// Lengths of files, and times that are known to the nanosecond: files that have one of either.
struct LengthsAndTimes {
  std::set<std::uint64_t> lengths{};
  std::set<ModifiedTime> times{};

  bool is_empty() const { return lengths.empty() && times.empty(); }
  bool contains(std::uint64_t bytes, const ModifiedTime& time) const {
    return lengths.contains(bytes) || times.contains(time);
  }
};

/// Lists files that may hold what is missing, by names other than those of protected files. A file
/// with several names is listed under each, as any of them may be the new name of a protected file.
class OtherFiles {
 public:
  /// Restricts the files that are listed.
  struct Wanted {
    bool below = false;            ///< also files in directories below
    bool is_given = false;         ///< see SourceFile
    LengthsAndTimes alike{};       ///< only these; empty: all
    bool stays_on_device = false;  ///< only directories on the file system of the first one
    bool follows_links = false;    ///< also targets of symbolic links, under the links' names
    std::set<std::filesystem::path> passed_over{};  ///< directories that are not entered
  };

  /// Adds to `sources`, which must outlive this.
  explicit OtherFiles(std::vector<SourceFile>& sources) : sources_(sources) {}

  /// Lists a file under none of its names.
  void pass_over(const FileIdentity& file) { passed_over_.insert(file); }

  /// Adds a protected file under its own name as a source.
  std::uint32_t add_protected(const std::filesystem::path& path, std::uint64_t bytes,
                              const FileIdentity& identity);

  /// Lists a file, or those in a directory; nothing that is no regular file, empty, unfinished, or
  /// cannot be read. No name is listed twice.
  void add_file(const std::filesystem::path& path, const Wanted& wanted);
  void add_directory(const std::filesystem::path& directory, const Wanted& wanted);

  /// Adds a source that is no listed file.
  std::uint32_t add_source(const std::filesystem::path& path, std::uint64_t bytes, bool is_given);

  /// The numbers of the listed files among the sources, ascending.
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
    std::size_t names = 0;  ///< names that have a source
  };

  Name name_of(const std::filesystem::path& path);
  void add_if_wanted(const std::filesystem::path& path, const struct stat& status,
                     const Wanted& wanted);
  void add_names_in(const std::filesystem::path& directory, const Wanted& wanted);

  std::vector<SourceFile>& sources_;
  std::set<FileIdentity> passed_over_;
  std::set<Name> names_;                ///< names that have a source, except those of unnamed_
  std::vector<std::uint32_t> unnamed_;  ///< protected files whose names are not in names_ yet
  std::map<FileIdentity, Names> by_identity_;
  std::map<std::uint32_t, std::uint32_t> first_names_;  ///< a file's further source -> first one
  std::vector<std::uint32_t> listed_;
  std::set<std::filesystem::path> unsearched_;
  std::set<FileIdentity> entered_;        ///< by links, in one call of add_directory()
  std::filesystem::path last_directory_;  ///< of which last_identity_ is known
  FileIdentity last_identity_;
};

/// The number of equal names at the ends of two paths.
std::size_t num_equal_ends(const std::filesystem::path& one, const std::filesystem::path& other);

}  // namespace xorloom
