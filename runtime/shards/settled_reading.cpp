#include "runtime/shards/settled_reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "codes/text/error.hpp"

namespace xorloom {
namespace {

/// A set that changes is given up after at least this many tries and kMostTime.
constexpr int kLeastTries = 5;
constexpr std::chrono::seconds kMostTime{5};
/// Longest wait for a journal with a hidden name: its change is under way, or was interrupted.
constexpr std::chrono::seconds kMostTimeForHidden{2};
constexpr std::chrono::milliseconds kFirstPause{5};
constexpr std::chrono::milliseconds kLongestPause{200};

/// Thrown through a reader whose shards have changed.
struct HasChanged {};

bool is_same(const ShardFile& a, const ShardFile& b) {
  return a.path.filename() == b.path.filename() && a.file.identity() == b.file.identity() &&
         a.file.bytes() == b.file.bytes() && a.header.location == b.header.location &&
         same_set(a.header, b.header) && a.defects == b.defects;
}

bool is_same(const ShardSet& a, const ShardSet& b) {
  return same_set(a.header, b.header) &&
         std::ranges::equal(a.shards, b.shards,
                            [](const ShardFile& x, const ShardFile& y) { return is_same(x, y); });
}

bool is_same(const StrayFile& a, const StrayFile& b) {
  return a.path.filename() == b.path.filename() && a.identity == b.identity && a.kind == b.kind &&
         a.why == b.why;
}

bool is_same(const FoundJournal& a, const FoundJournal& b) {
  return a.journal->path().filename() == b.journal->path().filename() && a.state == b.state &&
         a.journal->file().identity() == b.journal->file().identity() &&
         a.journal->kind() == b.journal->kind();
}

bool is_same(const FoundShards& a, const FoundShards& b) {
  const auto are_same = [](const auto& x, const auto& y) {
    return std::ranges::equal(
        x, y, [](const auto& first, const auto& second) { return is_same(first, second); });
  };
  return are_same(a.sets, b.sets) && are_same(a.strays, b.strays) &&
         are_same(a.journals, b.journals) && a.leftovers.size() == b.leftovers.size() &&
         a.incomplete.size() == b.incomplete.size() && a.unread.size() == b.unread.size();
}

[[noreturn]] void fail_on_change(std::span<const std::filesystem::path> paths) {
  fail(Status::kIo, fmt::format("the set in {}{} is being changed; try again",
                                paths.front().string(), paths.size() == 1 ? "" : " and others"));
}

/// True if the shards in `paths` are others than `found`, or look different.
bool have_changed(const FoundShards& found, const std::vector<std::filesystem::path>& paths) {
  return !is_same(found, find_shards(paths));
}

}  // namespace

void check_unchanged(const ShardSet& set) {
  for (const ShardFile& shard : set.shards) {
    ShardFile now = open_shard(shard.path);
    if (shard.journal != nullptr) now.header = shard.header;  // the journal's header counts
    if (!is_same(shard, now)) {
      fail(Status::kIo,
           fmt::format("set {} is being changed; try again", to_string(set.header.set)));
    }
  }
}

void ReadAttempt::settle(bool is_clean) {
  const bool waits = may_wait_ && std::ranges::any_of(found_.journals, &FoundJournal::is_pending);
  if (!is_clean && (waits || have_changed(found_, paths_))) throw HasChanged();
  is_settled_ = true;
}

void ReadAttempt::check_unchanged() const {
  if (have_changed(found_, paths_)) fail_on_change(paths_);
}

void read_settled(std::span<const std::filesystem::path> paths,
                  const std::function<void(ReadAttempt&)>& read) {
  const auto begin = std::chrono::steady_clock::now();
  std::vector<std::filesystem::path> absolute;
  for (const std::filesystem::path& path : paths) {
    absolute.push_back(std::filesystem::absolute(path));
  }
  auto pause = kFirstPause;
  bool may_wait = true;
  for (int tries = 1;; ++tries) {
    const auto passed = std::chrono::steady_clock::now() - begin;
    // An interrupted change is read once the wait for its end is over, however long a try takes.
    if (!may_wait && tries > kLeastTries && passed > kMostTime) fail_on_change(paths);
    may_wait = passed < kMostTimeForHidden;
    const FoundShards found = find_shards(paths);
    ReadAttempt attempt(found, absolute, may_wait);
    try {
      return read(attempt);
    } catch (const HasChanged&) {
    } catch (const Error&) {
      if (attempt.is_settled() || !have_changed(found, absolute)) throw;
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, kLongestPause);
  }
}

}  // namespace xorloom
