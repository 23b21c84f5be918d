#include "runtime/protection/protection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <map>
#include <system_error>
#include <utility>

#include "codes/text/error.hpp"
#include "runtime/files/checksum.hpp"
#include "runtime/files/file_error.hpp"
#include "runtime/protection/redundancy_plan.hpp"

namespace xorloom {
namespace {

/// Reads the text of the manifest, and notes the defects of each part.
std::vector<std::uint8_t> read_manifest_text(std::vector<ProtectionPart>& parts) {
  const PartHeader& header = parts.front().header;
  std::vector<std::uint8_t> text;
  text.reserve(header.manifest_bytes);
  std::vector<std::size_t> damaged(parts.size());
  for (std::uint64_t page = 0; page < manifest_pages(header); ++page) {
    std::vector<std::uint8_t> found;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      for (const int copy : {0, 1}) {
        std::vector<std::uint8_t> read = parts[i].read_page(copy, page);
        if (read.empty()) {
          ++damaged[i];
        } else {
          found = std::move(read);
        }
      }
    }
    if (found.empty()) {
      for (const ProtectionPart& part : parts) {
        for (const int copy : {0, 1}) {
          const int code = part.error_of_page(copy, page);
          if (code > 0) fail_on_io("read", part.path, code);
        }
      }
      fail(Status::kDamaged,
           fmt::format("page {} of the list of protected files is damaged in every copy that {} "
                       "has",
                       page, parts.front().path.string()));
    }
    text.insert(text.end(), found.begin(), found.end());
  }
  text.resize(header.manifest_bytes);
  if (checksum(text) != header.manifest_checksum) {
    fail(Status::kDamaged, fmt::format("the list of protected files in {} has a wrong checksum",
                                       parts.front().path.string()));
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (damaged[i] == 0) continue;
    parts[i].defects.push_back(fmt::format("{} of {} pages of its lists of files are damaged",
                                           damaged[i], 2 * manifest_pages(header)));
  }
  return text;
}

void check_memory(const ReadingBounds& bounds, const char* what, std::uint64_t bytes) {
  if (bytes <= bounds.memory_bytes) return;
  fail(Status::kUnsupported,
       fmt::format("{} takes {} bytes of memory, more than the {} that files may take; "
                   "option allow_large lifts this bound",
                   what, bytes, bounds.memory_bytes));
}

/// Removes the parts of other protections than the one with the most parts; none if there is a tie.
void take_out_strangers(std::vector<ProtectionPart>& parts, std::vector<std::string>& unusable) {
  std::map<SetId, std::size_t> votes;
  for (const ProtectionPart& part : parts) ++votes[part.header.id];
  const auto by_votes = [](const auto& a, const auto& b) { return a.second < b.second; };
  const auto most = std::ranges::max_element(votes, by_votes);
  const SetId own = most->first;
  const auto with_most =
      std::ranges::count_if(votes, [&](const auto& each) { return each.second == most->second; });
  if (with_most != 1) return;
  std::erase_if(parts, [&](const ProtectionPart& part) {
    if (part.header.id == own) return false;
    unusable.push_back(
        fmt::format("{} is of another protection, {}, and the others are of {}; if "
                    "it is an older one, remove it and run repair",
                    part.path.string(), to_string(part.header.id), to_string(own)));
    return true;
  });
}

/// Removes and returns the parts of earlier generations than the latest one: the program that
/// replaced them was interrupted, or could not reach them; or they are older copies.
std::vector<ProtectionPart> take_out_stale(std::vector<ProtectionPart>& parts) {
  std::uint64_t latest = 0;
  for (const ProtectionPart& part : parts) {
    if (part.header.id != parts.front().header.id) return {};
    latest = std::max(latest, part.header.generation);
  }
  const auto stale = std::stable_partition(parts.begin(), parts.end(), [&](const auto& part) {
    return part.header.generation == latest;
  });
  std::vector<ProtectionPart> taken(std::make_move_iterator(stale),
                                    std::make_move_iterator(parts.end()));
  parts.erase(stale, parts.end());
  return taken;
}

/// The headers of the parts that are missing.
std::vector<PartHeader> missing_parts(const std::vector<ProtectionPart>& parts, std::size_t m) {
  std::vector<PartHeader> missing;
  for (std::uint32_t number = 0; number < parts.front().header.parts; ++number) {
    const bool is_there = std::ranges::any_of(
        parts, [&](const ProtectionPart& part) { return part.header.part == number; });
    if (is_there) continue;
    PartHeader header = parts.front().header;
    header.part = number;
    share_redundancy(header, m);
    missing.push_back(header);
  }
  return missing;
}

/// Says of each stale part of a protection whether it has to be written anew, since its number is
/// missing, or is an older copy of a part that is there.
void sort_stale(const std::vector<ProtectionPart>& stale, Protection& protection) {
  for (const ProtectionPart& part : stale) {
    const bool is_missing = std::ranges::find(protection.missing, part.header.part,
                                              &PartHeader::part) != protection.missing.end();
    const std::string sentence = fmt::format(
        "{} is of generation {} of this protection, and others of {}", part.path.string(),
        part.header.generation, protection.parts.front().header.generation);
    if (is_missing) {
      protection.unusable.push_back(sentence);
    } else {
      protection.older.push_back(sentence + ": it is an older copy, which may be removed");
    }
  }
}

/// Throws unless the parts are of one protection, without duplicates, and with disjoint redundancy.
void check_parts(const std::vector<ProtectionPart>& parts) {
  for (std::size_t i = 1; i < parts.size(); ++i) {
    PartHeader expected = parts.front().header;
    const PartHeader& header = parts[i].header;
    expected.part = header.part;
    expected.first = header.first;
    expected.count = header.count;
    if (header != expected) {
      fail(Status::kInvalidArgument,
           fmt::format("{} and {} are not parts of one protection", parts.front().path.string(),
                       parts[i].path.string()));
    }
    if (header.part == parts[i - 1].header.part) {
      fail(Status::kInvalidArgument,
           fmt::format("{} and {} are the same part of a protection", parts[i - 1].path.string(),
                       parts[i].path.string()));
    }
    if (header.first < parts[i - 1].header.first + parts[i - 1].header.count) {
      fail(Status::kDamaged, fmt::format("{} and {} have redundancy in common",
                                         parts[i - 1].path.string(), parts[i].path.string()));
    }
  }
}

/// Throws kIo: there is nothing at the paths, or only empty files.
[[noreturn]] void refuse_vacant(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) fail(Status::kIo, path.string() + " does not exist");
  fail(Status::kIo, fmt::format("{} is empty, and the files were not read: protect them anew with "
                                "option replace",
                                path.string()));
}

/// The paths at which missing parts are to be written: over those of earlier generations, and at
/// the paths of other unusable parts.
std::vector<PlaceOfPart> places_for(std::vector<PartHeader> missing,
                                    const std::vector<ProtectionPart>& stale,
                                    const std::vector<std::filesystem::path>& vacant,
                                    const std::vector<std::filesystem::path>& damaged) {
  std::vector<PlaceOfPart> places;
  for (const ProtectionPart& part : stale) {
    const auto found = std::ranges::find(missing, part.header.part, &PartHeader::part);
    if (found == missing.end() || part.header.parts != found->parts) continue;
    places.push_back({part.path, *found});
    missing.erase(found);
  }
  if (vacant.size() > missing.size()) {
    if (!std::filesystem::exists(vacant.front())) fail_on_io("read", vacant.front(), ENOENT);
    fail(Status::kIo,
         fmt::format("{} is empty, and no file of the protection is missing: leave it out",
                     vacant.front().string()));
  }
  // A damaged file may be of another protection, unless there are as many as missing parts.
  std::vector<std::filesystem::path> paths = vacant;
  if (vacant.size() + damaged.size() == missing.size()) {
    paths.insert(paths.end(), damaged.begin(), damaged.end());
  }
  for (std::size_t i = 0; i < paths.size(); ++i) places.push_back({paths[i], missing[i]});
  return places;
}

Protection read_protection(const std::vector<std::filesystem::path>& paths,
                           const ReadingBounds& bounds) {
  std::vector<ProtectionPart> parts;
  std::vector<std::string> unusable;
  std::vector<std::filesystem::path> vacant;
  std::vector<std::filesystem::path> damaged;
  for (const auto& path : paths) {
    if (is_vacant(path)) {
      unusable.push_back(path.string() + " is missing or empty");
      vacant.push_back(path);
      continue;
    }
    try {
      parts.push_back(open_part(path));
    } catch (const Error& error) {
      if (error.kind() != Status::kDamaged) throw;
      unusable.emplace_back(error.what());
      damaged.push_back(path);
    }
  }
  if (parts.empty() && damaged.empty()) refuse_vacant(vacant.front());
  if (parts.empty()) fail(Status::kDamaged, unusable.front());
  take_out_strangers(parts, unusable);
  const std::vector<ProtectionPart> stale = take_out_stale(parts);
  std::ranges::stable_sort(parts, {}, [](const auto& part) { return part.header.part; });
  check_parts(parts);
  const PartHeader& header = parts.front().header;
  check_memory(bounds, "the list of protected files", header.manifest_bytes);
  Manifest manifest = parse_manifest(read_manifest_text(parts));
  Code code = code_of(manifest, bounds.spec);
  if (manifest.block_bytes != header.block_bytes || manifest.chunk_blocks != header.chunk_blocks ||
      parts.back().header.first + parts.back().header.count > code.m) {
    fail(Status::kDamaged, fmt::format("the header of {} does not agree with its list of files",
                                       parts.front().path.string()));
  }
  check_memory(bounds, "a row of blocks", code.locations * manifest.block_bytes);
  check_memory(bounds, "the state of redundant blocks", code.m * manifest.chunk_blocks / 8);
  std::vector<PartHeader> missing = missing_parts(parts, code.m);
  std::vector<PlaceOfPart> places = places_for(missing, stale, vacant, damaged);
  FileMap map = manifest.map();
  Protection protection{std::move(manifest), std::move(map),     std::move(code),  std::move(parts),
                        std::move(unusable), std::move(missing), std::move(places)};
  sort_stale(stale, protection);
  return protection;
}

}  // namespace

bool is_vacant(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) return error == std::errc::no_such_file_or_directory;
  return std::filesystem::is_regular_file(status) && std::filesystem::is_empty(path, error);
}

Protection open_protection(const std::vector<std::filesystem::path>& paths,
                           const ReadingBounds& bounds) {
  try {
    return read_protection(paths, bounds);
  } catch (const Error& error) {
    if (error.kind() == Status::kParse) {
      fail(Status::kIo,
           fmt::format("{}, or is damaged beyond use; {}", error.what(),
                       paths.size() == 1
                           ? "the files were not read: move it away, and protect them anew"
                           : "move it away, and repair writes it anew"));
    }
    if (error.kind() != Status::kDamaged) throw;
    fail(Status::kIo, fmt::format("{}; the protection cannot be used, and the files were not read: "
                                  "protect them anew with option replace",
                                  error.what()));
  }
}

}  // namespace xorloom
