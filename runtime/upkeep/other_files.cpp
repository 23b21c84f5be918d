#include "runtime/upkeep/other_files.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <string>
#include <system_error>

#include "runtime/files/directory_listing.hpp"
#include "runtime/files/leftovers.hpp"

namespace xorloom {

namespace fs = std::filesystem;

void OtherFiles::add_file(const fs::path& path, const Wanted& wanted) {
  struct stat status {};
  if (is_unfinished_name(path.filename().string())) return;
  if (::lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0)
    return;
  const auto bytes = static_cast<std::uint64_t>(status.st_size);
  if (!wanted.lengths.empty() && !wanted.lengths.contains(bytes)) return;
  if (!passed_over_.insert({status.st_dev, status.st_ino}).second) return;
  listed_.push_back(add_source(path, bytes, wanted.is_given));
}

void OtherFiles::add_directory(const fs::path& directory, const Wanted& wanted) {
  std::error_code error;
  const auto identity = file_identity(directory);
  for (const std::string& name : names_in(directory, error)) {
    const fs::path path = directory / name;
    if (!fs::is_directory(fs::symlink_status(path, error))) {
      add_file(path, wanted);
    } else if (wanted.below) {
      const auto below = file_identity(path);
      const bool is_same_device = identity && below && identity->device == below->device;
      if (is_same_device || !wanted.stays_on_device) add_directory(path, wanted);
    }
  }
}

std::uint32_t OtherFiles::add_source(const fs::path& path, std::uint64_t bytes, bool is_given) {
  sources_.push_back({path, bytes, is_given});
  return static_cast<std::uint32_t>(sources_.size() - 1);
}

bool OtherFiles::contains(std::uint32_t source) const {
  return std::ranges::binary_search(listed_, source);
}

}  // namespace xorloom
