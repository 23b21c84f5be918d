#include "runtime/protection/protect_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <list>
#include <map>
#include <set>
#include <system_error>

#include "codes/text/error.hpp"
#include "runtime/files/directory_lock.hpp"
#include "runtime/files/leftovers.hpp"
#include "runtime/protection/list_files.hpp"
#include "runtime/protection/silent_damage.hpp"
#include "runtime/protection/write_parts.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;

/// Throws if a protection file is of a later version.
void check_version(const fs::path& output) try {
  static_cast<void>(open_part(output));
} catch (const Error& error) {
  if (error.kind() == Status::kUnsupported) throw;
}

void check_outputs(const ProtectRequest& request) {
  std::set<fs::path> seen;
  for (const fs::path& output : request.outputs) {
    std::error_code error;
    const fs::path directory = fs::canonical(directory_of(output), error);
    if (!seen.insert(directory / output.filename()).second) {
      fail(Status::kInvalidArgument,
           fmt::format("{} is named twice as an output", output.string()));
    }
    if (!fs::exists(fs::symlink_status(output, error))) continue;
    if (!request.replace) {
      fail(Status::kInvalidArgument,
           fmt::format("{} is there already: option replace replaces it", output.string()));
    }
    if (!looks_like_part(output)) {
      fail(Status::kInvalidArgument,
           fmt::format("{} is not a protection file, and is not replaced", output.string()));
    }
    check_version(output);
  }
}

/// Some names, of which the first few are said.
std::string short_list(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 8;
  const std::size_t count = std::min(names.size(), kMost);
  const std::string text = fmt::format(
      "{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(count), ", "));
  return names.size() == count ? text : fmt::format("{} and {} more", text, names.size() - count);
}

/// Throws if files are damaged, as the protection that is there says.
void compare_with_old(const ProtectRequest& request, const fs::path& base,
                      const std::vector<ProtectedFile>& files, ProtectedSet& result,
                      Progress& progress) {
  OldProtection old = compare_with_old(request.outputs, files, base, request.bounds, progress);
  if (!old.damaged.empty()) {
    fail(Status::kInvalidArgument,
         fmt::format(
             "{} changed, and the size and time did not, as if by damage: repair {} restores "
             "the old content; option accept_damage protects the new one",
             short_list(old.damaged), request.outputs.front().string()));
  }
  for (const std::string& why : old.unreadable) {
    result.remarks.push_back("not compared with what was protected: " + why);
  }
  result.no_longer = std::move(old.left);
}

/// Says which files are one file under several names.
void note_links(const ListedFiles& listed, std::vector<std::string>& remarks) {
  std::map<FileIdentity, std::vector<std::string>> names;
  for (std::size_t i = 0; i < listed.files.size(); ++i) {
    const struct stat& status = listed.statuses[i];
    if (status.st_nlink < 2) continue;
    names[{status.st_dev, status.st_ino}].push_back(listed.files[i].name);
  }
  for (const auto& each : names) {
    if (each.second.size() < 2) continue;
    remarks.push_back(
        fmt::format("hard links of one file, each of which repair restores as a file "
                    "of its own: {}",
                    short_list(each.second)));
  }
}

/// Gives all parts their names; none, if one cannot have its name and nothing was replaced.
void name_all(std::vector<PartBeingWritten>& parts, Existing existing) {
  const auto uninterrupted = hold_off_abandoning();
  std::size_t named = 0;
  try {
    for (PartBeingWritten& part : parts) {
      part.file.commit(existing);
      ++named;
    }
  } catch (...) {
    while (existing == Existing::kRefuse && named != 0) parts[--named].file.withdraw();
    throw;
  }
}

}  // namespace

ProtectedSet protect_files(const ProtectRequest& request, Progress& progress) {
  const fs::path base = request.base.empty() ? directory_of(request.outputs.front()) : request.base;
  std::set<fs::path> directories;
  for (const fs::path& output : request.outputs) directories.insert(directory_of(output));
  std::list<DirectoryLock> locks;
  for (const fs::path& directory : each_once(std::vector(directories.begin(), directories.end()))) {
    locks.emplace_back(directory);
  }
  check_outputs(request);
  for (const fs::path& output : request.outputs) remove_leftovers_of(output);
  progress.begin("looking for files");
  ListedFiles listed = list_files(request.paths, base, request.outputs);
  ProtectedSet result;
  if (request.replace && !request.accept_damage) {
    compare_with_old(request, base, listed.files, result, progress);
  }
  result.manifest = planned_manifest(listed.files, request.redundancy, request.bounds.spec);
  const Manifest& manifest = result.manifest;
  const Code code = code_of(manifest, request.bounds.spec);
  if (request.outputs.size() > code.m) {
    fail(Status::kInvalidArgument,
         fmt::format("{} redundant chunks cannot be shared between {} files", code.m,
                     request.outputs.size()));
  }
  const FileMap map(manifest.files, manifest.block_bytes);
  result.id = draw_set_id();
  result.stream_bytes = map.stream_bytes();
  result.k = code.k;
  result.m = code.m;
  result.left_out = std::move(listed.left_out);
  note_links(listed, result.remarks);
  if (manifest_bytes(manifest) > ReadingBounds{}.memory_bytes) {
    result.remarks.push_back(
        fmt::format("the list of files takes {} bytes, more than {}: verify and repair need "
                    "option allow_large to read it; protect parts of the tree apart",
                    manifest_bytes(manifest), ReadingBounds{}.memory_bytes));
  }
  std::vector<PartBeingWritten> parts;
  for (std::size_t i = 0; i < request.outputs.size(); ++i) {
    PartHeader header{.id = result.id,
                      .part = static_cast<std::uint32_t>(i),
                      .parts = static_cast<std::uint32_t>(request.outputs.size()),
                      .manifest_bytes = manifest_bytes(manifest),
                      .chunk_blocks = manifest.chunk_blocks,
                      .block_bytes = manifest.block_bytes};
    share_redundancy(header, code.m);
    result.bytes_written += part_bytes(header);
    parts.push_back({PendingFile(request.outputs[i], {}, listed.permissions), header});
  }
  progress.begin("protecting", map.stream_bytes());
  write_parts({base, result.manifest, map, code, request.options, Sums::kMake}, parts, progress);
  check_unchanged(listed, base);
  name_all(parts, request.replace ? Existing::kReplace : Existing::kRefuse);
  sync_directories(directories);
  return result;
}

}  // namespace xorloom
