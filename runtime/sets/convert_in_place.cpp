#include "runtime/sets/convert_in_place.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <list>
#include <map>
#include <system_error>
#include <vector>

#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "runtime/files/changed_file.hpp"
#include "runtime/files/directory_lock.hpp"
#include "runtime/files/pipeline.hpp"
#include "runtime/files/user_bytes.hpp"
#include "runtime/sets/carry_out.hpp"
#include "runtime/sets/change_journals.hpp"
#include "runtime/sets/set_input.hpp"
#include "runtime/sets/write_shards.hpp"
#include "runtime/shards/file_info.hpp"
#include "runtime/shards/shard_name.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;
using Reason = std::optional<std::string>;

/// The number of data locations if they come first, hold the file in order, and hold no redundancy;
/// else 0.
std::size_t leading_data(const Code& code) {
  const std::size_t chunk = 2 * chunk_multiple(code);  // packets take turns from chunk to chunk
  std::size_t at = 0;
  for (const UserPart& part : user_parts(code, chunk, 0, data_capacity(code, chunk))) {
    if (part.location * chunk + part.offset != at) return 0;
    at += part.bytes;
  }
  const std::size_t locations = at / chunk;
  const bool is_apart = std::ranges::all_of(
      code.redundant, [&](Cell cell) { return code.location_of_cell(cell) >= locations; });
  return at % chunk == 0 && is_apart ? locations : 0;
}

/// Says why the blocks of data would change under `code`; nullopt if they stay.
Reason why_blocks_change(const OpenedSet& set, const Code& code) {
  const ShardHeader& header = set.header();
  if (code.spec == header.spec) return "the set has this code already";
  if (header.pieces != Pieces{} || usual_pieces(code) != Pieces{}) {
    return "blocks are checked in pieces";
  }
  const std::size_t data = leading_data(set.code());
  if (data == 0 || leading_data(code) != data) return "data lie in other shards";
  if (header.block_bytes % chunk_multiple(code) != 0) {
    return fmt::format("blocks of {} bytes are not a multiple of {}", header.block_bytes,
                       chunk_multiple(code));
  }
  const StripeSizes sizes = stripe_sizes(code, header.block_bytes, header.file_bytes);
  if (sizes.stripe_bytes != header.stripe_bytes) return "stripes are of another size";
  if (sizes.last_block_bytes == header.last_block_bytes) return std::nullopt;
  return fmt::format("the last blocks have {}, and would have {}",
                     counted(header.last_block_bytes, "byte"), sizes.last_block_bytes);
}

/// Says why the data shards that were found cannot be those of the new set; nullopt if they can.
Reason why_not_whole(const FoundShards& found, const OpenedSet& set) {
  const SetId& id = set.header().set;
  const auto is_named_so = [&](const StrayFile& stray) {
    const auto name = parse_shard_name(stray.path.filename().string());
    return (name && name->set == id) || (stray.header && stray.header->set == id);
  };
  const auto is_there = [](const fs::path& path) {
    return fmt::format("{} is there, too", path.string());
  };
  for (const StrayFile& stray : found.strays) {
    if (is_named_so(stray)) return is_there(stray.path);
  }
  for (const auto& [other, path] : found.incomplete) {
    if (other == id) return is_there(path);
  }
  for (const FoundJournal& each : found.journals) {
    if (each.set == id) return is_there(each.journal->path());
  }
  for (const ShardSet& other : found.sets) {
    if (&other != &set.set() && other.header.set == id) {
      return is_there(other.shards.front().path);
    }
  }
  if (!found.unread.empty()) return found.unread.front();
  for (std::uint32_t location = 0; location < data_shards(set.header()); ++location) {
    const auto copies = set.copies(location);
    if (copies.size() != 1) {
      return fmt::format("there are {} copies of shard {}", copies.size(), location);
    }
    const ShardFile& shard = set.set().shards[copies.front()];
    if (!shard.defects.empty()) {
      return fmt::format("of shard {}, {}", location, shard.defects.front());
    }
    if (is_pending_shard(shard.path)) return fmt::format("shard {} has no name yet", location);
    try {
      const ChangedFile file(shard.path, shard.file.identity());
    } catch (const Error& error) {
      return error.what();
    }
  }
  return std::nullopt;
}

/// Removes the pending files that a killed conversion left, if the set has all its shards and no
/// journal.
void remove_unfinished(FoundShards& found, const ShardSet& set) {
  const SetId& id = set.header.set;
  const bool has_journal =
      std::ranges::any_of(found.journals, [&](const auto& each) { return each.set == id; });
  if (has_journal || locations_present(set).size() != set.header.locations) return;
  std::erase_if(found.incomplete, [&](const auto& each) {
    return each.first == id && ::unlink(each.second.c_str()) == 0;
  });
}

/// The header after the change, as long as the one before; nullopt if it would be longer, or the
/// old one has parts that this version does not know.
std::optional<ShardHeader> header_after(const FoundShards& found, const OpenedSet& set,
                                        const Code& code) {
  const ShardHeader& before = set.header();
  std::vector<std::size_t> copies = set.num_copies();
  copies.resize(data_shards(before));
  copies.resize(code.locations, 1);  // the redundancy is new
  ShardHeader after = next_generation(before, copies, highest_generation(found));
  after.lineage->recoded = after.generation;
  after.location = 0;
  after.locations = static_cast<std::uint32_t>(code.locations);
  after.spec = code.spec;
  after.optional_flags = 0;
  after.extra.clear();
  if (const auto info = remembered(before)) remember(*info, after);
  if (holds_files(before)) mark_as_files(after);
  if (after.optional_flags != before.optional_flags) return std::nullopt;
  if (!pad_header(after, header_bytes(before))) return std::nullopt;
  static_cast<void>(header_text(after));  // throws if the format cannot hold it
  return after;
}

/// Files for the new redundancy, each in the directory that has the fewest shards of the set.
std::vector<PendingFile> begin_redundancy(const OpenedSet& set, const ShardHeader& after,
                                          const std::vector<fs::path>& directories) {
  std::vector<std::size_t> shards(directories.size());
  for (const ShardFile& shard : set.set().shards) {
    if (shard.header.location >= data_shards(after)) continue;
    for (std::size_t i = 0; i < directories.size(); ++i) {
      if (is_same_directory(directory_of(shard.path), directories[i])) ++shards[i];
    }
  }
  std::vector<PendingFile> files;
  files.reserve(after.locations - data_shards(after));
  for (std::uint32_t location = data_shards(after); location < after.locations; ++location) {
    const auto emptiest = std::ranges::min_element(shards);
    ++*emptiest;
    files.emplace_back(directories[static_cast<std::size_t>(emptiest - shards.begin())] /
                           shard_name(after.set, location, after.locations),
                       std::string(), permissions_of(set.set()));
  }
  return files;
}

/// Makes the change: once the journals have their names it counts, whatever happens.
std::uint64_t write_journals(const OpenedSet& set, const ShardHeader& after,
                             std::vector<PendingFile>& files) {
  ChangeJournals journals(after.set, after.generation, permissions_of(set.set()));
  for (const ShardFile& shard : set.set().shards) {
    const JournalWriter& journal = journals.in(directory_of(shard.path));
    const bool is_data = shard.header.location < data_shards(after);
    if (is_data) journals.cover(journal, shard.header.location);
  }
  for (const PendingFile& file : files) journals.in(directory_of(file.destination()));
  journals.finish(set.header(), after);
  journals.name_all(files);
  return journals.bytes();
}

bool is_settled(FoundShards& found, const std::vector<fs::path>& directories) try {
  if (settle_journals(found, directories)) found = find_shards(directories);
  return true;
} catch (const Error&) {
  return false;
}

}  // namespace

Reason convert_in_place(const SetConversion& conversion, ConvertedSet& result, Progress& progress) {
  const std::vector<fs::path>& directories = conversion.directories;
  const Code& code = conversion.code;
  std::error_code error;
  for (const fs::path& directory : directories) {
    // It may be a disk that is not mounted.
    if (!fs::is_directory(directory, error)) {
      fail(Status::kIo, "{} is no directory: leave it out, or make it to hold shards",
           directory.string());
    }
  }
  if (each_once(directories).size() != directories.size()) return "a directory is named twice";
  std::list<DirectoryLock> locks;
  for (const fs::path& directory : directories) locks.emplace_back(directory);
  result.found = find_shards(directories);
  if (!is_settled(result.found, directories)) return "an interrupted change cannot be carried out";
  const FoundShards& found = result.found;
  const OpenedSet set(found, conversion.set_digits, reading_options(conversion), conversion.bounds);
  result.before = &set.set();
  check_stripe(conversion.bounds, set.code(), set.header().block_bytes);
  if (Reason why = why_blocks_change(set, code)) return why;
  check_stripe(conversion.bounds, code, set.header().block_bytes);
  remove_unfinished(result.found, set.set());
  if (Reason why = why_not_whole(found, set)) return why;
  const std::optional<ShardHeader> after = header_after(found, set, code);
  if (!after) return "headers have no room for the new spec";
  for (const fs::path& leftover : found.leftovers) ::unlink(leftover.c_str());

  SetInput input(found, set, result.damage);
  std::vector<PendingFile> files = begin_redundancy(set, *after, directories);
  progress.begin("encoding", set.header().file_bytes);
  ShardHeader written = *after;
  written.file_bytes = 0;
  written.last_block_bytes = 0;
  const auto read = [&](std::span<std::uint8_t> bytes) { return input.read(bytes); };
  const auto stamp = [&] { return input.stamp(); };
  result.encoded.plans = write_shards({read, code, conversion.options, data_shards(*after), stamp},
                                      written, files, progress);
  if (!result.damage.bad_blocks.empty()) return "damaged blocks are rebuilt";
  if (written != *after) fail(Status::kInternal, "the file has another length than its set says");

  result.encoded.header = *after;
  result.encoded.bytes_written =
      files.size() * shard_bytes(*after) +
      (2 * header_bytes(*after) + lineage_bytes(*after)) * data_shards(*after);
  result.encoded.bytes_written += write_journals(set, *after, files);
  progress.begin("carrying out");
  try {
    settle_journals(find_shards(directories), directories, pipeline_threads(conversion.options));
  } catch (const Error& failure) {
    result.failures.emplace_back(failure.what());
  }
  return std::nullopt;
}

}  // namespace xorloom
