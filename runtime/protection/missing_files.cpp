#include "runtime/protection/missing_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "runtime/protection/list_files.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;

/// Calls visit(name) for each directory of a file, from the innermost one up to "".
template <typename Visit>
void visit_directories(const std::string& file, const Visit& visit) {
  std::string directory = file;
  while (!directory.empty()) {
    const std::size_t end = directory.rfind('/');
    directory.resize(end == std::string::npos ? 0 : end);
    visit(directory);
  }
}

/// True if it is a directory with nothing in it: the place of a disk that is not mounted is one.
bool is_left_empty(const fs::path& directory) {
  std::error_code error;
  return fs::is_directory(directory, error) && fs::is_empty(directory, error);
}

}  // namespace

std::vector<MissingDirectory> missing_directories(const std::vector<ProtectedFile>& before,
                                                  const std::vector<std::string>& gone,
                                                  const std::vector<std::string>& named,
                                                  const std::set<std::string>& held,
                                                  const std::set<std::string>& elsewhere) {
  struct Count {
    std::size_t all = 0;
    std::size_t gone = 0;
    std::size_t elsewhere = 0;
    std::size_t held = 0;
  };
  std::map<std::string, Count> counts;
  for (const ProtectedFile& file : before) {
    const bool is_gone = std::ranges::binary_search(gone, file.name);
    visit_directories(file.name, [&](const std::string& directory) {
      Count& count = counts[directory];
      ++count.all;
      if (is_gone) ++count.gone;
      if (!is_gone && elsewhere.contains(file.name)) ++count.elsewhere;
      if (is_gone && held.contains(file.name)) ++count.held;
    });
  }
  std::vector<MissingDirectory> missing;
  MissingDirectory all;
  for (const auto& directory : counts) {
    const std::string& name = directory.first;
    const Count& count = directory.second;
    const bool is_named = std::ranges::find(named, name) != named.end();
    if (count.gone + count.elsewhere != count.all || count.gone <= count.elsewhere) continue;
    if (count.held == count.gone || (count.all < 2 && !is_named)) continue;
    if (name.empty() && !is_named) {
      all = {name, count.gone, count.elsewhere};
    } else if (std::ranges::none_of(missing,
                                    [&](const auto& each) { return is_below(name, each.name); })) {
      missing.push_back({name, count.gone, count.elsewhere});
    }
  }
  if (missing.empty() && all.files != 0) missing.push_back(all);
  return missing;
}

std::string missing_text(const std::vector<MissingDirectory>& missing, const fs::path& base) {
  const auto& [name, files, elsewhere] = missing.front();
  return fmt::format(
      "{}: {} missing{}", (base / name).lexically_normal().string(),
      elsewhere == 1  ? "all files but one, which has another name now, are"
      : elsewhere > 1 ? fmt::format("all files but {}, which have other names now, are", elsewhere)
      : files == 1    ? "the only file is"
                      : fmt::format("all {} files are", files),
      missing.size() == 1 ? ""
      : missing.size() == 2
          ? ", and so are those of one more directory"
          : fmt::format(", and so are those of {} more directories", missing.size() - 1));
}

bool leads_nowhere(const fs::path& base, const std::string& name) {
  fs::path path = base;
  for (const fs::path& part : fs::path(name)) {
    path /= part;
    std::error_code error;
    const fs::file_status itself = fs::symlink_status(path, error);
    if (!fs::exists(itself)) return false;
    if (fs::is_symlink(itself) && !fs::exists(path, error)) return true;
  }
  return false;
}

bool is_within(const fs::path& directory, const fs::path& base) {
  std::error_code error;
  const fs::path within = fs::canonical(base, error);
  if (error) return false;
  const fs::path relative = fs::weakly_canonical(directory, error).lexically_relative(within);
  return !error && !relative.empty() && *relative.begin() != "..";
}

bool any_leads_out(const fs::path& base, const std::vector<std::string>& names) {
  fs::path last;
  return std::ranges::any_of(names, [&](const std::string& name) {
    fs::path directory = (base / name).parent_path();
    if (directory == last) return false;
    last = std::move(directory);
    return !is_within(last, base);
  });
}

std::vector<std::string> linked_names(const std::vector<ProtectedFile>& files,
                                      const fs::path& base) {
  std::set<std::string> linked;
  std::set<std::string> plain;  // directories that are no link, nor below one
  for (const ProtectedFile& file : files) {
    for (std::size_t end = file.name.find('/');; end = file.name.find('/', end + 1)) {
      const std::string name = file.name.substr(0, end);
      if (linked.contains(name)) break;
      std::error_code error;
      if (!plain.contains(name) && fs::is_symlink(fs::symlink_status(base / name, error))) {
        linked.insert(name);
        break;
      }
      if (end == std::string::npos) break;
      plain.insert(name);
    }
  }
  return {linked.begin(), linked.end()};
}

bool is_there(const fs::path& base, const std::string& name,
              const std::vector<std::string>& linked) {
  const auto is_behind = [&](const std::string& link) {
    return name == link || is_below(name, link);
  };
  std::error_code error;
  return std::ranges::none_of(linked, is_behind) && fs::is_regular_file(base / name, error);
}

void refuse_unread(const std::vector<ProtectedFile>& before, const ListedFiles& listed,
                   const std::vector<std::size_t>& given_up) {
  if (listed.unread.empty() || given_up.empty()) return;
  std::vector<std::string> names;
  for (const std::size_t file : given_up) names.push_back(before[file].name);
  fail(Status::kIo, fmt::format("{} cannot be read, and {} would be protected no more; nothing was "
                                "changed; option accept_missing gives up what is not found",
                                few_names(listed.unread), few_names(names)));
}

void refuse_missing(const std::vector<ProtectedFile>& before, std::vector<std::string> gone,
                    const std::set<std::string>& held, const ProtectionScope& scope,
                    const fs::path& base, const fs::path& protection, const std::string& places) {
  if (gone.empty()) return;
  std::vector<std::string> behind_links;
  for (const std::string& name : gone) {
    if (leads_nowhere(base, name))
      behind_links.push_back((base / name).lexically_normal().string());
  }
  if (!behind_links.empty()) {
    const bool is_one = behind_links.size() == 1;
    fail(Status::kIo,
         fmt::format("{}: a symbolic link in {} path leads nowhere, as if a disk were not mounted; "
                     "nothing was changed; option accept_missing gives {} up{}",
                     few_names(behind_links), is_one ? "its" : "their", is_one ? "it" : "them",
                     places));
  }
  gone.insert(gone.end(), held.begin(), held.end());
  const std::vector<std::string>& named = scope.directories;
  const std::vector<std::string> linked =
      scope.follows_links ? std::vector<std::string>() : linked_names(before, base);
  const auto is_linked = [&](const std::string& name) {
    return std::ranges::any_of(
        linked, [&](const std::string& link) { return name == link || is_below(name, link); });
  };
  std::erase_if(gone, [&](const std::string& name) { return is_there(base, name, linked); });
  std::ranges::sort(gone);
  std::vector<std::string> counting = named;
  for (const std::string& each : gone) {
    visit_directories(each, [&](const std::string& directory) {
      if (is_left_empty(base / directory)) counting.push_back(directory);
    });
  }
  std::set<std::string> elsewhere;
  for (const ProtectedFile& file : before) {
    const bool is_gone = std::ranges::binary_search(gone, file.name);
    if (!is_gone && !is_there(base, file.name, linked)) elsewhere.insert(file.name);
  }
  const std::vector<MissingDirectory> missing =
      missing_directories(before, gone, counting, held, elsewhere);
  if (missing.empty()) return;
  const auto& [name, files, moved] = missing.front();
  const bool is_named = name.empty() || std::ranges::find(named, name) != named.end();
  const fs::path path = name.empty() ? base : base / name;
  if (is_linked(name)) {
    fail(
        Status::kIo,
        fmt::format("{}: a symbolic link is there now, and {} not protected behind it; nothing was "
                    "changed; protect {} where it is now, and option accept_missing gives it up "
                    "here{}",
                    path.lexically_normal().string(),
                    files == 1 ? "its file is" : fmt::format("its {} files are", files),
                    files == 1 ? "the file" : "them", places));
  }
  // If none of the files is there, repair takes the directory for a wrong one.
  const bool is_any_there = std::ranges::any_of(before, [&](const ProtectedFile& file) {
    std::error_code error;
    return fs::is_regular_file(base / file.name, error);
  });
  fail(Status::kIo,
       fmt::format(
           "{}; nothing was changed; {}repair {}{} restores them if enough is left{}; option "
           "accept_missing gives them up{}",
           missing_text(missing, base),
           is_named ? "if a disk is not mounted, option base says where it is; " : "",
           protection.string(), is_any_there ? "" : " with option to DIR",
           scope.follows_links && any_leads_out(base, gone)
               ? ", with option dereference, as a link leads out of the base directory"
               : "",
           places));
}

}  // namespace xorloom
