#include "runtime/protection/other_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <string>
#include <system_error>

#include "runtime/files/directory_listing.hpp"
#include "runtime/files/leftovers.hpp"

namespace xorloom {

namespace fs = std::filesystem;

OtherFiles::Name OtherFiles::name_of(const fs::path& path) {
  fs::path directory = directory_of(path);
  if (directory != last_directory_) {
    last_identity_ = file_identity(directory).value_or(FileIdentity{});
    last_directory_ = std::move(directory);
  }
  return {last_identity_, path.filename().string()};
}

std::uint32_t OtherFiles::add_protected(const fs::path& path, std::uint64_t bytes,
                                        const FileIdentity& identity) {
  const std::uint32_t source = add_source(path, bytes, false);
  unnamed_.push_back(source);
  ++by_identity_.try_emplace(identity, Names{source}).first->second.names;
  return source;
}

void OtherFiles::add_file(const fs::path& path, const Wanted& wanted) {
  struct stat status {};
  const int flags = wanted.follows_links ? 0 : AT_SYMLINK_NOFOLLOW;
  if (::fstatat(AT_FDCWD, path.c_str(), &status, flags) == 0) add_if_wanted(path, status, wanted);
}

void OtherFiles::add_if_wanted(const fs::path& path, const struct stat& status,
                               const Wanted& wanted) {
  if (is_unfinished_name(path.filename().string())) return;
  if (!S_ISREG(status.st_mode) || status.st_size == 0) return;
  const auto bytes = static_cast<std::uint64_t>(status.st_size);
  if (!wanted.alike.is_empty() && !wanted.alike.contains(bytes, time_of(status))) return;
  const FileIdentity identity{status.st_dev, status.st_ino};
  if (passed_over_.contains(identity)) return;
  const auto known = by_identity_.find(identity);
  // If case is ignored, a name beyond a file's number of links is another spelling of one.
  if (known != by_identity_.end() && known->second.names >= status.st_nlink) return;
  for (const std::uint32_t own : unnamed_) names_.insert(name_of(sources_[own].path));
  unnamed_.clear();
  if (!names_.insert(name_of(path)).second) return;
  const std::uint32_t source = add_source(path, bytes, wanted.is_given);
  sources_[source].modified = time_of(status);
  listed_.push_back(source);
  Names& names = by_identity_.try_emplace(identity, Names{source}).first->second;
  ++names.names;
  if (names.first != source) first_names_[source] = names.first;
}

void OtherFiles::add_directory(const fs::path& directory, const Wanted& wanted) {
  entered_.clear();
  add_names_in(directory, wanted);
}

void OtherFiles::add_names_in(const fs::path& directory, const Wanted& wanted) {
  std::error_code error;
  const auto identity = file_identity(directory);
  const std::vector<std::string> names = names_in(directory, error);
  const bool is_none =
      error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory;
  if (error && !is_none) unsearched_.insert(directory);
  for (const std::string& name : names) {
    const fs::path path = directory / name;
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0) continue;
    const bool is_link = S_ISLNK(status.st_mode);
    if (is_link && (!wanted.follows_links || ::stat(path.c_str(), &status) != 0)) continue;
    if (!S_ISDIR(status.st_mode)) {
      add_if_wanted(path, status, wanted);
    } else if (wanted.below && !wanted.passed_over.contains(path)) {
      const bool is_same_device = identity && identity->device == status.st_dev;
      if (wanted.stays_on_device && !is_same_device) continue;
      const bool is_new = !is_link || entered_.insert({status.st_dev, status.st_ino}).second;
      if (!is_new) continue;  // a loop, maybe
      add_names_in(path, wanted);
    }
  }
}

std::uint32_t OtherFiles::add_source(const fs::path& path, std::uint64_t bytes, bool is_given) {
  sources_.push_back({path, bytes, is_given, {}});
  return static_cast<std::uint32_t>(sources_.size() - 1);
}

bool OtherFiles::contains(std::uint32_t source) const {
  return std::ranges::binary_search(listed_, source);
}

std::uint32_t OtherFiles::first_name(std::uint32_t source) const {
  const auto first = first_names_.find(source);
  return first == first_names_.end() ? source : first->second;
}

std::size_t num_equal_ends(const fs::path& one, const fs::path& other) {
  std::size_t same = 0;
  for (auto a = one.end(), b = other.end(); a != one.begin() && b != other.begin(); ++same) {
    if (*--a != *--b) break;
  }
  return same;
}

}  // namespace xorloom
