#include "runtime/protection/silent_damage.hpp"

#include <map>
#include <optional>
#include <set>
#include <system_error>

#include "codes/text/error.hpp"
#include "runtime/files/checksum.hpp"
#include "runtime/files/open_file.hpp"
#include "runtime/protection/file_changes.hpp"
#include "runtime/protection/missing_files.hpp"
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

/// How many bytes of a file are other ones than an old one had, by blocks. 0 if it cannot be read.
std::uint64_t num_other_bytes(const Protection& protection, std::size_t old, const fs::path& path,
                              Progress& progress) {
  const FileMap& map = protection.map;
  const OpenFile file(path);
  if (!file.is_open() || file.bytes() != map.bytes_of_file(old)) return 0;  // see the caller
  std::vector<std::uint8_t> buffer;
  std::uint64_t other = 0;
  for (std::size_t s = map.first_segment(old); s < map.first_segment(old + 1); ++s) {
    const Segment segment = map.segment(old, s);
    buffer.resize(segment.bytes);
    if (file.read_at(segment.file_offset, buffer) != 0) return 0;
    progress.done += buffer.size();
    if (checksum(buffer) != protection.manifest.sums[s].strong) other += segment.bytes;
  }
  return other;
}

/// New files that are gone ones, renamed and damaged: by their numbers now and before.
std::vector<std::pair<std::size_t, std::size_t>> renamed_and_damaged(
    const Protection& old, const std::vector<ProtectedFile>& now, const FileChanges& changes,
    const fs::path& base, Progress& progress) {
  std::multimap<SizeAndTime, std::size_t> gone;
  for (const std::size_t file : changes.gone) {
    if (old.map.bytes_of_file(file) != 0)
      gone.emplace(size_and_time(old.manifest.files[file]), file);
  }
  std::vector<std::pair<std::size_t, std::size_t>> damaged;
  for (const std::size_t file : changes.added) {
    std::optional<std::size_t> likely;
    const auto [begin, end] = gone.equal_range(size_and_time(now[file]));
    for (auto each = begin; each != end; ++each) {
      const std::uint64_t other =
          num_other_bytes(old, each->second, base / now[file].name, progress);
      const bool is_likely = now[file].modified_nanoseconds != 0 || 2 * other <= now[file].bytes;
      if (is_likely) likely = each->second;
      if (other != 0) continue;
      likely.reset();
      break;
    }
    if (likely) damaged.emplace_back(file, *likely);
  }
  return damaged;
}

/// The old files that are gone, but those of which a new one has the size and the time: these may
/// have been renamed.
std::vector<std::string> names_of_missing(const std::vector<ProtectedFile>& before,
                                          const std::vector<ProtectedFile>& now,
                                          const FileChanges& changes) {
  std::set<SizeAndTime> added;
  for (const std::size_t file : changes.added) added.insert(size_and_time(now[file]));
  std::vector<std::string> missing;
  for (const std::size_t gone : changes.gone) {
    if (!added.contains(size_and_time(before[gone]))) missing.push_back(before[gone].name);
  }
  return missing;
}

}  // namespace

OldProtection compare_with_old(const std::vector<fs::path>& outputs,
                               const std::vector<ProtectedFile>& files, const fs::path& base,
                               const ComparisonRequest& request, Progress& progress) {
  OldProtection found;
  std::set<std::pair<std::string, std::string>> damaged;
  std::set<std::string> left;
  for (const Protection& old : old_protections(outputs, request.bounds, found.unreadable)) {
    const FileChanges changes = compare_files(old.manifest.files, files);
    if (!request.accept_missing) {
      refuse_missing(old.manifest.files, names_of_missing(old.manifest.files, files, changes),
                     old.manifest.scope, base, outputs.front());
    }
    for (const std::size_t gone : changes.gone) left.insert(old.manifest.files[gone].name);
    if (request.accept_damage) continue;
    const auto add_damaged = [&](std::size_t now, std::size_t before) {
      damaged.emplace(files[now].name, old.manifest.files[before].name);
    };
    for (const auto& [before, now] : changes.resized) add_damaged(now, before);
    std::uint64_t bytes = 0;
    for (const auto& each : changes.same) bytes += old.map.bytes_of_file(each.first);
    progress.begin("comparing with the old protection", bytes);
    for (const auto& [before, now] : changes.same) {
      if (num_other_bytes(old, before, base / files[now].name, progress) != 0) {
        add_damaged(now, before);
      }
    }
    for (const auto& [now, before] : renamed_and_damaged(old, files, changes, base, progress)) {
      add_damaged(now, before);
    }
  }
  found.damaged.assign(damaged.begin(), damaged.end());
  found.left.assign(left.begin(), left.end());
  return found;
}

}  // namespace xorloom
