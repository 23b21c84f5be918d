#include "runtime/protection/protect_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <system_error>

#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "runtime/files/open_file.hpp"
#include "runtime/protection/list_files.hpp"
#include "runtime/protection/protection.hpp"
#include "runtime/protection/silent_damage.hpp"
#include "runtime/protection/write_parts.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;

/// Throws if the file to be replaced is no protection file, cannot be read, or is of another
/// version.
void check_replaceable(const fs::path& output) try {
  static_cast<void>(open_part(output));
} catch (const Error& error) {
  if (error.kind() == Status::kDamaged) return;
  if (error.kind() != Status::kParse) throw;
  if (is_vacant(output)) return;
  fail(Status::kInvalidArgument,
       fmt::format("{}, and is not replaced: move it away, then protect again", error.what()));
}

fs::path base_of(const ProtectRequest& request) {
  return request.base.empty() ? directory_of(request.outputs.front()) : request.base;
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
    if (fs::is_directory(output, error)) {
      fail(Status::kInvalidArgument,
           fmt::format("{} is a directory: name a file in it, such as {}", output.string(),
                       (output / "files.xorloom").string()));
    }
    if (!request.replace) {
      fail(Status::kInvalidArgument,
           fmt::format("{} is there already: option replace replaces it", output.string()));
    }
    check_replaceable(output);
  }
}

}  // namespace

void refuse_damaged(const std::map<std::string, std::string>& damaged, const fs::path& base,
                    OtherFilesAre others, const std::vector<std::string>& held,
                    const std::string& why_none) {
  if (damaged.empty()) return;
  std::vector<std::string> names;
  std::vector<std::string> protected_names = held;
  std::vector<std::string> taken;  // protected names that other files have now
  for (const auto& [now, was] : damaged) {
    names.push_back(now);
    protected_names.push_back(was);
    std::error_code error;
    const bool is_taken = now != was && fs::exists(base / was, error);
    if (is_taken && others == OtherFilesAre::kAsBefore) taken.push_back(was);
  }
  const char* const kept = "and what is damaged is protected as before";
  throw FilesAreDamaged(
      fmt::format("{} changed, and the time did not, as if by damage; {}, and verify finds all "
                  "damage; touch what you edited, or option accept_damage protects all as it is",
                  few_names(names),
                  others == OtherFilesAre::kTakenIn
                      ? fmt::format("all others were taken in, {}", kept)
                  : others == OtherFilesAre::kToBeTakenIn
                      ? fmt::format("all others would be taken in, {}", kept)
                      : "nothing was changed" + (why_none.empty() ? "" : ", since " + why_none)) +
          (taken.empty() ? ""
                         : fmt::format("; what has the name of {} now is no damage, and repair "
                                       "keeps it as NAME.damaged",
                                       few_names(taken))),
      protected_names, base);
}

void note_links(const ListedFiles& listed, const ListedFiles& read,
                std::vector<std::string>& remarks) {
  std::map<FileIdentity, std::vector<std::string>> names;
  for (const struct stat& status : read.statuses) {
    if (status.st_nlink > 1) names[{status.st_dev, status.st_ino}];
  }
  for (std::size_t i = 0; i < listed.files.size(); ++i) {
    const struct stat& status = listed.statuses[i];
    const auto of_file = names.find({status.st_dev, status.st_ino});
    if (of_file != names.end()) of_file->second.push_back(listed.files[i].name);
  }
  std::erase_if(names, [](const auto& each) { return each.second.size() < 2; });
  constexpr std::size_t kMost = 8;
  std::size_t said = 0;
  for (const auto& each : names) {
    if (++said > kMost) {
      remarks.push_back(
          fmt::format("{} more files have several names each, as these", names.size() - kMost));
      return;
    }
    remarks.push_back(
        fmt::format("hard links of one file, each of which repair restores as a file "
                    "of its own: {}",
                    few_names(each.second)));
  }
}

void note_leading_out(const ListedFiles& listed, const std::vector<ProtectedFile>& before,
                      std::vector<std::string>& remarks) {
  const auto is_known = [&](const std::string& name) {
    const auto first = std::ranges::lower_bound(before, name, {}, &ProtectedFile::name);
    return first != before.end() && (first->name == name || first->name.starts_with(name + "/"));
  };
  constexpr std::size_t kMost = 8;
  std::size_t found = 0;
  for (const auto& [name, target] : listed.leading_out) {
    if (is_known(name) || ++found > kMost) continue;
    remarks.push_back(fmt::format("{} leads out of the base directory, to {}", name, target));
  }
  if (found > kMost) {
    remarks.push_back(fmt::format("{} more links lead out of the base directory", found - kMost));
  }
}

void note_unused_patterns(const ListedFiles& listed, const std::vector<std::string>& given,
                          std::vector<std::string>& remarks) {
  for (const std::string& pattern : listed.unused) {
    if (std::ranges::find(given, pattern) == given.end()) continue;
    remarks.push_back(fmt::format("the pattern '{}' excludes nothing", pattern));
  }
}

void note_large_list(const Manifest& manifest, std::vector<std::string>& remarks) {
  if (manifest_bytes(manifest) <= ReadingBounds{}.memory_bytes) return;
  remarks.push_back(
      fmt::format("the list of files takes {} bytes, more than {}: verify and repair need "
                  "option allow_large to read it; protect parts of the tree apart",
                  manifest_bytes(manifest), ReadingBounds{}.memory_bytes));
}

void say_how_to_leave_out(const UnreadFile& error) {
  fail(Status::kIo, fmt::format("{}; option keep_going leaves it out, and option exclude does for "
                                "good",
                                error.what()));
}

ProtectedSet protect_listed(const ProtectRequest& request, ListedFiles listed, OutputParts& outputs,
                            Progress& progress) {
  const fs::path base = base_of(request);
  if (listed.files.empty()) {
    std::string why = "there is no file to protect";
    if (!listed.left_out.empty()) {
      why += fmt::format("; {}: {}", listed.left_out.front().name, listed.left_out.front().why);
    }
    fail(Status::kInvalidArgument, why);
  }
  ProtectedSet result;
  if (request.replace && !(request.accept_damage && request.accept_missing)) {
    OldProtection old =
        compare_with_old(request.outputs, listed, base,
                         {request.accept_damage, request.accept_missing, request.bounds}, progress);
    refuse_damaged(old.damaged, base, OtherFilesAre::kAsBefore);
    for (const std::string& why : old.unreadable) {
      result.remarks.push_back("not compared with what was protected: " + why);
    }
    leave_out(listed, old.set_aside);
    result.no_longer = std::move(old.left);
  }
  result.manifest = planned_manifest(
      listed.files,
      {listed.directories, request.excluded, request.redundancy, request.follows_links},
      request.bounds.spec, request.memory_bytes, request.outputs.size());
  result.manifest.directories = listed.attributes;
  const Manifest& manifest = result.manifest;
  const Code code = code_of(manifest, request.bounds.spec);
  if (request.outputs.size() > code.m) {
    fail(Status::kInvalidArgument,
         fmt::format("{} cannot be shared between {}", counted(code.m, "redundant chunk"),
                     counted(request.outputs.size(), "file")));
  }
  const FileMap map = manifest.map();
  PartHeader header = successor_of(request.outputs);
  header.manifest_bytes = manifest_bytes(manifest);
  header.chunk_blocks = manifest.chunk_blocks;
  header.block_bytes = manifest.block_bytes;
  result.id = header.id;
  result.stream_bytes = map.stream_bytes();
  result.k = code.k;
  result.m = code.m;
  result.left_out = listed.left_out;
  result.unreadable = listed.unread.size();
  note_links(listed, listed, result.remarks);
  note_leading_out(listed, {}, result.remarks);
  note_unused_patterns(listed, request.excluded, result.remarks);
  note_large_list(manifest, result.remarks);
  outputs.begin(shared_parts(header, request.outputs, code.m), listed.permissions);
  result.bytes_written = outputs.bytes();
  progress.begin("protecting", map.stream_bytes());
  write_parts({base, result.manifest, map, code, request.options, Sums::kMake, request.memory_bytes,
               request.keeps_going ? UnreadFilesAre::kNoted : UnreadFilesAre::kThrown},
              outputs.parts(), progress);
  check_unchanged(listed, base);
  outputs.name_all(request.replace ? Existing::kReplace : Existing::kRefuse);
  return result;
}

ProtectedSet protect_files(const ProtectRequest& request, Progress& progress) {
  OutputParts outputs(request.outputs);
  check_outputs(request);
  return leaving_out_unread(request.keeps_going, outputs, [&](const auto& unread) {
    progress.begin("looking for files");
    ListedFiles listed = list_files(
        request.paths, base_of(request), request.outputs,
        {{}, request.excluded, {}, request.follows_links},
        request.keeps_going ? MayBeLeftOut(leave_out_any) : MayBeLeftOut(), true, {}, unread);
    if (!request.keeps_going) check_readable(listed, base_of(request));
    return protect_listed(request, std::move(listed), outputs, progress);
  });
}

}  // namespace xorloom
