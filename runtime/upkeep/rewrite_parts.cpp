#include "runtime/upkeep/rewrite_parts.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>
#include <vector>

#include "codes/text/error.hpp"
#include "runtime/files/pending_file.hpp"
#include "runtime/protection/output_parts.hpp"
#include "runtime/protection/redundancy_plan.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;

/// The parts that are damaged, and those that are missing and have a place.
std::vector<PlaceOfPart> parts_to_write(const Protection& protection,
                                        const ProtectionCheck& check) {
  std::vector<PlaceOfPart> wanted;
  for (std::size_t i = 0; i < protection.parts.size(); ++i) {
    const ProtectionPart& part = protection.parts[i];
    if (check.bad_blocks[i] != 0 || !part.defects.empty()) {
      wanted.push_back({part.path, part.header});
    }
  }
  wanted.insert(wanted.end(), protection.places.begin(), protection.places.end());
  return wanted;
}

/// True if what is at `path` now is a part of another generation than `read`, or of another
/// protection. A part without a whole header, or no part, is none.
bool is_another_part(const fs::path& path, const PartHeader& read) {
  try {
    const PartHeader now = open_part(path).header;
    return now.id != read.id || now.generation != read.generation;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

void rewrite_parts(const Protection& protection, const ProtectionCheck& check,
                   const RestoreRequest& request, Progress& progress, RestoredFiles& result) {
  std::vector<PlaceOfPart> wanted = parts_to_write(protection, check);
  if (wanted.empty()) return;
  Manifest manifest = protection.manifest;
  Code code = protection.code;
  if (!manifest.given_up.empty()) {
    // No file has what was given up. Without it the redundancy of all parts is different.
    manifest = without_given_up(std::move(manifest), code);
    code = code_of(manifest, {});
    wanted = protection.places;
    for (const ProtectionPart& part : protection.parts) wanted.push_back({part.path, part.header});
    for (PlaceOfPart& part : wanted) {
      part.header.manifest_bytes = manifest_bytes(manifest);
      part.header.chunk_blocks = manifest.chunk_blocks;
      ++part.header.generation;
    }
  }
  const FileMap map = manifest.map();
  std::vector<fs::path> paths;
  for (const PlaceOfPart& part : wanted) paths.push_back(part.path);
  if (request.is_trial) {
    result.rewritten_parts = paths;
    return;
  }
  OutputParts outputs(paths);
  check_not_updated(protection);
  mode_t permissions = kAnyPermissions;
  for (const ProtectionPart& part : protection.parts) permissions &= part.file.permissions();
  outputs.begin(wanted, permissions_within(permissions));
  progress.begin("protecting", map.stream_bytes());
  write_parts({request.base, manifest, map, code, request.options, Sums::kCompare}, outputs.parts(),
              progress);
  outputs.name_all(Existing::kReplace);
  result.rewritten_parts = paths;
  result.bytes_written += outputs.bytes();
}

void lock_parts(const Protection& protection, LockedDirectories& locks) {
  for (const ProtectionPart& part : protection.parts) {
    const fs::path directory = directory_of(follow_links(part.path));
    if (::access(directory.c_str(), W_OK) == 0) locks.lock(directory);
  }
  check_not_updated(protection);
}

void check_not_updated(const Protection& protection) {
  for (const ProtectionPart& part : protection.parts) {
    if (!is_another_part(part.path, part.header)) continue;
    fail(Status::kIo, fmt::format("{} was written anew meanwhile: repair again, with what is "
                                  "protected now",
                                  part.path.string()));
  }
  for (const PlaceOfPart& place : protection.places) {
    if (is_vacant(place.path)) continue;
    try {
      const PartHeader now = open_part(place.path).header;
      if (now.id != place.header.id || now.generation < place.header.generation) continue;
    } catch (const Error&) {
      continue;  // damaged as before
    }
    fail(Status::kIo, fmt::format("{} was written meanwhile: repair again", place.path.string()));
  }
}

}  // namespace xorloom
