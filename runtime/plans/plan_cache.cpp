#include "runtime/plans/plan_cache.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "runtime/engine/plan_options.hpp"

namespace xorloom {
namespace {

/// Separates the sets of a key: locations are smaller numbers.
constexpr std::uint32_t kBetween = UINT32_MAX;

}  // namespace

PlanCache::Key PlanCache::key_of(std::span<const std::size_t> lost,
                                 std::span<const std::size_t> wanted) {
  Key key;
  key.reserve(lost.size() + wanted.size() + 1);
  for (const std::size_t location : lost) key.push_back(static_cast<std::uint32_t>(location));
  std::ranges::sort(key);
  if (wanted.empty()) return key;
  key.push_back(kBetween);
  for (const std::size_t location : wanted) key.push_back(static_cast<std::uint32_t>(location));
  std::sort(key.begin() + static_cast<std::ptrdiff_t>(lost.size()) + 1, key.end());
  return key;
}

std::size_t PlanCache::Hash::operator()(const Key& key) const noexcept {
  std::uint64_t hash = 0x9e3779b97f4a7c15;
  for (const std::uint32_t location : key) {
    hash = (hash ^ location) * 0xbf58476d1ce4e5b9;
    hash ^= hash >> 29;
  }
  return static_cast<std::size_t>(hash);
}

PlanCache::Sets PlanCache::sets_of(const Key& key) {
  const auto between = std::ranges::find(key, kBetween);
  Sets sets{{key.begin(), between}, {}};
  if (between != key.end()) sets.wanted.assign(between + 1, key.end());
  return sets;
}

std::optional<PlanCache::Found> PlanCache::find(const Key& key, std::uint64_t decoded) noexcept {
  Shard& shard = shard_of(key);
  {
    const std::shared_lock lock(shard.mutex);
    const auto known = shard.entries.find(key);
    if (known != shard.entries.end()) {
      Entry& entry = known->second;
      if (!entry.was_used.load(std::memory_order_relaxed)) {
        entry.was_used.store(true, std::memory_order_relaxed);
      }
      shard.hits.fetch_add(1, std::memory_order_relaxed);
      return Found{entry.plan,
                   entry.decoded.fetch_add(decoded, std::memory_order_relaxed) + decoded,
                   entry.enough};
    }
  }
  shard.misses.fetch_add(1, std::memory_order_relaxed);
  return std::nullopt;
}

bool PlanCache::has_room(std::size_t bytes) const noexcept {
  return used_bytes_.load(std::memory_order_relaxed) <= most_bytes_ - bytes;
}

/// Reserves `bytes` bytes for a plan if they are free. Precondition: bytes <= most_bytes_.
bool PlanCache::reserve(std::size_t bytes) noexcept {
  std::size_t used = used_bytes_.load(std::memory_order_relaxed);
  while (used <= most_bytes_ - bytes) {
    if (used_bytes_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed)) {
      return true;
    }
  }
  return false;
}

/// Precondition: the shard is locked.
void PlanCache::drop(Shard& shard, Entries::iterator entry, Dropped& dropped) {
  shard.bytes -= entry->second.bytes;
  shard.turns.erase(entry->second.turn);
  used_bytes_.fetch_sub(entry->second.bytes, std::memory_order_relaxed);
  dropped.push_back(shard.entries.extract(entry));
}

/// Precondition: the shard is locked and not empty.
void PlanCache::drop_unused(Shard& shard, Dropped& dropped) {
  ++shard.dropped;
  auto next = shard.entries.find(*shard.turns.front());
  while (next->second.was_used.exchange(false, std::memory_order_relaxed)) {
    shard.turns.splice(shard.turns.end(), shard.turns, shard.turns.begin());
    next = shard.entries.find(*shard.turns.front());
  }
  drop(shard, next, dropped);
}

void PlanCache::keep(Key key, const Plan& plan, std::size_t bytes, Effort effort,
                     std::uint64_t enough) {
  if (bytes > most_bytes_) return;
  Shard& shard = shard_of(key);
  Dropped dropped;
  std::uint64_t decoded = 0;
  {
    const std::unique_lock lock(shard.mutex);
    if (const auto known = shard.entries.find(key); known != shard.entries.end()) {
      if (is_more(known->second.effort, effort)) return;
      if (enough != 0 && known->second.enough == 0) return;
      decoded = known->second.decoded.load(std::memory_order_relaxed);
      drop(shard, known, dropped);
    }
    while (!shard.entries.empty() && shard.bytes + bytes > most_bytes_ / kShards) {
      drop_unused(shard, dropped);
    }
  }
  // Other shards hold plans that exceed their parts. One shard is locked at a time.
  for (auto other = shards_.begin(); !reserve(bytes); ++other) {
    if (other == shards_.end()) return;
    const std::unique_lock lock(other->mutex);
    while (!other->entries.empty() && !has_room(bytes)) drop_unused(*other, dropped);
  }
  bool is_kept = false;
  try {
    const std::unique_lock lock(shard.mutex);
    std::list<const Key*> turn(1);
    const auto [entry, is_new] =
        shard.entries.try_emplace(std::move(key), plan, bytes, effort, enough);
    is_kept = is_new;  // false: another thread has kept one meanwhile
    if (is_new) {
      entry->second.decoded = decoded;
      turn.front() = &entry->first;
      entry->second.turn = turn.begin();
      shard.turns.splice(shard.turns.end(), turn);
      shard.bytes += bytes;
    }
  } catch (...) {
    used_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
    throw;
  }
  if (!is_kept) used_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
}

PlanCounts PlanCache::counts() const noexcept {
  PlanCounts counts{};
  for (const Shard& shard : shards_) {
    const std::shared_lock lock(shard.mutex);
    counts.hits += shard.hits.load(std::memory_order_relaxed);
    counts.misses += shard.misses.load(std::memory_order_relaxed);
    counts.dropped += shard.dropped;
    counts.plans += shard.entries.size();
    counts.bytes += shard.bytes;
  }
  return counts;
}

}  // namespace xorloom
