#include "runtime/sets/carry_out.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <future>
#include <optional>
#include <set>
#include <system_error>

#include "codes/text/error.hpp"
#include "runtime/files/changed_file.hpp"
#include "runtime/files/file_error.hpp"
#include "runtime/files/pending_file.hpp"
#include "runtime/shards/shard_name.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;

/// Shards that are synced side by side, at most.
constexpr std::size_t kSyncsAtOnce = 16;

/// Throws unless the journal has all that changes in the shard.
void check_covers(const ShardToChange& shard) {
  if (shard.journal->covers(shard.header.location)) return;
  fail(Status::kInternal, fmt::format("{} does not say what {} becomes",
                                      shard.journal->path().string(), shard.path.string()));
}

/// A shard that is being changed. `file` is empty once something has failed on it.
struct Changing {
  const ShardToChange* shard;
  std::optional<ChangedFile> file;
};

/// Does a step on all shards, then syncs all; drops shards on which something fails.
class Steps {
 public:
  Steps(std::span<const ShardToChange> shards, std::size_t threads, CarriedOut& result)
      : is_side_by_side_(threads > 1), result_(result) {
    for (const ShardToChange& shard : shards) {
      changing_.push_back({&shard, std::nullopt});
      Changing& each = changing_.back();
      attempt(each, [&] {
        check_covers(shard);
        each.file.emplace(shard.path, shard.identity);
      });
    }
  }

  void step(const std::function<void(const ShardToChange&, const ChangedFile&)>& change) {
    for (Changing& each : changing_) {
      if (each.file) attempt(each, [&] { change(*each.shard, *each.file); });
    }
    sync_all();
  }

 private:
  void sync_all() {
    const std::size_t at_once = is_side_by_side_ ? kSyncsAtOnce : 1;
    for (std::size_t first = 0; first < changing_.size(); first += at_once) {
      const auto some =
          std::span(changing_).subspan(first, std::min(at_once, changing_.size() - first));
      std::vector<std::future<void>> syncs;
      for (Changing& each : some) syncs.push_back(begin_sync(each));
      for (std::size_t i = 0; i < some.size(); ++i) attempt(some[i], [&] { syncs[i].get(); });
    }
  }

  std::future<void> begin_sync(const Changing& each) const {
    const auto sync = [&each] {
      if (each.file) each.file->sync();
    };
    // Deferred work is done in get(): it is no reason to fail if the system has no thread to give.
    if (!is_side_by_side_) return std::async(std::launch::deferred, sync);
    try {
      return std::async(std::launch::async, sync);
    } catch (const std::system_error&) {
      return std::async(std::launch::deferred, sync);
    }
  }

  template <typename Work>
  void attempt(Changing& each, const Work& work) {
    try {
      work();
    } catch (const Error& error) {
      each.file.reset();
      result_.failures.emplace_back(error.what());
      result_.locations.push_back(each.shard->header.location);
    }
  }

  std::vector<Changing> changing_;
  bool is_side_by_side_;
  CarriedOut& result_;
};

std::uint64_t write_blocks(const ShardToChange& shard, const ChangedFile& file) {
  const ShardHeader& header = shard.header;
  std::uint64_t written = 0;
  std::vector<std::uint8_t> block;
  for (const JournalBlock& each : shard.journal->blocks(header.location)) {
    block.resize(frame_bytes(header) + payload_bytes(header, each.block));
    if (const int code = shard.journal->file().read_at(each.offset, block); code != 0) {
      fail(Status::kIo, fmt::format("cannot read {}", shard.journal->path().string()));
    }
    file.write_at(block_offset(header, each.block), block);
    written += block.size();
  }
  for (const JournalFrame& each : shard.journal->frames(header.location)) {
    file.write_at(block_offset(header, each.block), each.frame);
    written += each.frame.size();
  }
  return written;
}

/// The shards in `directories` that are read through a journal, under each of their names once.
std::vector<ShardToChange> unchanged_shards(const FoundShards& found,
                                            std::span<const fs::path> directories) {
  std::vector<ShardToChange> shards;
  for (const ShardSet& set : found.sets) {
    for (const ShardFile& shard : set.shards) {
      if (shard.journal == nullptr || !is_in(shard.path, directories)) continue;
      shards.push_back({shard.path, shard.file.identity(), shard.header, shard.journal});
    }
  }
  return shards;
}

/// True if a shard outside `directories` is read through the journal.
bool is_needed_elsewhere(const FoundShards& found, const FoundJournal& journal,
                         std::span<const fs::path> directories) {
  return std::ranges::any_of(found.sets, [&](const ShardSet& set) {
    return std::ranges::any_of(set.shards, [&](const ShardFile& shard) {
      return shard.journal == journal.journal && !is_in(shard.path, directories);
    });
  });
}

/// Renames a pending shard to its name, with a number if that is taken.
void name_shard(const ShardFile& shard) {
  const fs::path directory = directory_of(shard.path);
  const ShardHeader& header = shard.header;
  const fs::path usual = shard_name(header.set, header.location, header.locations);
  fs::path path = directory / usual;
  int code = rename_to_free_name(shard.path, path);
  for (int number = 2; code == EEXIST; ++number) {
    path = directory /
           fmt::format("{}-{}{}", usual.stem().string(), number, usual.extension().string());
    code = rename_to_free_name(shard.path, path);
  }
  if (code != 0) fail_on_io("write", path, code);
}

/// Removes a shard under all its names in `directories`.
void remove_shard(const ShardFile& shard, std::span<const fs::path> directories) {
  std::vector<fs::path> names = shard.other_names;
  names.push_back(shard.path);
  for (const fs::path& name : names) {
    if (!is_in(name, directories) || file_identity(name) != shard.file.identity()) continue;
    if (::unlink(name.c_str()) != 0 && errno != ENOENT) fail_on_io("remove", name, errno);
  }
}

/// For changes that gave sets another code: removes the old redundancy, and gives the new one its
/// names. All of the new one was on the disk before the change counted.
void change_redundancy(const FoundShards& found, std::span<const fs::path> directories) {
  std::set<const ShardSet*> before;
  std::set<const ShardSet*> after;
  for (const FoundJournal& each : found.journals) {
    if (each.state != FoundJournal::State::kCommitted || !each.journal->changes_code()) continue;
    before.insert(set_of(found.sets, each.journal->before()));
    after.insert(set_of(found.sets, each.journal->after()));
  }
  before.erase(nullptr);
  after.erase(nullptr);
  std::set<fs::path> changed;
  for (const ShardSet* const set : before) {
    for (const ShardFile& shard : set->shards) {
      const bool is_data = shard.header.location < data_shards(set->header);
      if (is_data || !is_in(shard.path, directories)) continue;
      remove_shard(shard, directories);
      changed.insert(directory_of(shard.path));
    }
  }
  for (const ShardSet* const set : after) {
    for (const ShardFile& shard : set->shards) {
      if (!is_pending_shard(shard.path) || !is_in(shard.path, directories)) continue;
      name_shard(shard);
      changed.insert(directory_of(shard.path));
    }
  }
  sync_directories(changed);
}

/// Removes the redundancy of a code that a set was not given after all. Precondition: its journal
/// is gone, so that this redundancy counts no more.
void remove_redundancy(const FoundShards& found, const FoundJournal& dropped,
                       std::span<const fs::path> directories) {
  if (dropped.journal->kind() != Journal::Kind::kWhole || !dropped.journal->changes_code()) return;
  for (const auto& [id, path] : found.incomplete) {
    if (id != dropped.set || !is_in(path, directories)) continue;
    if (same_set(open_shard(path).header, dropped.journal->after())) ::unlink(path.c_str());
  }
}

/// Removes what an append that was not made left behind the ends of shards.
void cut_shards(const FoundShards& found, const SetId& id, std::span<const fs::path> directories) {
  for (const ShardSet& set : found.sets) {
    if (set.header.set != id) continue;
    for (const ShardFile& shard : set.shards) {
      const bool is_too_long = shard.file.bytes() > shard_bytes(shard.header);
      if (!is_too_long || !is_in(shard.path, directories)) continue;
      const ChangedFile file(shard.path, shard.file.identity());
      file.cut_behind(shard_bytes(shard.header));
      file.sync();
    }
  }
}

}  // namespace

CarriedOut carry_out(std::span<const ShardToChange> shards, std::size_t threads) {
  CarriedOut result;
  Steps steps(shards, threads, result);
  const auto write = [&](const ChangedFile& file, std::uint64_t offset,
                         const std::vector<std::uint8_t>& text) {
    file.write_at(offset, text);
    result.bytes_written += text.size();
  };
  steps.step([&](const ShardToChange& shard, const ChangedFile& file) {
    write(file, 0, header_text(shard.header));
  });
  steps.step([&](const ShardToChange& shard, const ChangedFile& file) {
    result.bytes_written += write_blocks(shard, file);
    file.cut_behind(shard_bytes(shard.header));
  });
  steps.step([&](const ShardToChange& shard, const ChangedFile& file) {
    write(file, lineage_offset(shard.header), tail_text(shard.header));
  });
  return result;
}

void check_decided(const FoundShards& found, const SetId& set) {
  for (const FoundJournal& each : found.journals) {
    if (each.set != set || each.state != FoundJournal::State::kUndecided) continue;
    fail(Status::kDamaged,
         fmt::format("{} tells of another code for set {}, and it takes more of its shards to find "
                     "out whether the set has it: give every directory that has some",
                     each.journal->path().string(), to_string(set)));
  }
}

bool settle_journals(const FoundShards& found, std::span<const fs::path> directories,
                     std::size_t threads) {
  for (const FoundJournal& each : found.journals) {
    if (each.journal->kind() != Journal::Kind::kNewer) continue;
    fail(Status::kDamaged,
         fmt::format("{} tells of a change that this program cannot carry out: {}",
                     each.journal->path().string(), each.journal->why()));
  }
  const CarriedOut carried = carry_out(unchanged_shards(found, directories), threads);
  if (!carried.failures.empty()) {
    fail(Status::kIo, fmt::format("a change that was interrupted cannot be carried out: {}",
                                  carried.failures.front()));
  }
  change_redundancy(found, directories);
  std::set<fs::path> changed;
  for (const FoundJournal& each : found.journals) {
    const fs::path& path = each.journal->path();
    const bool is_told = each.state == FoundJournal::State::kCommitted ||
                         each.state == FoundJournal::State::kDiscarded;
    if (!is_told || !is_in(path, directories)) continue;
    if (is_needed_elsewhere(found, each, directories)) continue;
    if (each.state == FoundJournal::State::kDiscarded) cut_shards(found, each.set, directories);
    if (::unlink(path.c_str()) == 0) changed.insert(directory_of(path));
  }
  sync_directories(changed);
  for (const FoundJournal& each : found.journals) {
    const bool is_dropped = each.state == FoundJournal::State::kDiscarded;
    if (is_dropped && is_in(each.journal->path(), directories)) {
      remove_redundancy(found, each, directories);
    }
  }
  return !changed.empty();
}

}  // namespace xorloom
