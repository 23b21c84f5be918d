#include "runtime/upkeep/rewrite_parts.hpp"

#include <utility>
#include <vector>

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
  result.rewritten_parts = paths;
  if (request.is_trial) return;
  OutputParts outputs(paths);
  mode_t permissions = kAnyPermissions;
  for (const ProtectionPart& part : protection.parts) permissions &= part.file.permissions();
  outputs.begin(wanted, permissions_within(permissions));
  progress.begin("protecting", map.stream_bytes());
  write_parts({request.base, manifest, map, code, request.options, Sums::kCompare}, outputs.parts(),
              progress);
  outputs.name_all(Existing::kReplace);
  result.bytes_written += outputs.bytes();
}

}  // namespace xorloom
