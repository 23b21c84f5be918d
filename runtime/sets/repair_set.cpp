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
#include "runtime/sets/rebuild_shards.hpp"
#include "runtime/sets/repair_targets.hpp"
#include "runtime/shards/opened_set.hpp"
#include "runtime/shards/read_set.hpp"
#include "runtime/shards/settled_reading.hpp"
#include "runtime/shards/shard_name.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_beyond_repair(const RepairedSet& result, const OpenedSet& set) {
  check_unchanged(set.set());
  fail(kind_of_loss(result.found, set.set()),
       fmt::format("set {} cannot be repaired: {}{}", to_string(set.header().set),
                   loss_text(result.damage.lost_stripes, set),
                   describe_others(result.found, set.set())));
}

/// Throws kDamaged if redundancy cannot tell which chunks are wrong: rebuilding from wrong chunks
/// would make them look right.
void check_explained(const RepairedSet& result) {
  if (result.damage.suspect_stripes.empty()) return;
  const ShardHeader& header = result.set->header;
  fail(Status::kDamaged,
       fmt::format(
           "set {} contradicts itself, redundancy cannot tell which chunks are wrong, and nothing "
           "was written: {}",
           to_string(header.set), to_string(result.damage.suspect_stripes, header)));
}

/// Throws kDamaged unless the wrong blocks found are the only explanation under the assumption.
void check_assumption(const RepairedSet& result, std::size_t assumed) {
  const WrongChunks& wrong = result.damage.wrong;
  if (assumed >= wrong.most && assumed <= wrong.unique_up_to) return;
  const std::string why =
      assumed < wrong.most
          ? fmt::format("a stripe has {} wrong chunks at least, more than the {} assumed",
                        wrong.most, assumed)
          : fmt::format(
                "with {} wrong chunks in a stripe others may be wrong than those found, which "
                "are right {}",
                assumed, assumption_text(wrong));
  fail(Status::kDamaged, fmt::format("set {} is not repaired, and nothing was written: {}",
                                     to_string(result.set->header.set), why));
}

/// Copies the wrong blocks of shards that are to be replaced in place; see keep_blocks.
void keep_wrong_blocks(const RepairTargets& targets, RepairedSet& result) {
  for (const auto& [number, blocks] : result.damage.bad_blocks) {
    const ShardFile& shard = result.set->shards[number];
    const bool is_replaced =
        std::ranges::any_of(targets.written, [&](const RepairTargets::Shard& target) {
          return target.replaced && target.replaced == shard.file.identity();
        });
    if (!is_replaced) continue;
    if (std::optional<KeptBlocks> kept = keep_blocks(shard, blocks)) {
      result.kept.push_back(*std::move(kept));
    }
  }
}

/// Marks blocks that are wrong though their checksums hold, so that they are not read again.
void distrust_wrong_blocks(const SetDamage& damage, OpenedSet& set) {
  for (const auto& [number, blocks] : damage.bad_blocks) {
    const std::uint32_t location = set.set().shards[number].header.location;
    for (const BadBlocks& range : blocks) {
      if (range.fault != BlockFault::kWrong) continue;
      for (std::uint64_t block = range.first; block <= range.last; ++block) {
        set.distrust(block, location);
      }
    }
  }
}

/// If stripes are lost, drops the targets of which no block could be had.
void drop_without_blocks(const Rebuilding& rebuilding, std::vector<RepairTargets::Shard>& targets,
                         std::vector<PendingFile>& files) {
  std::vector<RepairTargets::Shard> kept;
  std::vector<PendingFile> kept_files;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (rebuilding.damage.num_lost() != 0 && rebuilding.blocks_had[i] == 0) continue;
    kept.push_back(std::move(targets[i]));
    kept_files.push_back(std::move(files[i]));
  }
  targets = std::move(kept);
  files.swap(kept_files);
}

/// Removes those files that lie in `directories`.
void remove_files(const std::vector<fs::path>& paths, const std::vector<fs::path>& directories) {
  std::error_code ignored;
  for (const fs::path& path : paths) {
    if (is_in(path, directories) && fs::is_regular_file(fs::symlink_status(path, ignored)))
      fs::remove(path, ignored);
  }
}

/// The shards that were found damaged and that no target replaces.
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

/// Pending files of the set, which nothing needs once it is whole. With `only_missing`, pending
/// shards stay: the other shards were not looked at, so these may be what is left of a location.
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

/// Journals of the set that are unfinished, or of a history that was not chosen: nothing needs them
/// once the set is whole.
std::vector<fs::path> needless_journals(const RepairedSet& result) {
  std::vector<fs::path> paths;
  for (const FoundJournal& each : result.found.journals) {
    const bool is_needless = each.journal->kind() == Journal::Kind::kUnfinished ||
                             each.state == FoundJournal::State::kApart;
    if (is_needless && each.set == result.set->header.set) paths.push_back(each.journal->path());
  }
  return paths;
}

/// Gives the files that were written their names, and syncs the directories.
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
  sync_directories(changed);
}

}  // namespace

RepairedSet repair_set(const SetRepair& repair, Progress& progress) {
  std::optional<PendingDirectory> made;
  std::vector<fs::path> directories = repair.directories;
  if (!repair.to.empty()) {
    made.emplace(repair.to);
    directories.push_back(repair.to);
  }
  const std::vector<fs::path> written =
      repair.to.empty() ? each_once(repair.directories) : std::vector{repair.to};
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
  if (repair.to.empty()) check_decided(result.found, set.header().set);
  if (repair.only_missing) {
    result.damage.add_beyond(set);
  } else {
    result.damage = verify_set(set, pipeline_threads(repair.options), progress,
                               repair.deep ? Depth::kRedundancy : Depth::kChecksums);
    check_explained(result);
    if (result.damage.wrong.most != 0) {
      result.needs_assumption = !repair.assume_wrong;
      if (result.needs_assumption) return result;
      check_assumption(result, *repair.assume_wrong);
    }
    distrust_wrong_blocks(result.damage, opened);
  }
  result.bytes_read_to_find = result.damage.bytes_read;
  const bool is_hopeless =
      !set.can_rebuild(set.missing()) || set.num_readable_stripes() < num_blocks(set.header()) / 2;
  if (is_hopeless && !result.damage.lost_stripes.empty()) fail_beyond_repair(result, set);
  RepairTargets targets =
      choose_targets(result.found, set, result.damage.reparable(set), repair.directories, repair.to,
                     /*adopts=*/!repair.only_missing);
  result.forbidden = targets.forbidden;
  std::vector<PendingFile> files;
  for (const RepairTargets::Shard& target : targets.written) {
    // Whatever the shard is called, what an interrupted repair leaves behind has a shard's name.
    files.emplace_back(target.path,
                       shard_name(set.header().set, target.location, set.header().locations),
                       permissions_of(set.set()));
  }
  if (!files.empty()) {
    Rebuilding rebuilding =
        rebuild_shards(set, pipeline_threads(repair.options), targets.written, files,
                       repair.only_missing ? nullptr : &result.damage, progress);
    result.bytes_read_to_rebuild = rebuilding.damage.bytes_read;
    result.shards_read_to_rebuild = rebuilding.shards.size();
    drop_without_blocks(rebuilding, targets.written, files);
    if (repair.only_missing) {
      result.damage = std::move(rebuilding.damage);
      result.damage.add_beyond(set);
    }
  }
  const bool is_lossy = !result.damage.lost_stripes.empty();
  const bool gains_nothing = files.empty() && targets.adopted.empty();
  if (is_lossy && (is_hopeless || gains_nothing)) fail_beyond_repair(result, set);
  if (is_lossy) result.loss = loss_text(result.damage.lost_stripes, set);
  result.plans = set.plan_counts();
  ShardHeader header = set.header();
  progress.begin("reading back", shard_bytes(header) * files.size());
  for (std::size_t i = 0; i < files.size(); ++i) {
    header.location = targets.written[i].location;
    read_back(files[i], header, result.damage, progress);
    result.bytes_read_back += shard_bytes(header);
    result.bytes_written += shard_bytes(header);
    result.bytes_rebuilt += lineage_offset(header) - header_bytes(header);
  }
  if (made) made->sync();
  if (repair.only_missing) result.left_damaged = left_damaged(result, targets, repair.to);
  keep_wrong_blocks(targets, result);
  name_targets(targets, files, result);
  if (!is_lossy) remove_files(pending_files(result, repair.only_missing), written);
  remove_files(result.found.leftovers, written);
  if (repair.to.empty() && !repair.only_missing && targets.forbidden.empty() && !is_lossy) {
    remove_files(needless_journals(result), written);
  }
  if (made && !(result.rebuilt.empty() && result.adopted.empty())) made->keep();
  return result;
}

}  // namespace xorloom
