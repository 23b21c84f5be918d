#include "runtime/upkeep/update_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "runtime/files/pipeline.hpp"
#include "runtime/protection/files_now.hpp"
#include "runtime/protection/missing_files.hpp"
#include "runtime/protection/output_parts.hpp"
#include "runtime/protection/redundancy_plan.hpp"
#include "runtime/upkeep/add_redundancy.hpp"
#include "runtime/upkeep/protection_check.hpp"
#include "runtime/upkeep/update_listing.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;

/// True if a row gives up more than a quarter of the redundancy that is wanted.
bool gives_up_too_much(const Manifest& manifest, const Code& code) {
  if (manifest.chunk_blocks == 0) return false;
  const std::uint64_t chunk_bytes = manifest.chunk_blocks * manifest.block_bytes;
  const std::uint64_t bytes = stream_bytes(manifest.files);
  const auto live = static_cast<std::size_t>(
      std::max<std::uint64_t>(1, bytes / chunk_bytes + (bytes % chunk_bytes != 0 ? 1 : 0)));
  const std::size_t lost = most_given_up(manifest);
  return lost > code.m ||
         4 * (code.m - lost) < 3 * redundant_chunks(live, manifest.scope.redundancy);
}

bool is_protection_damaged(const Protection& old) {
  return !old.unusable.empty() ||
         std::ranges::any_of(old.parts, [](const auto& part) { return !part.defects.empty(); });
}

/// Says in a phrase why the redundancy of new data is not added to the old one; empty if it is.
/// What the protection gives up may cost a quarter of its redundancy. Sets `code` if it could be
/// added.
std::string why_not_added(const Protection& old, Manifest& manifest, const SpecLimits& limits,
                          std::optional<Code>& code) {
  if (manifest.chunk_blocks == 0) return "there was nothing to protect";
  const std::uint64_t chunk_bytes = manifest.chunk_blocks * manifest.block_bytes;
  const std::uint64_t bytes = manifest.map().stream_bytes();
  const auto k = static_cast<std::size_t>(
      std::max<std::uint64_t>(1, bytes / chunk_bytes + (bytes % chunk_bytes != 0 ? 1 : 0)));
  const RedundancyWanted& wanted = manifest.scope.redundancy;
  if (k > 2 * (wanted.k != 0 ? wanted.k : kUsualDataChunks)) return "there are twice the data";
  code = extended_code(old.code, k, limits);
  if (!code) return "more data need another code";
  manifest.spec = code->spec;
  if (is_protection_damaged(old)) return "the protection is damaged";
  if (!gives_up_too_much(manifest, *code)) return {};
  if (most_given_up(manifest) == 0) return "there are far more data than before";
  return "more than a quarter of the redundancy would be given up";
}

/// The listed files with numbers in `read`.
ListedFiles those_read(const ListedFiles& listed, const std::vector<std::size_t>& read) {
  ListedFiles files;
  files.follows_links = listed.follows_links;
  for (const std::size_t file : read) {
    files.files.push_back(listed.files[file]);
    files.statuses.push_back(listed.statuses[file]);
  }
  return files;
}

/// Adds the remark that the protection is still damaged.
void note_damage(std::vector<std::string>& remarks) {
  remarks.emplace_back(
      "the protection is damaged: once all files are whole and readable, repair writes it anew, "
      "and so does an update that takes anything in");
}

/// Writes the usable parts with the redundancy of new data. Writes nothing and returns false if
/// damaged blocks are refused and there are some.
bool add(const UpdateRequest& request, const Protection& old, const ListedFiles& listed,
         const Code& code, UpdatePlan& plan, const fs::path& base, BadBlocks bad_blocks,
         OutputParts& outputs, UpdatedSet& result, Progress& progress) {
  const FileMap map = plan.manifest.map();
  std::vector<PlaceOfPart> places;
  for (const ProtectionPart& part : old.parts) {
    places.push_back({part.path, part.header});
    places.back().header.manifest_bytes = manifest_bytes(plan.manifest);
    ++places.back().header.generation;
  }
  outputs.begin(places, listed.permissions);
  progress.begin("updating", code.m * plan.manifest.chunk_blocks * plan.manifest.block_bytes);
  try {
    const bool has_damage =
        add_redundancy(request, old, plan, code, map, base, bad_blocks, outputs.parts(), progress);
    if (has_damage || !old.unusable.empty()) note_damage(result.remarks);
  } catch (const DamagedRedundancy&) {
    outputs.parts().clear();
    return false;
  }
  finish_parts(plan.manifest, outputs.parts(), progress);
  check_unchanged(those_read(listed, plan.read), base);
  result.bytes_read = plan.bytes_read + code.m * plan.manifest.chunk_blocks * old.block_bytes();
  result.bytes_written = outputs.bytes();
  outputs.name_all(Existing::kReplace);
  return true;
}

std::vector<std::string> names_of(const std::vector<ProtectedFile>& files) {
  std::vector<std::string> names;
  for (const ProtectedFile& file : files) names.push_back(file.name);
  return names;
}

/// The listed files among `read` whose names were not protected.
std::vector<std::size_t> new_ones(const Manifest& old, const ListedFiles& listed,
                                  std::vector<std::size_t> read) {
  std::erase_if(read, [&](std::size_t i) { return protects(old, listed.files[i].name); });
  return read;
}

/// Whether nothing of files, of the permissions of directories and of what is to be protected
/// changed. The time of a directory changes with every name in it, protected or not.
bool is_same(const UpdatePlan& plan, const Protection& old) {
  const auto is_same_directory = [](const ProtectedDirectory& a, const ProtectedDirectory& b) {
    return a.name == b.name && a.permissions == b.permissions;
  };
  return plan.manifest.files == old.manifest.files && plan.manifest.scope == old.manifest.scope &&
         std::ranges::equal(plan.manifest.directories, old.manifest.directories, is_same_directory);
}

bool has_whole_redundancy(const Protection& old, std::size_t threads, Progress& progress) {
  const ProtectionCheck check = check_redundancy(old, threads, progress);
  return std::ranges::all_of(check.bad_blocks, [](std::size_t bad) { return bad == 0; });
}

/// Updates, and leaves out files that cannot be read. What is missing stays protected if damaged
/// files are `waiting` for it: see UpdatedFiles.
UpdatedSet update_but(const std::map<std::string, int>& unread, const UpdateRequest& request,
                      OutputParts& outputs, Progress& progress,
                      const std::set<std::string>& waiting = {}) {
  const Protection old = open_protection(request.outputs, request.bounds);
  check_named(old, request.outputs, request.accept_missing);
  const std::vector<fs::path> paths = paths_of(old);
  const fs::path base = request.base.empty() ? directory_of(paths.front()) : request.base;
  ProtectionScope scope = old.manifest.scope;
  for (const std::string& pattern : request.excluded) {
    if (std::ranges::find(scope.excluded, pattern) == scope.excluded.end()) {
      scope.excluded.push_back(pattern);
    }
  }
  scope.follows_links |= request.follows_links;
  progress.begin("looking for files");
  ListedForUpdate to_protect = list_for_update(request, old.manifest, base, paths, scope, unread);
  ListedFiles& listed = to_protect.listed;
  if (listed.files.empty()) {
    FilesNow none;
    refuse_to_give_up(request, old, names_of(old.manifest.files), {},
                      find_moved_out(old, listed, base, none), base);
    fail(Status::kInvalidArgument, "there is no file to protect");
  }
  scope.directories = listed.directories;
  UpdatedSet result;
  std::optional<ProtectionCheck> check;  // once, and only if files are damaged or held
  const auto note_lost = [&] {
    if (check) return;
    check = check_protection(old, base, {}, pipeline_threads(request.options), progress);
    for (const LostBytes& lost : check->lost) {
      const std::string& name = old.manifest.files[lost.file].name;
      const bool is_lost = lost.is_known || request.accept_missing;
      if (is_lost && !waiting.contains(name)) result.files.lost.insert(name);
    }
  };
  const auto refuse = [&](const std::map<std::string, std::string>& damaged,
                          const std::vector<std::string>& held, const std::string& why) {
    if (damaged.empty()) return;
    note_lost();
    try {
      refuse_damaged(damaged, base, OtherFilesAre::kAsBefore, held, why);
    } catch (FilesAreDamaged& error) {
      error.lost = result.files.lost;
      error.lost->insert(waiting.begin(), waiting.end());
      throw;
    }
  };
  const bool reads_all = request.accept_damage || !waiting.empty();
  FilesNow now = find_files_now(old, listed, base,
                                reads_all ? FilesRead::kAll : FilesRead::kAmbiguous, progress);
  if (request.accept_damage) {
    now.held.clear();
    now.set_aside.clear();
  } else if (!now.unclear.empty()) {
    refuse(names_of_damaged(old, listed, now), {}, "it is unclear which protected files they were");
  }
  const MovedOut moved_out = find_moved_out(old, listed, base, now);
  if (!request.accept_missing) refuse_set_aside(moved_out);
  MovedOut out = moved_out;
  hold_missing(old, listed, request, !waiting.empty(), out, now);
  const bool keeps_held = !now.held.empty();
  hold_back(old, base, out, listed, now);
  const std::map<std::string, std::string> damaged_was = names_of_damaged(old, listed, now);
  UpdatePlan plan = plan_update(old, listed, now, std::move(scope), base, !request.accept_damage,
                                pipeline_threads(request.options), progress);
  plan.files.damaged_was = damaged_was;
  if (plan.others && !request.accept_missing) {
    refuse_others(*plan.others, !request.base.empty() || *plan.others != base);
  }
  refuse_to_give_up(request, old, plan.files.gone, plan.files.held, out, base);
  plan.files.moved_out = moved_out;
  check_readable(those_read(listed, plan.read), base);
  exclude_kept(listed, plan.manifest);
  result.base = base;
  result.files = plan.files;
  result.files.waiting = waiting;
  result.num_files = listed.files.size();
  result.k = old.code.k;
  result.m = old.code.m;
  result.given_up = most_given_up(plan.manifest);
  result.bytes_read = plan.bytes_read;
  result.left_out = listed.left_out;
  result.unreadable = listed.unread.size();
  note_links(listed, those_read(listed, new_ones(old.manifest, listed, plan.read)), result.remarks);
  note_leading_out(listed, old.manifest.files, result.remarks);
  note_unused_patterns(listed, request.excluded, result.remarks);
  // If all files are protected anew, damaged and unreadable ones cannot stay protected.
  const bool keeps_some =
      to_protect.keeps_unread || keeps_held || (plan.keeps_damaged && !plan.files.damaged.empty());
  if (!request.accept_damage && !damaged_was.empty()) note_lost();
  const bool is_the_same = is_same(plan, old);
  const bool is_well = !is_protection_damaged(old) && !gives_up_too_much(old.manifest, old.code);
  if (is_the_same && (keeps_some || is_well)) return result;
  std::optional<Code> code;
  result.why_whole = why_not_added(old, plan.manifest, request.bounds.spec, code);
  std::map<std::string, std::string> held_out;  // by place: damaged files that stay protected
  for (const auto& [name, there] : plan.files.held_out()) held_out[there] = name;
  // Returns damaged files that can be restored once missing ones, which would be given up, are back.
  const auto refuse_to_lose = [&](std::map<std::string, std::string> damaged) {
    if (request.accept_damage) damaged.clear();
    std::vector<std::string> held = plan.files.held;
    for (const auto& [there, name] : held_out) {
      damaged[there] = name;
      std::erase(held, name);
    }
    if (damaged.empty() && held.empty()) return std::set<std::string>();
    note_lost();
    if (plan.manifest.given_up == old.manifest.given_up) return std::set<std::string>();
    std::vector<std::string> lost;
    std::set<std::string> need_missing;
    for (const std::size_t file :
         lost_by_giving_up(old, plan.manifest.map(), *check, !request.accept_missing)) {
      lost.push_back(old.manifest.files[file].name);
      if (result.files.lost.contains(lost.back())) need_missing.insert(lost.back());
    }
    if (lost.empty()) return need_missing;
    if (need_missing.size() == lost.size() && waiting.empty()) return need_missing;
    const std::string why = few_names(lost) + " could then not be restored: repair that first";
    refuse(damaged, held, why);
    fail(Status::kIo, fmt::format("nothing was changed, since {}; option accept_missing gives up "
                                  "what is missing",
                                  why));
  };
  const auto is_added = [&](BadBlocks bad_blocks) {
    result.way = UpdateWay::kAdded;
    if (request.is_trial) {
      const bool is_whole = has_whole_redundancy(old, pipeline_threads(request.options), progress);
      if (bad_blocks == BadBlocks::kRefused) return is_whole;
      if (!is_whole || !old.unusable.empty()) note_damage(result.remarks);
      return true;
    }
    if (!add(request, old, listed, *code, plan, base, bad_blocks, outputs, result, progress)) {
      return false;
    }
    result.k = code->k;
    note_large_list(plan.manifest, result.remarks);
    return true;
  };
  const auto hold_missing_for = [&](const std::set<std::string>& damaged) {
    return update_but(unread, request, outputs, progress, damaged);
  };
  if (keeps_some && code) {
    if (const auto need = refuse_to_lose(damaged_was); !need.empty()) return hold_missing_for(need);
    is_added(BadBlocks::kStaySo);
    return result;
  }
  if (result.why_whole.empty()) {
    if (is_added(BadBlocks::kRefused)) return result;
    result.why_whole = "the protection is damaged";
  }
  result.way = UpdateWay::kWhole;
  if (!request.accept_damage) {
    const std::string why = "all files have to be protected anew: " + result.why_whole;
    refuse(damaged_was, {}, why);
    refuse(held_out, {}, why);
    const FilesNow all = find_files_now(old, listed, base, FilesRead::kAll, progress);
    result.bytes_read += all.bytes_read;
    const auto found = names_of_damaged(old, listed, all);
    if (is_the_same || !code) refuse(found, {}, why);
    if (!found.empty()) {
      // Damaged files stay protected as they were, and all else is taken in.
      if (const auto need = refuse_to_lose(found); !need.empty()) return hold_missing_for(need);
      is_added(BadBlocks::kStaySo);
      result.files.damaged_was = found;
      result.files.damaged.clear();
      for (const auto& each : found) result.files.damaged.push_back(each.first);
      return result;
    }
  }
  // Files that are not there cannot be protected anew.
  std::vector<LeftOut> not_there;
  for (const auto& [there, name] : held_out) {
    not_there.push_back({name, there});
    result.files.gone.push_back(name);
    std::erase(result.files.held, name);
  }
  leave_out(listed, not_there);
  if (request.is_trial) return result;
  // The files are compared with their old protection by now.
  const ProtectRequest whole{.paths = {},
                             .base = base,
                             .excluded = plan.manifest.scope.excluded,
                             .follows_links = plan.manifest.scope.follows_links,
                             .outputs = paths,
                             .redundancy = plan.manifest.scope.redundancy,
                             .options = request.options,
                             .replace = true,
                             .accept_damage = true,
                             .keeps_going = request.keeps_going,
                             .accept_missing = true,
                             .bounds = request.bounds,
                             .memory_bytes = request.memory_bytes};
  const ProtectedSet made = protect_listed(whole, listed, outputs, progress);
  result.k = made.k;
  result.m = made.m;
  result.given_up = 0;
  result.bytes_read += made.stream_bytes;
  result.bytes_written = made.bytes_written;
  note_large_list(made.manifest, result.remarks);
  return result;
}

}  // namespace

UpdatedSet update_files(const UpdateRequest& request, Progress& progress) {
  OutputParts outputs(request.is_trial ? std::vector<fs::path>() : request.outputs);
  return leaving_out_unread(request.keeps_going, outputs, [&](const auto& unread) {
    return update_but(unread, request, outputs, progress);
  });
}

}  // namespace xorloom
