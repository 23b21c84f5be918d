#include "runtime/files/directory_listing.hpp"

#include <algorithm>

#include "runtime/files/file_error.hpp"

namespace xorloom {

namespace fs = std::filesystem;

std::vector<std::string> names_in(const fs::path& directory) {
  std::error_code error;
  std::vector<std::string> names = names_in(directory, error);
  if (error) fail_on_io("read the directory", directory, error.value());
  return names;
}

std::vector<std::string> names_in(const fs::path& directory, std::error_code& error) {
  std::vector<std::string> names;
  fs::directory_iterator entry(directory, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    names.push_back(entry->path().filename().native());
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace xorloom
