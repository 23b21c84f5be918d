#include "runtime/protection/silent_damage.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <tuple>

#include "codes/text/error.hpp"
#include "runtime/files/checksum.hpp"
#include "runtime/files/open_file.hpp"
#include "runtime/protection/protection.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;

/// The protections that some of their parts are of, as far as they can be read.
std::vector<Protection> old_protections(const std::vector<fs::path>& paths,
                                        const ReadingBounds& bounds,
                                        std::vector<std::string>& unreadable) {
  const auto unless_damaged = [&](const auto& act) {
    try {
      act();
    } catch (const Error& error) {
      if (error.kind() == Status::kUnsupported) throw;
      unreadable.emplace_back(error.what());
    }
  };
  std::map<std::string, std::vector<fs::path>> by_id;
  for (const fs::path& path : paths) {
    std::error_code error;
    if (!fs::exists(path, error)) continue;
    unless_damaged([&] { by_id[to_string(open_part(path).header.id)].push_back(path); });
  }
  std::vector<Protection> found;
  for (const auto& each : by_id) {
    unless_damaged([&] { found.push_back(open_protection(each.second, bounds)); });
  }
  return found;
}

/// What stays of a file that is moved to another directory.
using Likeness = std::tuple<std::string, std::uint64_t, std::int64_t, std::uint32_t>;

Likeness likeness_of(const ProtectedFile& file) {
  return {file.name.substr(file.name.rfind('/') + 1), file.bytes, file.modified_seconds,
          file.modified_nanoseconds};
}

/// By each old file that is there as before but for its directory, the number of the new file.
std::map<std::size_t, std::size_t> unedited(const std::vector<ProtectedFile>& old,
                                            const std::vector<ProtectedFile>& files) {
  std::map<std::size_t, std::size_t> same;
  std::map<Likeness, std::vector<std::size_t>> gone;
  std::map<Likeness, std::vector<std::size_t>> added;
  for (std::size_t i = 0, j = 0; i < old.size() || j < files.size();) {
    const bool is_gone = j == files.size() || (i < old.size() && old[i].name < files[j].name);
    const bool is_added = i == old.size() || (j < files.size() && files[j].name < old[i].name);
    if (is_gone) {
      gone[likeness_of(old[i])].push_back(i);
    } else if (is_added) {
      added[likeness_of(files[j])].push_back(j);
    } else if (likeness_of(old[i]) == likeness_of(files[j])) {
      same[i] = j;
    }
    i += is_added ? 0 : 1;
    j += is_gone ? 0 : 1;
  }
  for (const auto& [likeness, numbers] : gone) {
    const auto now = added.find(likeness);
    if (now == added.end() || numbers.size() != 1 || now->second.size() != 1) continue;
    same[numbers.front()] = now->second.front();
  }
  return same;
}

/// Whether a file can be read and has other bytes than an old one had.
bool is_other(const Protection& protection, std::size_t old, const fs::path& path,
              Progress& progress) {
  const FileMap& map = protection.map;
  const OpenFile file(path);
  if (!file.is_open() || file.bytes() != map.bytes_of_file(old)) return false;  // see the caller
  std::vector<std::uint8_t> buffer;
  for (std::size_t s = map.first_segment(old); s < map.first_segment(old + 1); ++s) {
    const Segment segment = map.segment(old, s);
    buffer.resize(segment.bytes);
    if (file.read_at(segment.file_offset, buffer) != 0) return false;
    progress.done += buffer.size();
    if (checksum(buffer) != protection.manifest.sums[s].strong) return true;
  }
  return false;
}

}  // namespace

OldProtection compare_with_old(const std::vector<fs::path>& outputs,
                               const std::vector<ProtectedFile>& files, const fs::path& base,
                               const ReadingBounds& bounds, Progress& progress) {
  OldProtection found;
  std::set<std::string> damaged;
  std::set<std::string> left;
  for (const Protection& old : old_protections(outputs, bounds, found.unreadable)) {
    const std::map<std::size_t, std::size_t> same = unedited(old.manifest.files, files);
    std::uint64_t bytes = 0;
    for (const auto& each : same) bytes += old.map.bytes_of_file(each.first);
    progress.begin("comparing with the old protection", bytes);
    for (const auto& [before, now] : same) {
      const std::string& name = files[now].name;
      if (is_other(old, before, base / name, progress)) damaged.insert(name);
    }
    for (std::size_t i = 0; i < old.manifest.files.size(); ++i) {
      const std::string& name = old.manifest.files[i].name;
      const bool is_there = std::ranges::binary_search(files, name, {}, &ProtectedFile::name);
      if (!is_there && !same.contains(i)) left.insert(name);
    }
  }
  found.damaged.assign(damaged.begin(), damaged.end());
  found.left.assign(left.begin(), left.end());
  return found;
}

}  // namespace xorloom
