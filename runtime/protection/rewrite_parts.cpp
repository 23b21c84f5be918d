#include "runtime/protection/rewrite_parts.hpp"

#include <map>
#include <set>
#include <vector>

#include "runtime/files/directory_lock.hpp"
#include "runtime/files/leftovers.hpp"
#include "runtime/files/pending_file.hpp"
#include "runtime/protection/write_parts.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;

/// A part that is to be written anew.
struct PartToWrite {
  fs::path path;
  PartHeader header;
};

/// The parts that are damaged, and those that are missing and have a place.
std::vector<PartToWrite> parts_to_write(const Protection& protection,
                                        const ProtectionCheck& check) {
  std::vector<PartToWrite> wanted;
  for (std::size_t i = 0; i < protection.parts.size(); ++i) {
    const ProtectionPart& part = protection.parts[i];
    if (check.bad_blocks[i] != 0 || !part.defects.empty()) {
      wanted.push_back({part.path, part.header});
    }
  }
  for (std::size_t i = 0; i < protection.places.size(); ++i) {
    wanted.push_back({protection.places[i], protection.missing[i]});
  }
  return wanted;
}

}  // namespace

void rewrite_parts(const Protection& protection, const ProtectionCheck& check, const fs::path& base,
                   const Options& options, Progress& progress, RestoredFiles& result) {
  const std::vector<PartToWrite> wanted = parts_to_write(protection, check);
  if (wanted.empty()) return;
  std::vector<PartBeingWritten> parts;
  std::map<fs::path, DirectoryLock> locks;
  for (const PartToWrite& part : wanted) {
    const fs::path directory = directory_of(part.path);
    locks.try_emplace(directory, directory);
  }
  for (const PartToWrite& part : wanted) remove_leftovers_of(part.path);
  mode_t permissions = kAnyPermissions;
  for (const ProtectionPart& part : protection.parts) permissions &= part.file.permissions();
  for (const PartToWrite& part : wanted) {
    parts.push_back({PendingFile(part.path, {}, permissions_within(permissions)), part.header});
  }
  Manifest manifest = protection.manifest;
  progress.begin("protecting", protection.map.stream_bytes());
  write_parts({base, manifest, protection.map, protection.code, options, Sums::kCompare}, parts,
              progress);
  std::set<fs::path> directories;
  const auto uninterrupted = hold_off_abandoning();
  for (PartBeingWritten& part : parts) {
    part.file.commit();
    directories.insert(directory_of(part.file.destination()));
    result.rewritten_parts.push_back(part.file.destination());
    result.bytes_written += part_bytes(part.header);
  }
  sync_directories(directories);
}

}  // namespace xorloom
