#include "runtime/protection/file_changes.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace xorloom {
namespace {

/// What a file keeps if it is moved to another directory, or letters in its name change case.
using Likeness = std::pair<std::string, SizeAndTime>;

Likeness likeness_of(const ProtectedFile& file) {
  return {in_small_letters(file.name.substr(file.name.rfind('/') + 1)), size_and_time(file)};
}

}  // namespace

ModifiedTime time_of(const ProtectedFile& file) {
  return {file.modified_seconds, file.modified_nanoseconds};
}

std::vector<ProtectedFile> with_times_cut_as(std::vector<ProtectedFile> files,
                                             const std::vector<ProtectedFile>& others) {
  using Key = std::pair<std::uint64_t, ModifiedTime>;
  const auto named = [](const std::vector<ProtectedFile>& all, const std::string& name) {
    const auto found = std::ranges::lower_bound(all, name, {}, &ProtectedFile::name);
    return found != all.end() && found->name == name ? &*found : nullptr;
  };
  std::set<Key> known;  // size and time of files that are not known by name
  std::set<ModifiedTime> times;
  for (const ProtectedFile& other : others) {
    const ProtectedFile* const own = named(files, other.name);
    if (own == nullptr || time_of(*own) != time_of(other)) {
      known.insert({other.bytes, time_of(other)});
      times.insert(time_of(other));
    }
  }
  for (ProtectedFile& file : files) {
    const ProtectedFile* const own = named(others, file.name);
    const ModifiedTime time = time_of(file);
    if (own != nullptr && time_of(*own) == time) continue;
    const bool is_known = known.contains({file.bytes, time});
    const bool is_time_known = times.contains(time);
    // Damage may have changed the size, so the time alone may decide.
    const auto fits = [&](const ModifiedTime& each) {
      return (own != nullptr && time_of(*own) == each) ||
             (!is_known && known.contains({file.bytes, each})) ||
             (!is_time_known && times.contains(each));
    };
    const std::set<ModifiedTime> cut = cut_times(time);
    const auto finest = std::find_if(cut.rbegin(), cut.rend(), fits);
    if (finest == cut.rend()) continue;
    std::tie(file.modified_seconds, file.modified_nanoseconds) = *finest;
  }
  return files;
}

ComparableFiles comparable_files(const std::vector<ProtectedFile>& before,
                                 const std::vector<ProtectedFile>& now) {
  return {with_times_cut_as(before, now), with_times_cut_as(now, before)};
}

FileChanges compare_files(const std::vector<ProtectedFile>& before,
                          const std::vector<ProtectedFile>& now) {
  FileChanges changes;
  std::map<Likeness, std::vector<std::size_t>> gone;
  std::map<Likeness, std::vector<std::size_t>> added;
  for (std::size_t i = 0, j = 0; i < before.size() || j < now.size();) {
    const bool is_gone = j == now.size() || (i < before.size() && before[i].name < now[j].name);
    const bool is_added = i == before.size() || (j < now.size() && now[j].name < before[i].name);
    if (is_gone) {
      gone[likeness_of(before[i])].push_back(i);
    } else if (is_added) {
      added[likeness_of(now[j])].push_back(j);
    } else if (time_of(before[i]) != time_of(now[j])) {
      changes.edited[i] = j;
    } else if (before[i].bytes != now[j].bytes) {
      changes.resized[i] = j;
    } else {
      changes.same[i] = j;
    }
    i += is_added ? 0 : 1;
    j += is_gone ? 0 : 1;
  }
  for (const auto& [likeness, numbers] : gone) {
    const auto found = added.find(likeness);
    if (found != added.end() && numbers.size() == 1 && found->second.size() == 1) {
      changes.same[numbers.front()] = found->second.front();
      added.erase(found);
    } else {
      changes.gone.insert(changes.gone.end(), numbers.begin(), numbers.end());
    }
  }
  for (const auto& each : added) {
    changes.added.insert(changes.added.end(), each.second.begin(), each.second.end());
  }
  return changes;
}

SizeAndTime size_and_time(const ProtectedFile& file) {
  return {file.bytes, file.modified_seconds, file.modified_nanoseconds};
}

std::string in_small_letters(std::string text) {
  for (char& letter : text) {
    if ('A' <= letter && letter <= 'Z') letter = static_cast<char>(letter + ('a' - 'A'));
  }
  return text;
}

}  // namespace xorloom
