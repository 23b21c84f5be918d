#include "runtime/sets/repair_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "codes/text/error.hpp"
#include "runtime/files/directory_lock.hpp"
#include "runtime/files/file_error.hpp"
#include "runtime/files/pending_file.hpp"
#include "runtime/files/pipeline.hpp"
#include "runtime/sets/carry_out.hpp"
#include "runtime/sets/repair_targets.hpp"
#include "runtime/shards/opened_set.hpp"
#include "runtime/shards/read_set.hpp"
#include "runtime/shards/shard_block.hpp"
#include "runtime/shards/shard_name.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;

void check_recoverable(const FoundShards& found, const ShardSet& set, const SetDamage& damage) {
  if (damage.lost_stripes.empty()) return;
  fail(Status::kDamaged,
       fmt::format("set {} cannot be repaired: of {} stripes, {}{}", to_string(set.header.set),
                   num_blocks(set.header), to_string(damage.lost_stripes, set.header),
                   describe_others(found, set)));
}

/// What writing shards has read.
struct Rebuilding {
  SetDamage damage;
  std::set<std::size_t> shards;
};

/// Writes the targets under hidden names.
Rebuilding write_targets(const OpenedSet& set, const FoundShards& found, const SetRepair& repair,
                         const std::vector<RepairTargets::Shard>& targets,
                         std::vector<PendingFile>& files, Progress& progress) {
  std::set<std::size_t> locations;
  for (const RepairTargets::Shard& target : targets) locations.insert(target.location);
  const std::vector<std::size_t> wanted(locations.begin(), locations.end());
  Rebuilding rebuilding;
  progress.begin("rebuilding", shard_bytes(set.header()) * targets.size());
  for_each_stripe(
      set, pipeline_threads(repair.options),
      [&](std::uint64_t stripe, StripeBuffer& buffer) {
        StripeReading reading = read_stripe(set, stripe, wanted, Rebuild::kYes, buffer);
        if (!reading.is_recovered) return reading;
        ShardHeader header = set.header();
        for (std::size_t i = 0; i < targets.size(); ++i) {
          header.location = targets[i].location;
          const std::span<const std::uint8_t> payload = buffer.chunk(header.location);
          files[i].write_at(block_offset(header, stripe), block_frame(header, stripe, payload),
                            payload);
        }
        return reading;
      },
      [&](const StripeReading& reading, StripeBuffer& buffer) {
        rebuilding.damage.add(reading);
        if (repair.only_missing) check_recoverable(found, set.set(), rebuilding.damage);
        if (!reading.is_recovered) {
          fail(Status::kDamaged,
               fmt::format("stripe {} has lost more in the meantime than can be rebuilt",
                           reading.stripe));
        }
        rebuilding.shards.insert(reading.shards.begin(), reading.shards.end());
        progress.done += (frame_bytes(set.header()) + buffer.chunk_bytes()) * targets.size();
      });
  for (std::size_t i = 0; i < targets.size(); ++i) {
    ShardHeader header = set.header();
    header.location = targets[i].location;
    const std::vector<std::uint8_t> text = header_text(header);
    files[i].write_at(0, text);
    files[i].write_at(shard_bytes(header) - text.size(), text);
    files[i].finish();
  }
  return rebuilding;
}

/// Reads a finished file back from the disk, as far as the system lets it. Throws kIo if it is not
/// what it should be.
void read_back(const PendingFile& file, const ShardHeader& expected, Progress& progress) {
  const auto differs = [&] {
    fail(Status::kIo,
         fmt::format("{} reads back other bytes than were written", file.destination().string()));
  };
  OpenFile(file.temporary()).forget_cached();
  const ShardFile shard = open_shard(file.temporary());
  if (shard.kind != ShardFile::Kind::kShard || !shard.defects.empty()) differs();
  if (shard.header != expected) differs();
  Frame frame(frame_bytes(expected));
  std::vector<std::uint8_t> payload;
  for (std::uint64_t block = 0; block < num_blocks(expected); ++block) {
    payload.resize(payload_bytes(expected, block));
    if (shard.file.read_at(block_offset(expected, block), frame, payload) != 0) differs();
    if (check_block(expected, block, frame, payload) != BlockState::kGood) differs();
    progress.done += frame.size() + payload.size();
  }
}

/// The directories a repair writes, each once.
std::vector<fs::path> written_directories(const SetRepair& repair) {
  if (!repair.to.empty()) return {repair.to};
  std::vector<fs::path> directories;
  for (const fs::path& directory : repair.directories) {
    if (std::ranges::none_of(directories,
                             [&](const auto& d) { return is_same_directory(d, directory); })) {
      directories.push_back(directory);
    }
  }
  return directories;
}

/// Removes those of some files that lie in some directories.
void remove_files(const std::vector<fs::path>& paths, const std::vector<fs::path>& directories) {
  std::error_code ignored;
  for (const fs::path& path : paths) {
    const bool is_held = std::ranges::any_of(directories, [&](const fs::path& directory) {
      return is_same_directory(directory_of(path), directory);
    });
    if (is_held && fs::is_regular_file(fs::symlink_status(path, ignored)))
      fs::remove(path, ignored);
  }
}

/// The shards that damage was met in and no target makes good.
std::vector<std::size_t> left_damaged(const RepairedSet& result, const RepairTargets& targets,
                                      const fs::path& to) {
  std::vector<std::size_t> left;
  for (const auto& [number, blocks] : result.damage.bad_blocks) {
    const ShardFile& shard = result.set->shards[number];
    const bool is_made_good =
        std::ranges::any_of(targets.written, [&](const RepairTargets::Shard& target) {
          return to.empty() ? target.replaced == shard.file.identity()
                            : target.location == shard.header.location;
        });
    if (!is_made_good) left.push_back(number);
  }
  return left;
}

/// Pending files of the set, which nothing needs once it is whole. Where its other shards have not
/// been looked at those that are shards themselves stay: they may be what is left of a location.
std::vector<fs::path> pending_files(const RepairedSet& result, bool only_missing) {
  std::vector<fs::path> paths;
  for (const ShardFile& shard : result.set->shards) {
    if (is_pending_shard(shard.path) && !only_missing) paths.push_back(shard.path);
  }
  for (const auto& [id, path] : result.found.incomplete) {
    if (id == result.set->header.set) paths.push_back(path);
  }
  return paths;
}

/// Journals of the set that tell nothing, and that nothing needs once it is whole.
std::vector<fs::path> damaged_journals(const RepairedSet& result) {
  std::vector<fs::path> paths;
  for (const FoundJournal& each : result.found.journals) {
    const bool is_damaged = each.journal->kind() == Journal::Kind::kUnfinished;
    if (is_damaged && each.set == result.set->header.set) paths.push_back(each.journal->path());
  }
  return paths;
}

/// Gives what was written its names and makes them last.
void name_targets(const RepairTargets& targets, std::vector<PendingFile>& files,
                  RepairedSet& result) {
  std::set<fs::path> changed;
  for (const auto& [pending, path] : targets.adopted) {
    if (const int error = sync_file(pending); error != 0) fail_on_io("sync", pending, error);
    if (const int error = rename_to_free_name(pending, path); error != 0) {
      fail_on_io("write", path, error);
    }
    changed.insert(directory_of(path));
    result.adopted.push_back(path);
  }
  for (std::size_t i = 0; i < files.size(); ++i) {
    const RepairTargets::Shard& target = targets.written[i];
    if (target.replaced && file_identity(target.path) != target.replaced) {
      fail(Status::kIo,
           fmt::format("cannot replace {}: it is not the file that was there when the repair began",
                       target.path.string()));
    }
    files[i].commit(target.existing());
    changed.insert(directory_of(target.path));
    result.rebuilt.push_back({target.location, target.path, target.replaced.has_value()});
  }
  for (const fs::path& directory : changed) {
    if (const int error = sync_directory(directory); error != 0) {
      fail_on_io("write", directory, error);
    }
  }
}

}  // namespace

RepairedSet repair_set(const SetRepair& repair, Progress& progress) {
  std::optional<PendingDirectory> made;
  std::vector<fs::path> directories = repair.directories;
  if (!repair.to.empty()) {
    made.emplace(repair.to);
    directories.push_back(repair.to);
  }
  const std::vector<fs::path> written = written_directories(repair);
  std::vector<std::unique_ptr<DirectoryLock>> locks;
  for (const fs::path& directory : written) {
    locks.push_back(std::make_unique<DirectoryLock>(directory));
  }
  RepairedSet result;
  result.found = find_shards(directories);
  if (repair.to.empty() && settle_journals(result.found, written)) {
    result.found = find_shards(directories);
  }
  OpenedSet opened(result.found, repair.set_digits, codec_options(repair.options), repair.bounds);
  opened.set_read_costs(costs_by_location(repair.read_costs, opened, directories));
  const OpenedSet& set = opened;
  result.set = &set.set();
  if (repair.only_missing) {
    result.damage.add_beyond(set);
  } else {
    result.damage = verify_set(set, pipeline_threads(repair.options), progress);
  }
  result.bytes_read_to_find = result.damage.bytes_read;
  check_recoverable(result.found, *result.set, result.damage);
  const RepairTargets targets =
      choose_targets(result.found, set, result.damage, repair.directories, repair.to,
                     /*adopts=*/!repair.only_missing);
  result.forbidden = targets.forbidden;
  std::vector<PendingFile> files;
  for (const RepairTargets::Shard& target : targets.written) {
    // Whatever the shard is called, what an interrupted repair leaves has a name that tells.
    files.emplace_back(target.path,
                       shard_name(set.header().set, target.location, set.header().locations));
  }
  if (!files.empty()) {
    Rebuilding rebuilding =
        write_targets(set, result.found, repair, targets.written, files, progress);
    result.bytes_read_to_rebuild = rebuilding.damage.bytes_read;
    result.shards_read_to_rebuild = rebuilding.shards.size();
    if (repair.only_missing) result.damage = std::move(rebuilding.damage);
  }
  result.plans = set.plan_counts();
  ShardHeader header = set.header();
  progress.begin("reading back", shard_bytes(header) * files.size());
  for (std::size_t i = 0; i < files.size(); ++i) {
    header.location = targets.written[i].location;
    read_back(files[i], header, progress);
    result.bytes_read_back += shard_bytes(header);
    result.bytes_written += shard_bytes(header);
    result.bytes_rebuilt += shard_bytes(header) - 2 * header_bytes(header);
  }
  if (made) made->sync();
  if (repair.only_missing) result.left_damaged = left_damaged(result, targets, repair.to);
  name_targets(targets, files, result);
  remove_files(pending_files(result, repair.only_missing), written);
  remove_files(result.found.leftovers, written);
  if (repair.to.empty() && !repair.only_missing && targets.forbidden.empty()) {
    remove_files(damaged_journals(result), written);
  }
  if (made && !(result.rebuilt.empty() && result.adopted.empty())) made->keep();
  return result;
}

}  // namespace xorloom
