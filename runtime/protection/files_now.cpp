#include "runtime/protection/files_now.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "runtime/protection/compare_file.hpp"
#include "runtime/protection/match_damaged.hpp"
#include "runtime/protection/stream_reader.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;

/// Most pairs of a new file and a protected one that are compared.
constexpr std::size_t kMostCopyPairs = std::size_t{1} << 14;

/// Splits a name into its directory, "" for the base, and its last part.
std::pair<std::string, std::string> split_name(const std::string& name) {
  const std::size_t end = name.rfind('/');
  if (end == std::string::npos) return {"", name};
  return {name.substr(0, end), name.substr(end + 1)};
}

/// Files of equal size and time.
struct Alike {
  std::vector<std::size_t> before;
  std::vector<std::size_t> now;
};

class Settling {
 public:
  Settling(const Protection& old, const ListedFiles& listed, const ComparableFiles& files,
           fs::path base, FilesRead read, Progress& progress)
      : old_(old),
        before_(files.before),
        now_(files.now),
        directories_(listed.attributes),
        base_(std::move(base)),
        read_(read),
        progress_(progress),
        changes_(compare_files(before_, now_)) {
    note_other_names();
    result_.same = changes_.same;
    for (const auto& [before, now] : changes_.same) own_[now] = before;
  }

  FilesNow run() {
    std::map<SizeAndTime, Alike> groups;
    for (std::size_t i = 0; i < before_.size(); ++i) {
      if (before_[i].bytes != 0) groups[size_and_time(before_[i])].before.push_back(i);
    }
    for (std::size_t i = 0; i < now_.size(); ++i) {
      const auto group = groups.find(size_and_time(now_[i]));
      if (group != groups.end()) group->second.now.push_back(i);
    }
    std::erase_if(groups, [this](const auto& each) { return !is_to_be_read(each.second); });
    std::uint64_t bytes = 0;
    for (const auto& each : groups) {
      for (const std::size_t now : each.second.now) bytes += now_[now].bytes;
    }
    progress_.begin("comparing with the old protection", bytes);
    for (const auto& each : groups) settle(each.second);
    match_others();
    set_copies_aside();
    set_gone();
    unread_.check_none();
    return std::move(result_);
  }

 private:
  fs::path path_of(std::size_t now) const { return base_ / now_[now].name; }

  /// Notes the directories in which a name appeared or went.
  void note_other_names() {
    const auto is_there = [](const std::vector<ProtectedFile>& files, const std::string& name) {
      return std::ranges::binary_search(files, name, {}, &ProtectedFile::name);
    };
    for (const auto& [files, others] : {std::pair(&before_, &now_), std::pair(&now_, &before_)}) {
      for (const ProtectedFile& file : *files) {
        if (!is_there(*others, file.name)) have_other_names_.insert(split_name(file.name).first);
      }
    }
  }

  /// True if the directory of `file` is not known, or a name in it changed since.
  bool has_changed(const std::string& file) const {
    const std::string name = split_name(file).first;
    if (have_other_names_.contains(name)) return true;
    const auto find = [&](const std::vector<ProtectedDirectory>& all) {
      const auto found = std::ranges::lower_bound(all, name, {}, &ProtectedDirectory::name);
      return found != all.end() && found->name == name ? &*found : nullptr;
    };
    const ProtectedDirectory* const before = find(old_.manifest.directories);
    const ProtectedDirectory* const now = find(directories_);
    return before == nullptr || now == nullptr ||
           before->modified_seconds != now->modified_seconds ||
           before->modified_nanoseconds != now->modified_nanoseconds;
  }

  bool is_to_be_read(const Alike& alike) const {
    if (alike.now.empty()) return false;
    if (read_ == FilesRead::kAll) return true;
    const auto is_known = [&](std::size_t now) { return own_.contains(now); };
    const auto is_there = [&](std::size_t before) { return result_.same.contains(before); };
    if (!std::ranges::all_of(alike.now, is_known)) return true;
    if (alike.before.size() == 1 && alike.now.size() == 1) return false;
    return !std::ranges::all_of(alike.before, is_there) ||
           std::ranges::any_of(alike.before,
                               [&](std::size_t i) { return has_changed(before_[i].name); }) ||
           std::ranges::any_of(alike.now, [&](std::size_t i) { return has_changed(now_[i].name); });
  }

  void settle(const Alike& alike) {
    for (const std::size_t before : alike.before) result_.same.erase(before);
    std::vector<std::size_t> others;  // now: not what the file of their name was
    for (const std::size_t now : alike.now) {
      progress_.done += now_[now].bytes;
      const auto own = own_.find(now);
      const bool is_own =
          own != own_.end() && is_same_or_unread(own->second, OpenFile(path_of(now)));
      if (is_own) {
        result_.same[own->second] = now;
      } else {
        others.push_back(now);
      }
    }
    for (const std::size_t now : others) {
      if (is_another(alike, now)) accounted_.insert(now);
    }
  }

  bool is_same_or_unread(std::size_t before, const OpenFile& file) {
    const FileComparison compared =
        compare_file(old_, before, file, CompareUp::kToDifference, result_.bytes_read);
    return compared.is_equal || compared.error > 0;
  }

  /// True if a file has the content of an old one, whether or not that one is there, too.
  bool is_another(const Alike& alike, std::size_t now) {
    const OpenFile file(path_of(now));
    bool is_copy = false;
    for (const std::size_t before : alike.before) {
      const bool is_taken = result_.same.contains(before);
      if (is_taken && is_copy) continue;
      const FileComparison compared =
          compare_file(old_, before, file, CompareUp::kToDifference, result_.bytes_read);
      const bool is_unread = compared.error > 0 && compared.error != EIO;  // EIO: damaged
      if (is_unread) {
        unread_.note(now_[now].name, base_, compared.error);
        return false;
      }
      if (!compared.is_equal) continue;
      if (!is_taken) {
        result_.same[before] = now;
        return true;
      }
      is_copy = true;
    }
    return is_copy;
  }

  /// Matches files that are none of the old ones with lost files of their times: see
  /// match_damaged().
  void match_others() {
    std::map<ModifiedTime, LostAndStrange> by_time;
    for (std::size_t i = 0; i < before_.size(); ++i) {
      // An empty file can be recognised by its name alone.
      const bool is_nameless = before_[i].bytes == 0 && !changes_.resized.contains(i);
      if (is_nameless || result_.same.contains(i)) continue;
      by_time[time_of(before_[i])].lost.push_back(i);
    }
    for (const auto& each : result_.same) accounted_.insert(each.second);
    std::map<std::size_t, std::size_t> own = own_;
    for (const auto& [before, now] : changes_.resized) own[now] = before;
    const std::multimap<std::string, std::string> moved = moved_directories();
    for (std::size_t i = 0; i < now_.size(); ++i) {
      if (accounted_.contains(i)) continue;
      if (const auto before = name_before(i, moved)) own.try_emplace(i, *before);
      const auto lost = by_time.find(time_of(now_[i]));
      if (lost != by_time.end()) {
        lost->second.strange.push_back(i);
      } else if (own.contains(i)) {
        by_time[time_of(now_[i])].strange.push_back(i);
      }
    }
    for (auto& each : by_time) {
      if (each.second.strange.empty()) continue;
      std::erase_if(each.second.lost, [this](std::size_t before) { return is_touched(before); });
    }
    for (auto& each : by_time) {
      std::erase_if(each.second.strange, [this](std::size_t i) { return accounted_.contains(i); });
      if (each.second.strange.empty()) continue;
      match_damaged(old_, before_, now_, base_, each.second, own, result_, unread_);
    }
  }

  /// Directories now -> before that have another file of the same directory.
  std::multimap<std::string, std::string> moved_directories() const {
    std::set<std::pair<std::string, std::string>> moved;
    for (const auto& [before, now] : result_.same) {
      std::string directory = split_name(now_[now].name).first;
      std::string was = split_name(before_[before].name).first;
      if (directory != was) moved.emplace(std::move(directory), std::move(was));
    }
    return {moved.begin(), moved.end()};
  }

  /// The protected file that a file is by its time, and its name in a directory that moved.
  std::optional<std::size_t> name_before(
      std::size_t now, const std::multimap<std::string, std::string>& moved) const {
    const auto [directory, name] = split_name(now_[now].name);
    const auto [begin, end] = moved.equal_range(directory);
    for (auto each = begin; each != end; ++each) {
      const std::string was = each->second.empty() ? name : each->second + "/" + name;
      const auto file = std::ranges::lower_bound(before_, was, {}, &ProtectedFile::name);
      if (file == before_.end() || file->name != was) continue;
      const auto number = static_cast<std::size_t>(file - before_.begin());
      const bool is_it = time_of(*file) == time_of(now_[now]) && !result_.same.contains(number);
      if (is_it) return number;
    }
    return std::nullopt;
  }

  /// True if only the time of a file changed: then it is the same.
  bool is_touched(std::size_t before) {
    const auto edited = changes_.edited.find(before);
    if (edited == changes_.edited.end()) return false;
    const std::size_t now = edited->second;
    if (now_[now].bytes != before_[before].bytes || accounted_.contains(now)) return false;
    if (!has_content_of(old_, before, path_of(now))) return false;
    result_.same[before] = now;
    accounted_.insert(now);
    return true;
  }

  /// True if the protected file of this file's name has its time.
  bool has_own_time(std::size_t now) const {
    const auto own = std::ranges::lower_bound(before_, now_[now].name, {}, &ProtectedFile::name);
    return own != before_.end() && own->name == now_[now].name &&
           time_of(*own) == time_of(now_[now]);
  }

  /// Sets aside files that are damaged copies of protected files that are there.
  void set_copies_aside() {
    std::multimap<ModifiedTime, std::size_t> there;  // before
    for (const auto& each : result_.same) there.emplace(time_of(before_[each.first]), each.first);
    std::size_t pairs = 0;
    for (std::size_t i = 0; i < now_.size(); ++i) {
      const bool is_settled = accounted_.contains(i) || result_.damaged.contains(i) ||
                              result_.set_aside.contains(i) || has_own_time(i);
      if (is_settled || now_[i].bytes == 0) continue;
      const auto [begin, end] = there.equal_range(time_of(now_[i]));
      for (auto each = begin; each != end && !result_.set_aside.contains(i); ++each) {
        const std::size_t like = result_.same.at(each->second);
        if (!may_be_copy(i, like)) continue;
        if (++pairs > kMostCopyPairs) return;
        if (may_be_damage_of(path_of(like), path_of(i))) result_.set_aside[i] = like;
      }
    }
  }

  /// True if size, time and name of a file are such as a damaged copy of `of` has.
  bool may_be_copy(std::size_t now, std::size_t of) const {
    if (now_[now].modified_nanoseconds != 0) return true;
    const auto [directory, name] = split_name(now_[now].name);
    const auto [directory_of, name_of] = split_name(now_[of].name);
    return now_[now].bytes == now_[of].bytes &&
           (directory == directory_of || is_kept_of(name, name_of));
  }

  void set_gone() {
    std::set<std::size_t> there;  // before
    std::map<std::size_t, std::size_t> was;
    for (const auto& [before, now] : result_.same) {
      there.insert(before);
      was[now] = before;
    }
    for (const auto& [now, before] : result_.damaged) {
      there.insert(before);
      was[now] = before;
    }
    there.insert(result_.held.begin(), result_.held.end());
    for (std::size_t i = 0; i < before_.size(); ++i) {
      if (there.contains(i)) continue;
      const auto named = std::ranges::lower_bound(now_, before_[i].name, {}, &ProtectedFile::name);
      if (named == now_.end() || named->name != before_[i].name) {
        result_.gone.push_back(i);
      } else if (was.contains(static_cast<std::size_t>(named - now_.begin()))) {
        result_.replaced.push_back(i);
      }
    }
  }

  const Protection& old_;
  const std::vector<ProtectedFile>& before_;  ///< see ComparableFiles
  const std::vector<ProtectedFile>& now_;
  const std::vector<ProtectedDirectory>& directories_;
  fs::path base_;
  FilesRead read_;
  Progress& progress_;
  FileChanges changes_;
  std::map<std::size_t, std::size_t> own_;  ///< file now -> before, by size, time and name
  std::set<std::string> have_other_names_;  ///< directories: see note_other_names()
  std::set<std::size_t> accounted_;         ///< now: has the content of a protected file
  UnreadFiles unread_{};
  FilesNow result_;
};

}  // namespace

FilesNow find_files_now(const Protection& old, const ListedFiles& listed, const fs::path& base,
                        FilesRead read, Progress& progress) {
  const ComparableFiles files = comparable_files(old.manifest.files, listed.files);
  return find_files_now(old, listed, files, base, read, progress);
}

FilesNow find_files_now(const Protection& old, const ListedFiles& listed,
                        const ComparableFiles& files, const fs::path& base, FilesRead read,
                        Progress& progress) {
  return Settling(old, listed, files, base, read, progress).run();
}

std::vector<LeftOut> files_set_aside(const ListedFiles& listed, const FilesNow& now) {
  std::vector<LeftOut> files;
  for (const auto& [file, like] : now.set_aside) {
    files.push_back(
        {listed.files[file].name,
         fmt::format(
             "it is like {}, {}", listed.files[like].name,
             now.damaged.contains(like)
                 ? "which is damaged: restore that, and compare them"
                 : "and has its time, as a damaged copy: remove it, or touch it to protect it")});
  }
  return files;
}

std::map<std::string, std::string> names_of_damaged(const Protection& old,
                                                    const ListedFiles& listed,
                                                    const FilesNow& now) {
  std::map<std::string, std::string> names;
  for (const auto& [file, before] : now.damaged) {
    names[listed.files[file].name] = old.manifest.files[before].name;
  }
  return names;
}

}  // namespace xorloom
