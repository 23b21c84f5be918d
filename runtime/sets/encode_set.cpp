#include "runtime/sets/encode_set.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <list>
#include <system_error>
#include <utility>

#include "codes/text/counted.hpp"
#include "codes/text/error.hpp"
#include "runtime/files/directory_lock.hpp"
#include "runtime/files/file_error.hpp"
#include "runtime/sets/old_content.hpp"
#include "runtime/sets/write_shards.hpp"
#include "runtime/shards/opened_set.hpp"
#include "runtime/shards/shard_name.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;

/// A header has at least kLeastRoomBytes to spare; its length is a multiple of kHeaderStepBytes.
constexpr std::size_t kLeastRoomBytes = 64;
constexpr std::size_t kHeaderStepBytes = 256;

/// Throws unless the set is what it was when its file began to be read: the directories are locked
/// only now.
void check_unchanged(const FoundShards& found, const ShardHeader& header) {
  const bool is_there = std::ranges::any_of(
      found.sets, [&](const ShardSet& set) { return same_set(set.header, header); });
  const bool is_newer = std::ranges::any_of(found.sets, [&](const ShardSet& set) {
    return set.header.set == header.set && set.header.generation > header.generation;
  });
  if (is_there && !is_newer) return;
  fail(Status::kIo,
       fmt::format("set {} was changed by another program in the meantime", to_string(header.set)));
}

/// Throws unless the directory may be given a new set.
void check_may_write(const FoundShards& found, const SetEncoding& encoding) {
  if (encoding.converted) return check_unchanged(found, *encoding.converted);
  if (const auto sets = sets_of_files(found); !sets.empty()) {
    std::vector<std::string> texts;
    for (const ShardSet* const set : sets) texts.push_back(describe(*set));
    fail(Status::kInvalidArgument,
         fmt::format("{} holds sets of several files, of which none is replaced: {}; write the set "
                     "to another directory, or delete the shards of what is not needed",
                     directory_of(sets.front()->shards.front().path).string(),
                     fmt::join(texts, "; and ")));
  }
  if (!encoding.replace && !found.sets.empty()) {
    std::vector<std::string> texts;
    for (const ShardSet& set : found.sets) texts.push_back(describe(set));
    fail(Status::kInvalidArgument,
         fmt::format("{} already holds {}; option replace replaces {}",
                     directory_of(found.sets.front().shards.front().path).string(),
                     fmt::join(texts, "; and "), texts.size() == 1 ? "it" : "all of them"));
  }
  if (!encoding.replace && !found.strays.empty()) {
    fail(Status::kInvalidArgument,
         fmt::format("{} is or was a shard ({}); option replace writes a set beside it",
                     found.strays.front().path.string(), found.strays.front().why));
  }
}

/// A file to be removed, unless another file has its name by then.
struct Removal {
  fs::path path;
  std::optional<FileIdentity> identity;
};

std::vector<Removal> removals(const std::vector<fs::path>& paths) {
  std::vector<Removal> found;
  for (const fs::path& path : paths) found.push_back({path, file_identity(path)});
  return found;
}

/// The shards, pending files, journals and wrecks of the sets that were found; with `converted`, of
/// that set only.
std::vector<Removal> files_of_sets(const FoundShards& found,
                                   const std::optional<ShardHeader>& converted) {
  const auto is_replaced = [&](const SetId& id) { return !converted || id == converted->set; };
  const auto was_there = [&](const SetId& id) {
    return is_replaced(id) &&
           std::ranges::any_of(found.sets, [&](const auto& set) { return set.header.set == id; });
  };
  std::vector<Removal> files;
  for (const ShardSet& set : found.sets) {
    if (!is_replaced(set.header.set)) continue;
    for (const ShardFile& shard : set.shards) {
      files.push_back({shard.path, shard.file.identity()});
      for (const fs::path& name : shard.other_names) {
        files.push_back({name, shard.file.identity()});
      }
    }
  }
  for (const auto& [id, path] : found.incomplete) {
    if (is_replaced(id)) files.push_back({path, file_identity(path)});
  }
  for (const FoundJournal& each : found.journals) {
    if (!was_there(each.set) || each.journal->kind() == Journal::Kind::kNewer) continue;
    files.push_back({each.journal->path(), file_identity(each.journal->path())});
  }
  for (const StrayFile& stray : found.strays) {
    const auto name = parse_shard_name(stray.path.filename().string());
    // A file that the system did not let be read stays, unless the content of its set is known.
    if (!converted && stray.error != 0) continue;
    if (stray.kind == ShardFile::Kind::kWreck && stray.identity && name && was_there(name->set)) {
      files.push_back({stray.path, stray.identity});
    }
  }
  return files;
}

/// Throws if a file that is read is one that would be removed.
void check_input_stays(const std::vector<Removal>& removed, const SetEncoding& encoding) {
  for (const Removal& file : removed) {
    if (!file.identity) continue;
    if (std::ranges::find(encoding.inputs, *file.identity) == encoding.inputs.end()) continue;
    fail(Status::kInvalidArgument,
         fmt::format("{} is one of the files in {} that would be replaced", file.path.string(),
                     directory_of(file.path).string()));
  }
}

/// Removes files; returns the paths of those that could not be removed.
std::vector<fs::path> remove_all(const std::vector<Removal>& files) {
  std::vector<fs::path> left;
  for (const Removal& file : files) {
    if (!file.identity || file_identity(file.path) != file.identity)
      continue;  // another file by
                 // now
    if (::unlink(file.path.c_str()) != 0) left.push_back(file.path);
  }
  return left;
}

ShardHeader new_header(const Code& code, const FoundShards& found, std::uint64_t block_bytes) {
  ShardHeader header;
  if (!found.sets.empty() && generation_count(found.sets.front().header) + 1 == 0) {
    fail(Status::kDamaged,
         fmt::format("{} has the highest generation there can be", describe(found.sets.front())));
  }
  header.set = draw_set_id();
  header.generation = highest_generation(found) + 1;
  header.locations = static_cast<std::uint32_t>(code.locations);
  header.block_bytes = block_bytes;
  header.pieces = usual_pieces(code);
  header.stripe_bytes = stripe_sizes(code, block_bytes, 0).stripe_bytes;
  header.spec = code.spec;
  static_cast<void>(header_text(header));  // throws if the format cannot hold it
  return header;
}

/// Leaves room for a longer spec, so that the set can get another code without moving its blocks.
void leave_room(ShardHeader& header) {
  const std::size_t least = header_bytes(header) + kLeastRoomBytes;
  const std::size_t bytes = (least + kHeaderStepBytes - 1) / kHeaderStepBytes * kHeaderStepBytes;
  static_cast<void>(pad_header(header, bytes));  // if the format's bound allows it
}

/// Gives all files their names, or none.
void name_all(std::vector<PendingFile>& files, const std::vector<fs::path>& directories) {
  const auto check_synced = [&] {
    for (const fs::path& directory : directories) {
      if (const int code = sync_directory(directory); code != 0) {
        fail_on_io("write", directory, code);
      }
    }
  };
  const auto uninterrupted = hold_off_abandoning();
  std::size_t named = 0;
  try {
    check_synced();  // a name on the disk must not stand for a set whose other files are not there
    for (PendingFile& file : files) {
      file.commit(Existing::kRefuse);
      ++named;
    }
    check_synced();
  } catch (...) {
    // As long as one file has its name the others have to stay, since they count as its set.
    bool are_withdrawn = true;
    while (named != 0) are_withdrawn &= files[--named].withdraw();
    if (!are_withdrawn) {
      for (PendingFile& file : files) file.leave();
    }
    throw;
  }
}

/// Says what to do with shards of a replaced set that are elsewhere; "" if all of them were found.
std::string others_text(const ShardSet& set) {
  const std::size_t others = set.header.locations - locations_present(set).size();
  if (others == 0) return "";
  return fmt::format("; if its other {} elsewhere, they hold the old file, and can be deleted",
                     counted(others, "shard is", "shards are"));
}

}  // namespace

Pieces usual_pieces(const Code& code) {
  const Pieces pieces = pieces_of(code);
  const bool are_small = pieces.unit_bytes != 0 && pieces.unit_bytes < kSmallestRows;
  return pieces.number > kMostUsualPieces || are_small ? Pieces{} : pieces;
}

std::uint64_t usual_block_bytes(const Code& code) {
  ShardHeader header;
  header.pieces = usual_pieces(code);
  const std::uint64_t multiple = chunk_multiple(code);
  const std::uint64_t most =
      std::min(kUsualBlockBytes - frame_bytes(header), kUsualStripeBytes / code.locations);
  return std::max<std::uint64_t>(1, most / multiple) * multiple;
}

EncodedSet encode_set(const SetEncoding& encoding, Progress& progress) {
  const Code& code = encoding.code;
  const std::vector<fs::path>& directories = encoding.directories;
  std::list<PendingDirectory> made;
  for (const fs::path& directory : directories) made.emplace_back(directory);
  if (each_once(directories).size() != directories.size()) {
    fail(Status::kInvalidArgument, "two of the directories for the shards are the same");
  }
  std::list<DirectoryLock> locks;
  for (const fs::path& directory : directories) locks.emplace_back(directory);
  const FoundShards found = find_shards(directories);
  const std::vector<Removal> leftovers = removals(found.leftovers);
  const std::vector<Removal> replaced = files_of_sets(found, encoding.converted);
  check_input_stays(leftovers, encoding);
  remove_all(leftovers);
  check_may_write(found, encoding);
  check_input_stays(replaced, encoding);

  EncodedSet result;
  ShardHeader& header = result.header;
  header = new_header(code, found,
                      encoding.block_bytes == 0 ? usual_block_bytes(code) : encoding.block_bytes);
  if (encoding.info) remember(*encoding.info, header);
  if (encoding.holds_files) mark_as_files(header);
  leave_room(header);
  std::vector<PendingFile> files;
  files.reserve(code.locations);
  for (std::uint32_t location = 0; location < header.locations; ++location) {
    files.emplace_back(directories[location % directories.size()] /
                           shard_name(header.set, location, header.locations),
                       std::string(), encoding.permissions);
  }
  if (encoding.replace && !encoding.accept_damage && encoding.find_damaged) {
    progress.phase = "comparing with the old set";
    check_archives(found, encoding.find_damaged);
  }
  progress.phase = "encoding";
  std::optional<OldContent> old;
  if (encoding.replace && !encoding.accept_damage) old.emplace(found, encoding.info);
  const auto read = [&](std::span<std::uint8_t> bytes) {
    const std::size_t count = encoding.read(bytes);
    if (old) old->compare(bytes.first(count));
    return count;
  };
  const PlanCounts plans = write_shards({read, code, encoding.options, 0}, header, files, progress);
  if (old) old->check();
  for (const PendingDirectory& directory : made) directory.sync();
  name_all(files, directories);
  for (PendingDirectory& directory : made) directory.keep();
  if (encoding.replace || encoding.converted) {
    result.unremoved = remove_all(replaced);
    for (const fs::path& directory : directories) static_cast<void>(sync_directory(directory));
  }
  result.plans = plans;
  result.bytes_written = shard_bytes(header) * header.locations;
  for (const ShardSet& set : found.sets) {
    const bool is_replaced = !encoding.converted || set.header.set == encoding.converted->set;
    if (is_replaced) result.replaced.push_back(describe(set) + others_text(set));
  }
  for (const StrayFile& stray : found.strays) {
    std::error_code error;
    if (fs::exists(stray.path, error)) result.strays.push_back(stray);
  }
  return result;
}

}  // namespace xorloom
