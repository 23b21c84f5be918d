#include "cli/pages/name_lists.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "cli/shell/options.hpp"
#include "codes/text/error.hpp"

namespace xorloom::cli {
namespace {

using Names = std::pair<std::string, std::string>;

/// Two names without the last parts that are the same in both: the directories that differ. Whole
/// names if their last parts differ.
Names without_common_end(const std::string& before, const std::string& now) {
  std::size_t of_before = before.size();
  std::size_t of_now = now.size();
  for (;;) {
    const std::size_t cut_before =
        of_before == 0 ? std::string::npos : before.rfind('/', of_before - 1);
    const std::size_t cut_now = of_now == 0 ? std::string::npos : now.rfind('/', of_now - 1);
    const std::size_t from_before = cut_before == std::string::npos ? 0 : cut_before + 1;
    const std::size_t from_now = cut_now == std::string::npos ? 0 : cut_now + 1;
    const bool is_same =
        before.compare(from_before, of_before - from_before, now, from_now, of_now - from_now) == 0;
    if (!is_same) break;
    of_before = from_before == 0 ? 0 : cut_before;
    of_now = from_now == 0 ? 0 : cut_now;
    if (of_before == 0 || of_now == 0) break;
  }
  return {before.substr(0, of_before), now.substr(0, of_now)};
}

/// The directories with which both paths begin. Shape: both end with a '/'.
std::string shared_directories(const std::string& a, const std::string& b) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < a.size() && i < b.size() && a[i] == b[i]; ++i) {
    if (a[i] == '/') end = i + 1;
  }
  return a.substr(0, end);
}

/// Number of files in a directory and below; all if `directory` is empty. Shape: `names` ascend.
std::size_t num_below(const std::vector<std::string>& names, const std::string& directory) {
  if (directory.empty()) return names.size();
  const auto begin = std::ranges::lower_bound(names, directory + '/');
  const auto end = std::ranges::lower_bound(names, directory + static_cast<char>('/' + 1));
  return static_cast<std::size_t>(end - begin);
}

/// A directory below another one. Shape: `below` may begin and end with a '/'.
std::string below_directory(const std::string& directory, std::string below) {
  if (below.ends_with('/')) below.pop_back();
  if (below.starts_with('/')) below.erase(0, 1);
  return directory.empty() ? below : below.empty() ? directory : directory + '/' + below;
}

}  // namespace

void add_list_all(Command& command, bool& is_whole) {
  add_flag(command, "--list-all", is_whole,
           fmt::format("name all files, not only the first {} of a kind", kMostListed));
}

std::vector<std::string> shortened(std::vector<std::string> lines, bool is_whole,
                                   const std::string& kind, const std::string& way) {
  if (is_whole || lines.size() <= kMostListed + 1) return lines;
  const std::size_t others = lines.size() - kMostListed;
  lines.resize(kMostListed);
  lines.push_back(fmt::format("{}{} more, which {}", kind, others, way));
  return lines;
}

std::vector<Renamed> joined_renames(const std::vector<std::pair<std::string, std::string>>& files,
                                    const std::vector<std::string>& all) {
  std::map<Names, std::size_t> counts;
  std::map<Names, std::string> below;  // the directories below both that all files are in
  for (const auto& [before, now] : files) {
    const Names directories = without_common_end(before, now);
    const std::string rest = before.substr(directories.first.size());
    const std::string own = rest.substr(0, rest.rfind('/') + 1);
    const bool is_first = ++counts[directories] == 1;
    std::string& shared = below[directories];
    shared = is_first ? own : shared_directories(shared, own);
  }
  std::map<Names, bool> is_listed;
  std::vector<Renamed> renamed;
  for (const auto& [before, now] : files) {
    const Names directories = without_common_end(before, now);
    const std::size_t count = counts[directories];
    if (count == 1) {
      renamed.push_back({before, now});
    } else if (!std::exchange(is_listed[directories], true)) {
      const std::string from = below_directory(directories.first, below[directories]);
      renamed.push_back({from, below_directory(directories.second, below[directories]), count,
                         num_below(all, from)});
    }
  }
  return renamed;
}

std::string count_of(const Renamed& directory) {
  return directory.files == directory.of ? fmt::format("{}", directory.files)
                                         : fmt::format("{} of {}", directory.files, directory.of);
}

void write_names(void (&write)(std::string_view) noexcept, const std::string& kind,
                 std::vector<std::string> names, bool is_whole) {
  for (std::string& name : names) name = kind + name;
  for (const std::string& line : shortened(std::move(names), is_whole, kind)) {
    write(printable(line));
  }
}

std::string directory_name(const std::string& name) {
  if (name.empty()) return "./";
  return name.back() == '/' ? name : name + '/';
}

}  // namespace xorloom::cli
