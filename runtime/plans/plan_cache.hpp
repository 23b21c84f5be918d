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

/// Plans of one codec by what they rebuild, up to that many bytes of them: of their programs, code
/// and tables, by memory_bytes(). Those that were not used for long make room for new ones: entries
/// take turns, and one that was used since its last turn stays until the next.
///
/// All of its functions may be called by many threads at once. The cache is cut into shards by key;
/// who finds a plan shares its shard's lock with all who find one there, and no lock is the whole
/// cache's.
class PlanCache {
 public:
  /// Locations lost and wanted.
  using Key = std::vector<std::uint32_t>;

  /// Shape: sets in any order; all lost ones are wanted where none is named.
  static Key key_of(std::span<const std::size_t> lost, std::span<const std::size_t> wanted);

  /// Units: 0 bytes keep nothing.
  explicit PlanCache(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  /// What a key was made of, in ascending order.
  struct Sets {
    std::vector<std::size_t> lost;
    std::vector<std::size_t> wanted;
  };
  static Sets sets_of(const Key& key);

  struct Found {
    Plan plan;
    std::uint64_t decoded;  ///< bytes of data since its key was kept, with those of this call
    std::uint64_t enough;   ///< as it was kept
    /// Whether it has decoded so much that one that takes long to make pays.
    bool is_due() const { return enough != 0 && decoded >= enough; }
  };

  /// The plan of a key, if there is one, for a call that decodes so many bytes of data with it.
  /// Counts a hit or a miss.
  std::optional<Found> find(const Key& key, std::uint64_t decoded = 0) noexcept;

  /// Keeps a plan that takes that many bytes, in place of one of its key that no more effort was
  /// spent on. One that is larger than a shard's part of the bytes is kept alone there, and other
  /// shards make room for it. One that is larger than the whole cache is not kept, nor is one that
  /// finds no room because other threads take it at the same moment.
  ///
  /// `enough` is, of a plan that was made in no time, the bytes of data by which another pays; 0
  /// for one that nothing but effort can better. The former never takes the place of the latter.
  void keep(const Key& key, const Plan& plan, std::size_t bytes, Effort effort = Effort::kFast,
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
    std::atomic<bool> was_used{false};  ///< since it was looked at for what may go
    std::atomic<std::uint64_t> decoded{0};
    std::list<Key>::iterator turn{};
    Entry(Plan kept, std::size_t size, Effort spent, std::uint64_t decoding)
        : plan(std::move(kept)), bytes(size), effort(spent), enough(decoding) {}
  };
  using Entries = std::unordered_map<Key, Entry, Hash>;
  struct alignas(64) Shard {
    mutable std::shared_mutex mutex;
    Entries entries;
    std::size_t bytes = 0;
    std::list<Key> turns;  ///< keys, what is to be looked at first for what may go at the front
    std::atomic<std::uint64_t> hits{0};
    std::atomic<std::uint64_t> misses{0};
    std::uint64_t dropped = 0;
  };
  static constexpr std::size_t kShards = 16;

  /// Entries that go once nobody waits for their shard.
  using Dropped = std::vector<Entries::node_type>;

  bool has_room(std::size_t bytes) const noexcept;
  bool reserve(std::size_t bytes) noexcept;
  void drop(Shard& shard, Entries::iterator entry, Dropped& dropped);
  void drop_unused(Shard& shard, Dropped& dropped);

  Shard& shard_of(const Key& key) noexcept { return shards_[Hash{}(key) / 8 % kShards]; }

  std::size_t most_bytes_;
  std::atomic<std::size_t> used_bytes_{0};  ///< of all shards, and of plans that come to them
  std::array<Shard, kShards> shards_;
};

}  // namespace xorloom
