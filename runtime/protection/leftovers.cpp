#include "runtime/protection/leftovers.hpp"

#include <string_view>
#include <system_error>
#include <vector>

#include "runtime/files/open_file.hpp"
#include "runtime/files/output_file.hpp"
#include "runtime/files/pending_file.hpp"

namespace xorloom {

namespace fs = std::filesystem;

bool is_unfinished_name(const std::string& name) {
  constexpr std::size_t kDigits = 16;
  for (const std::string_view suffix : {kHiddenSuffix, kOutputSuffix}) {
    if (name.size() <= suffix.size() + kDigits || name.front() != '.') continue;
    const std::size_t digits = name.size() - kDigits;
    if (name.find_first_not_of("0123456789abcdef", digits) == std::string::npos &&
        std::string_view(name).substr(digits - suffix.size(), suffix.size()) == suffix) {
      return true;
    }
  }
  return name == ".xorloom.lock";
}

void remove_leftovers(const fs::path& path) {
  const std::string begin = hidden_name_begin(path, kHiddenSuffix);
  std::error_code error;
  std::vector<fs::path> leftovers;
  for (fs::directory_iterator entry(directory_of(path), error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with(begin) && is_unfinished_name(name)) leftovers.push_back(entry->path());
  }
  for (const fs::path& leftover : leftovers) fs::remove(leftover, error);
}

}  // namespace xorloom
