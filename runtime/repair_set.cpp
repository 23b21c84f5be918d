#include "runtime/repair_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "codes/error.hpp"
#include "runtime/directory_lock.hpp"
#include "runtime/opened_set.hpp"
#include "runtime/pending_file.hpp"
#include "runtime/pipeline.hpp"
#include "runtime/read_set.hpp"
#include "runtime/shard_block.hpp"
#include "runtime/shard_name.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;

fs::path directory_of(const fs::path& path) {
  return path.parent_path().empty() ? "." : path.parent_path();
}

bool same_directory(const fs::path& a, const fs::path& b) {
  std::error_code ignored;
  return fs::equivalent(a, b, ignored);
}

/// A shard to be written.
struct Target {
  std::uint32_t location;
  fs::path path;
  Existing existing;
};

/// Decides which shards are written, and where.
class Targets {
 public:
  Targets(const FoundShards& found, const OpenedSet& set, const SetRepair& repair,
          const SetDamage& damage)
      : found_(found), set_(set), repair_(repair), damage_(damage) {
    for (std::size_t location = 0; location < set.code().locations; ++location) {
      add_location(static_cast<std::uint32_t>(location));
    }
  }

  const std::vector<Target>& all() const { return targets_; }

  /// Whole pending files that only want their names, and those.
  const std::vector<std::pair<fs::path, fs::path>>& adoptions() const { return adoptions_; }

 private:
  bool is_whole(std::size_t copy) const {
    return set_.set().shards[copy].defects.empty() && !damage_.bad_blocks.contains(copy);
  }

  void add_location(std::uint32_t location) {
    bool is_there = false;  // whole, under a name of its own
    for (const std::size_t copy : set_.copies(location)) {
      const fs::path& path = set_.set().shards[copy].path;
      if (is_pending_shard(path)) continue;
      if (is_whole(copy)) {
        is_there = true;
      } else if (repair_.to.empty()) {
        targets_.push_back({location, path, Existing::kReplace});
        is_there = true;
      }
    }
    if (!is_there) add_new(location);
  }

  void add_new(std::uint32_t location) {
    for (const std::size_t copy : set_.copies(location)) {
      const fs::path& path = set_.set().shards[copy].path;
      if (!is_pending_shard(path) || !is_whole(copy) || !is_written(directory_of(path))) continue;
      const Target target = free_name(location, directory_of(path));
      if (target.existing == Existing::kReplace) continue;
      adoptions_.emplace_back(path, target.path);
      return;
    }
    const fs::path directory = repair_.to.empty() ? emptiest() : repair_.to;
    for (const std::size_t copy : set_.copies(location)) {
      const fs::path& path = set_.set().shards[copy].path;
      if (is_pending_shard(path) || !same_directory(directory_of(path), directory)) continue;
      targets_.push_back({location, path, Existing::kReplace});
      return;
    }
    targets_.push_back(free_name(location, directory));
    ++placed_[directory];
  }

  bool is_written(const fs::path& directory) const {
    return repair_.to.empty() || same_directory(directory, repair_.to);
  }

  /// The set's own name for the shard, or one like it if that is taken by what is not ours to replace.
  Target free_name(std::uint32_t location, const fs::path& directory) const {
    const ShardHeader& header = set_.header();
    const fs::path usual = directory / shard_name(header.set, location, header.locations);
    fs::path path = usual;
    std::error_code error;
    for (int number = 2; fs::exists(fs::symlink_status(path, error)); ++number) {
      const bool is_wreck = std::ranges::any_of(found_.strays, [&](const StrayFile& stray) {
        return stray.path == path && stray.kind == ShardFile::Kind::kWreck &&
               fs::is_regular_file(fs::symlink_status(path, error));
      });
      if (is_wreck) return {location, path, Existing::kReplace};
      path = directory /
             fmt::format("{}-{}{}", usual.stem().string(), number, usual.extension().string());
    }
    return {location, path, Existing::kRefuse};
  }

  /// The directory with the fewest shards of the set, the first of several.
  const fs::path& emptiest() const {
    const auto shards_in = [&](const fs::path& directory) {
      const auto& shards = set_.set().shards;
      const auto placed = placed_.find(directory);
      const auto there = std::ranges::count_if(shards, [&](const ShardFile& shard) {
        return same_directory(directory_of(shard.path), directory);
      });
      return static_cast<std::size_t>(there) + (placed == placed_.end() ? 0 : placed->second);
    };
    return *std::ranges::min_element(repair_.directories, {}, shards_in);
  }

  const FoundShards& found_;
  const OpenedSet& set_;
  const SetRepair& repair_;
  const SetDamage& damage_;
  std::map<fs::path, std::size_t> placed_;
  std::vector<Target> targets_;
  std::vector<std::pair<fs::path, fs::path>> adoptions_;
};

/// Writes the targets under hidden names. Returns the bytes read for it.
std::uint64_t write_targets(const OpenedSet& set, std::size_t threads,
                            const std::vector<Target>& targets, std::vector<PendingFile>& files,
                            Progress& progress) {
  std::set<std::size_t> locations;
  for (const Target& target : targets) locations.insert(target.location);
  const std::vector<std::size_t> wanted(locations.begin(), locations.end());
  std::uint64_t bytes_read = 0;
  progress.begin("rebuilding", shard_bytes(set.header()) * targets.size());
  for_each_stripe(
      set, threads,
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
        if (!reading.is_recovered) {
          fail(
              Status::kDamaged,
              fmt::format("stripe {} has lost more meanwhile than can be rebuilt", reading.stripe));
        }
        bytes_read += reading.bytes_read;
        progress.done += (kFrameBytes + buffer.chunk_bytes()) * targets.size();
      });
  for (std::size_t i = 0; i < targets.size(); ++i) {
    ShardHeader header = set.header();
    header.location = targets[i].location;
    const std::vector<std::uint8_t> text = header_text(header);
    files[i].write_at(0, text);
    files[i].write_at(shard_bytes(header) - text.size(), text);
    files[i].finish();
  }
  return bytes_read;
}

/// Reads a finished file back from the disk, as far as the system lets it. Throws kIo if it is not what it should be.
void read_back(const PendingFile& file, const ShardHeader& expected, Progress& progress) {
  const auto differs = [&] {
    fail(Status::kIo,
         fmt::format("what was written to {} reads back different", file.destination().string()));
  };
  OpenFile(file.temporary()).forget_cached();
  const ShardFile shard = open_shard(file.temporary());
  if (shard.kind != ShardFile::Kind::kShard || !shard.defects.empty()) differs();
  if (shard.header != expected) differs();
  std::vector<std::uint8_t> payload;
  for (std::uint64_t block = 0; block < num_blocks(expected); ++block) {
    Frame frame{};
    payload.resize(payload_bytes(expected, block));
    if (shard.file.read_at(block_offset(expected, block), frame, payload) != 0) differs();
    if (check_block(expected, block, frame, payload) != BlockState::kGood) differs();
    progress.done += frame.size() + payload.size();
  }
}

void check_recoverable(const SetDamage& damage, const ShardHeader& header) {
  if (damage.lost_stripes.empty()) return;
  fail(Status::kDamaged, fmt::format("set {} cannot be repaired: {}", to_string(header.set),
                                     to_string(damage.lost_stripes)));
}

/// The directories a repair writes, each once.
std::vector<fs::path> written_directories(const SetRepair& repair) {
  if (!repair.to.empty()) return {repair.to};
  std::vector<fs::path> directories;
  for (const fs::path& directory : repair.directories) {
    if (std::ranges::none_of(directories,
                             [&](const auto& d) { return same_directory(d, directory); })) {
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
      return same_directory(directory_of(path), directory);
    });
    if (is_held) fs::remove(path, ignored);
  }
}

/// Pending files of the set, which nothing needs once it is whole.
std::vector<fs::path> pending_files(const RepairedSet& result) {
  std::vector<fs::path> paths;
  for (const ShardFile& shard : result.set->shards) {
    if (is_pending_shard(shard.path)) paths.push_back(shard.path);
  }
  for (const auto& [id, path] : result.found.incomplete) {
    if (id == result.set->header.set) paths.push_back(path);
  }
  return paths;
}

/// Gives what was written its names and makes them last.
void name_targets(const Targets& targets, std::vector<PendingFile>& files, RepairedSet& result) {
  std::set<fs::path> changed;
  for (const auto& [pending, path] : targets.adoptions()) {
    if (const int error = rename_to_free_name(pending, path); error != 0) {
      fail(Status::kIo, fmt::format("cannot write {}: {}", path.string(), std::strerror(error)));
    }
    changed.insert(directory_of(path));
    result.adopted.push_back(path);
  }
  for (std::size_t i = 0; i < files.size(); ++i) {
    const Target& target = targets.all()[i];
    files[i].commit(target.existing);
    changed.insert(directory_of(target.path));
    result.rebuilt.push_back({target.location, target.path, target.existing == Existing::kReplace});
  }
  for (const fs::path& directory : changed) {
    if (const int error = sync_directory(directory); error != 0) {
      fail(Status::kIo,
           fmt::format("cannot write {}: {}", directory.string(), std::strerror(error)));
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
  remove_files(result.found.leftovers, written);
  result.set = &choose_set(result.found, repair.set_digits);
  const OpenedSet set(*result.set, codec_options(repair.options));
  const std::size_t threads = pipeline_threads(repair.options);

  result.damage = verify_set(set, threads, progress);
  result.bytes_read = result.damage.bytes_read;
  check_recoverable(result.damage, set.header());
  const Targets targets(result.found, set, repair, result.damage);
  std::vector<PendingFile> files;
  for (const Target& target : targets.all()) files.emplace_back(target.path);
  if (!files.empty()) {
    result.bytes_read += write_targets(set, threads, targets.all(), files, progress);
  }
  ShardHeader header = set.header();
  progress.begin("reading back", shard_bytes(header) * files.size());
  for (std::size_t i = 0; i < files.size(); ++i) {
    header.location = targets.all()[i].location;
    read_back(files[i], header, progress);
    result.bytes_read += shard_bytes(header);
    result.bytes_written += shard_bytes(header);
  }
  name_targets(targets, files, result);
  remove_files(pending_files(result), written);
  if (made && !(result.rebuilt.empty() && result.adopted.empty())) made->keep();
  return result;
}

}  // namespace xorloom
