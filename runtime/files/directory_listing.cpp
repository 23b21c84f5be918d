#include "runtime/files/directory_listing.hpp"

#include <dirent.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string_view>

#include "runtime/files/file_error.hpp"

namespace xorloom {

namespace fs = std::filesystem;

std::vector<std::string> names_in(const fs::path& directory) {
  std::error_code error;
  std::vector<std::string> names = names_in(directory, error);
  if (error) fail_on_io("read the directory", directory, error.value());
  return names;
}

// Not by std::filesystem::directory_iterator: that of libstdc++ ends the process if memory runs out.
std::vector<std::string> names_in(const fs::path& directory, std::error_code& error) {
  error.clear();
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(::opendir(directory.c_str()), ::closedir);
  std::vector<std::string> names;
  errno = stream ? 0 : errno;
  while (const dirent* const entry = stream ? ::readdir(stream.get()) : nullptr) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
    errno = 0;
  }
  error.assign(errno, std::generic_category());
  std::ranges::sort(names);
  return names;
}

}  // namespace xorloom
