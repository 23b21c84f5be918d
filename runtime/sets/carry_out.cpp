#include "runtime/sets/carry_out.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <future>
#include <optional>
#include <set>
#include <system_error>

#include "codes/text/error.hpp"
#include "runtime/files/changed_file.hpp"
#include "runtime/files/pending_file.hpp"

namespace xorloom {
namespace {

namespace fs = std::filesystem;

/// Shards that are synced side by side.
constexpr std::size_t kSyncsAtOnce = 16;

/// Throws unless the journal says all of what the shard becomes.
void check_covers(const ShardToChange& shard) {
  if (shard.journal->covers(shard.header.location)) return;
  fail(Status::kInternal, fmt::format("{} does not say what {} becomes",
                                      shard.journal->path().string(), shard.path.string()));
}

/// A shard that is being changed, until something fails on it.
struct Changing {
  const ShardToChange* shard;
  std::optional<ChangedFile> file;
};

/// Does one step on all shards, then syncs all.
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
    // Deferred work is done by who asks for it: a system without threads to give is no reason to
    // fail.
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
  return written;
}

/// The shards that stand in some directories and are read through a journal, under each of their
/// names once.
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

/// Whether a shard outside some directories is read through a journal.
bool is_needed_elsewhere(const FoundShards& found, const FoundJournal& journal,
                         std::span<const fs::path> directories) {
  return std::ranges::any_of(found.sets, [&](const ShardSet& set) {
    return std::ranges::any_of(set.shards, [&](const ShardFile& shard) {
      return shard.journal == journal.journal && !is_in(shard.path, directories);
    });
  });
}

/// Takes away what an append that was not made left behind the ends of shards.
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
  const auto write_header = [&](const ShardToChange& shard, const ChangedFile& file,
                                std::uint64_t offset) {
    const std::vector<std::uint8_t> text = header_text(shard.header);
    file.write_at(offset, text);
    result.bytes_written += text.size();
  };
  steps.step(
      [&](const ShardToChange& shard, const ChangedFile& file) { write_header(shard, file, 0); });
  steps.step([&](const ShardToChange& shard, const ChangedFile& file) {
    result.bytes_written += write_blocks(shard, file);
    file.cut_behind(shard_bytes(shard.header));
  });
  steps.step([&](const ShardToChange& shard, const ChangedFile& file) {
    write_header(shard, file, shard_bytes(shard.header) - header_bytes(shard.header));
  });
  return result;
}

bool settle_journals(const FoundShards& found, std::span<const fs::path> directories) {
  for (const FoundJournal& each : found.journals) {
    if (each.journal->kind() != Journal::Kind::kNewer) continue;
    fail(Status::kDamaged,
         fmt::format("{} tells of a change that this program cannot carry out: {}",
                     each.journal->path().string(), each.journal->why()));
  }
  const CarriedOut carried = carry_out(unchanged_shards(found, directories), 1);
  if (!carried.failures.empty()) {
    fail(Status::kIo, fmt::format("a change that was interrupted cannot be carried out: {}",
                                  carried.failures.front()));
  }
  std::set<fs::path> changed;
  for (const FoundJournal& each : found.journals) {
    const fs::path& path = each.journal->path();
    if (each.state == FoundJournal::State::kKept || !is_in(path, directories)) continue;
    if (is_needed_elsewhere(found, each, directories)) continue;
    if (each.state == FoundJournal::State::kDiscarded) cut_shards(found, each.set, directories);
    if (::unlink(path.c_str()) == 0) changed.insert(directory_of(path));
  }
  for (const fs::path& directory : changed) static_cast<void>(sync_directory(directory));
  return !changed.empty();
}

}  // namespace xorloom
