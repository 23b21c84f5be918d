#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <shared_mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "xorloom/xorloom.hpp"

namespace xorloom {

/// Plans of one codec by the losses that they rebuild, up to a number of bytes: of their programs,
/// code and tables, by memory_bytes(). New plans replace old ones as in a clock (second chance):
/// entries take turns, and one that was used since its last turn stays until the next.
///
/// All of its functions may be called by many threads at once. The cache is cut into shards by key.
/// Threads that find plans in one shard share its lock, and no lock is the whole cache's.
class PlanCache {
 public:
  /// Locations lost and wanted.
  using Key = std::vector<std::uint32_t>;

  /// Shape: sets in any order. No wanted ones: all lost locations are wanted.
  static Key key_of(std::span<const std::size_t> lost, std::span<const std::size_t> wanted);

  /// Units: bytes; 0: nothing is kept.
  explicit PlanCache(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  /// The sets of a key, ascending.
  struct Sets {
    std::vector<std::size_t> lost;
    std::vector<std::size_t> wanted;
  };
  static Sets sets_of(const Key& key);

  struct Found {
    Plan plan;
    std::uint64_t decoded;  ///< bytes decoded since its key was kept, with this call
    std::uint64_t enough;   ///< as given to keep()
    /// True if another plan, which takes long to make, pays by now.
    bool is_due() const { return enough != 0 && decoded >= enough; }
  };

  /// The plan of `key`; nullopt if there is none. Counts a hit or a miss, and adds `decoded`, the
  /// bytes of data that the call decodes.
  std::optional<Found> find(const Key& key, std::uint64_t decoded = 0) noexcept;

  /// Keeps a plan of `bytes` bytes. It replaces the plan of its key, unless more effort was spent
  /// on that one. A plan that is larger than a shard's part of the bytes is kept alone there, and
  /// other shards make room for it. It is not kept if it is larger than the whole cache, or if
  /// other threads take the room at the same moment.
  ///
  /// `enough`: for a plan made in no time, the bytes of decoded data at which another plan pays. 0:
  /// only more effort can better the plan. A plan with `enough` never replaces one without.
  void keep(Key key, const Plan& plan, std::size_t bytes, Effort effort = Effort::kFast,
            std::uint64_t enough = 0);

  PlanCounts counts() const noexcept;

  struct Hash {
    std::size_t operator()(const Key& key) const noexcept;
  };

 private:
  struct Entry {
    Plan plan;
    std::size_t bytes;
    Effort effort;
    std::uint64_t enough;
    std::atomic<bool> was_used{false};  ///< since its last turn
    std::atomic<std::uint64_t> decoded{0};
    std::list<const Key*>::iterator turn{};
    Entry(Plan kept, std::size_t size, Effort spent, std::uint64_t decoding)
        : plan(std::move(kept)), bytes(size), effort(spent), enough(decoding) {}
  };
  using Entries = std::unordered_map<Key, Entry, Hash>;
  struct alignas(64) Shard {
    mutable std::shared_mutex mutex;
    Entries entries;
    std::size_t bytes = 0;
    std::list<const Key*> turns;  ///< keys in `entries`; the front has the next turn
    std::atomic<std::uint64_t> hits{0};
    std::atomic<std::uint64_t> misses{0};
    std::uint64_t dropped = 0;
  };
  static constexpr std::size_t kShards = 16;

  /// Entries that are destroyed once the lock of their shard is released.
  using Dropped = std::vector<Entries::node_type>;

  bool has_room(std::size_t bytes) const noexcept;
  bool reserve(std::size_t bytes) noexcept;
  void drop(Shard& shard, Entries::iterator entry, Dropped& dropped);
  void drop_unused(Shard& shard, Dropped& dropped);

  Shard& shard_of(const Key& key) noexcept { return shards_[Hash{}(key) / 8 % kShards]; }

  std::size_t most_bytes_;
  std::atomic<std::size_t> used_bytes_{0};  ///< bytes of all shards and of plans being kept
  std::array<Shard, kShards> shards_;
};

}  // namespace xorloom
