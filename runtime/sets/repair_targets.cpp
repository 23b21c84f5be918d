#include "runtime/sets/repair_targets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <system_error>
#include <utility>

#include "runtime/shards/shard_name.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;

class TargetChoice {
 public:
  TargetChoice(const FoundShards& found, const OpenedSet& set, const SetDamage& damage,
               std::span<const fs::path> directories, const fs::path& to, bool adopts)
      : found_(found),
        set_(set),
        damage_(damage),
        directories_(directories),
        to_(to),
        adopts_(adopts) {
    for (std::size_t location = 0; location < set.code().locations; ++location) {
      add_location(static_cast<std::uint32_t>(location));
    }
  }

  RepairTargets chosen() && { return std::move(targets_); }

 private:
  bool is_whole(std::size_t copy) const {
    return set_.set().shards[copy].defects.empty() && !damage_.bad_blocks.contains(copy);
  }

  void add_location(std::uint32_t location) {
    bool is_there = false;  // whole or to be replaced, under its own name
    for (const std::size_t copy : set_.copies(location)) {
      const fs::path& path = set_.set().shards[copy].path;
      if (is_pending_shard(path)) continue;
      if (is_whole(copy)) {
        is_there = true;
      } else if (to_.empty()) {
        add_damaged(copy);
        is_there = true;
      }
    }
    if (!is_there) return add_new(location);
    // Copies that were left behind are brought up to date, too.
    if (to_.empty()) add_left_behind(location, true);
  }

  void add_new(std::uint32_t location) {
    if (const StrayFile* const wreck = wreck_of(location)) {
      if (wreck->is_forbidden()) {
        targets_.forbidden.push_back(wreck->path);
        return;
      }
      targets_.written.push_back({location, wreck->path, wreck->identity});
      return;
    }
    // Shards that were left behind are replaced; a whole pending file serves to rebuild them.
    if (add_left_behind(location)) return;
    for (const std::size_t copy : set_.copies(location)) {
      const fs::path& path = set_.set().shards[copy].path;
      if (!adopts_ || !is_pending_shard(path) || !is_whole(copy)) continue;
      if (!is_written(directory_of(path))) continue;
      targets_.adopted.push_back({path, free_name(location, directory_of(path)).path});
      return;
    }
    const fs::path directory = to_.empty() ? emptiest() : to_;
    for (const std::size_t copy : set_.copies(location)) {
      const fs::path& path = set_.set().shards[copy].path;
      if (is_pending_shard(path) || !is_same_directory(directory_of(path), directory)) continue;
      return add_damaged(copy);
    }
    targets_.written.push_back(free_name(location, directory));
    ++placed_[directory];
  }

  bool is_written(const fs::path& directory) const {
    return to_.empty() || is_same_directory(directory, to_);
  }

  /// Replaces a damaged shard under all its names.
  void add_damaged(std::size_t copy) {
    const ShardFile& shard = set_.set().shards[copy];
    targets_.written.push_back({shard.header.location, shard.path, shard.file.identity()});
    for (const fs::path& name : shard.other_names) {
      if (!is_written(directory_of(name))) continue;
      targets_.written.push_back({shard.header.location, name, shard.file.identity()});
    }
  }

  fs::path usual_name(std::uint32_t location) const {
    return shard_name(set_.header().set, location, set_.header().locations);
  }

  /// Adds a location's shards of earlier generations, or with headers of two, if their directory is
  /// written to. With `of_code`, only those of the set's code. False if there are none.
  bool add_left_behind(std::uint32_t location, bool of_code = false) {
    const ShardHeader& header = set_.header();
    const std::size_t before = targets_.written.size();
    for (const ShardSet& other : found_.sets) {
      if (&other == &set_.set() || other.header.set != header.set) continue;
      if (of_code && other.header.spec != header.spec) continue;
      for (const ShardFile& shard : other.shards) {
        if (shard.header.location != location || is_pending_shard(shard.path)) continue;
        if (!is_written(directory_of(shard.path))) continue;
        targets_.written.push_back({location, shard.path, shard.file.identity()});
      }
    }
    for (const StrayFile& stray : found_.strays) {
      if (!stray.header || stray.header->set != header.set) continue;
      if (of_code && stray.header->spec != header.spec) continue;
      const bool is_of_history =
          stray.header->generation == header.generation || came_before(*stray.header, header);
      if (!is_of_history) continue;
      if (stray.header->location != location || !is_written(directory_of(stray.path))) continue;
      targets_.written.push_back({location, stray.path, stray.identity});
    }
    return targets_.written.size() != before;
  }

  /// Remains of a location's shard, if their directory is written to and they have exactly its
  /// name.
  const StrayFile* wreck_of(std::uint32_t location) const {
    for (const StrayFile& stray : found_.strays) {
      std::error_code error;
      if (stray.kind == ShardFile::Kind::kWreck && stray.identity &&
          is_shard_name_of(stray.path.filename().string(), set_.header().set, location) &&
          is_written(directory_of(stray.path)) &&
          fs::is_regular_file(fs::symlink_status(stray.path, error))) {
        return &stray;
      }
    }
    return nullptr;
  }

  /// The set's own name for the shard, with a number if that is taken.
  RepairTargets::Shard free_name(std::uint32_t location, const fs::path& directory) const {
    const fs::path usual = directory / usual_name(location);
    fs::path path = usual;
    std::error_code error;
    for (int number = 2; fs::exists(fs::symlink_status(path, error)); ++number) {
      path = directory /
             fmt::format("{}-{}{}", usual.stem().string(), number, usual.extension().string());
    }
    return {location, path, std::nullopt};
  }

  /// The directory with the fewest shards of the set; the first if there are several.
  const fs::path& emptiest() const {
    const auto shards_in = [&](const fs::path& directory) {
      const auto& shards = set_.set().shards;
      const auto placed = placed_.find(directory);
      const auto there = std::ranges::count_if(shards, [&](const ShardFile& shard) {
        return is_same_directory(directory_of(shard.path), directory);
      });
      return static_cast<std::size_t>(there) + (placed == placed_.end() ? 0 : placed->second);
    };
    return *std::ranges::min_element(directories_, {}, shards_in);
  }

  const FoundShards& found_;
  const OpenedSet& set_;
  const SetDamage& damage_;
  std::span<const fs::path> directories_;
  const fs::path& to_;
  bool adopts_;
  std::map<fs::path, std::size_t> placed_;
  RepairTargets targets_;
};

}  // namespace

RepairTargets choose_targets(const FoundShards& found, const OpenedSet& set,
                             const SetDamage& damage, std::span<const fs::path> directories,
                             const fs::path& to, bool adopts) {
  return TargetChoice(found, set, damage, directories, to, adopts).chosen();
}

}  // namespace xorloom
