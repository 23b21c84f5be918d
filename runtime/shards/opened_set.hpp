#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "codes/code.hpp"
#include "runtime/atlas/atlas_plans.hpp"
#include "runtime/engine/plan_options.hpp"
#include "runtime/shards/reading_bounds.hpp"
#include "runtime/shards/shard_sets.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

/// The wanted units of each location, ascending: sub-chunks if the code works on words, rows if on
/// packets. Empty: all units of all locations.
using WantedUnits = std::vector<std::vector<std::uint32_t>>;

/// Stripes `begin` to `end` - 1.
struct StripeRange {
  std::uint64_t begin = 0;
  std::uint64_t end = std::numeric_limits<std::uint64_t>::max();
};

/// A set ready to be read: its code made ready for this machine, and its shards by location.
class OpenedSet {
 public:
  /// Chooses a set among `found`, see choose_set, and opens it.
  ///
  /// Buffers: keeps a reference to the set.
  /// Errors:  throws what choose_set throws; kDamaged, naming the set and the others, if its header
  ///          names no code that this version can make within the bounds, or if its sizes are not
  ///          those of the code; what Codec throws for the options.
  OpenedSet(const FoundShards& found, std::string_view digits, const Options& options,
            const ReadingBounds& bounds = {});

  const ShardHeader& header() const { return set_->header; }
  const ShardSet& set() const { return *set_; }
  const Code& code() const { return code_; }
  const ReadingBounds& bounds() const { return bounds_; }
  Isa isa() const { return options_.isa; }

  /// The copies of a location's shard: numbers of set().shards.
  std::span<const std::size_t> copies(std::size_t location) const { return copies_[location]; }

  /// The number of copies of each location.
  std::vector<std::size_t> num_copies() const;

  /// Locations without any shard, ascending.
  const std::vector<std::size_t>& missing() const { return missing_; }

  /// Locations whose chunk of a stripe lies behind the end of the file, and is known to be zeros,
  /// ascending.
  const std::vector<std::size_t>& zeros(std::uint64_t stripe) const;

  /// The locations whose chunks a stripe's bytes of the file are in, ascending.
  const std::vector<std::size_t>& data_locations(std::uint64_t stripe) const;

  /// Number of stripes that any shard has a part of; beyond, there is nothing to read.
  std::uint64_t num_readable_stripes() const { return num_readable_stripes_; }

  /// A plan that rebuilds `wanted` if `lost` are lost (both ascending); nullopt if that is
  /// impossible. With `units`, it rebuilds at least those units of each wanted location. It reads
  /// what costs least; locations `at_hand` (ascending) cost nothing. Plans are kept; many threads
  /// may call this.
  ///
  /// Errors: throws kUnsupported if finding a plan exceeds the bounds; so does can_rebuild.
  std::optional<Plan> plan(const std::vector<std::size_t>& lost,
                           const std::vector<std::size_t>& wanted, const WantedUnits& units = {},
                           const std::vector<std::size_t>& at_hand = {}) const;

  /// Counts over all plans that were made.
  PlanCounts plan_counts() const;

  /// Sets what reading each location costs; see Repair::read_costs. Precondition: no plan was asked
  /// for yet.
  void set_read_costs(std::vector<std::uint64_t> costs) { read_costs_ = std::move(costs); }

  /// Marks the block of `location` in `stripe` as wrong, whatever its checksum says. Call it before
  /// the stripe is read again.
  void distrust(std::uint64_t stripe, std::size_t location) {
    distrusted_.emplace(stripe, location);
  }
  bool is_distrusted(std::uint64_t stripe, std::size_t location) const {
    return distrusted_.contains({stripe, location});
  }

  /// The plan that encodes. Cost: made anew by each call.
  Plan encoding_plan() const;

  /// True if all `lost` locations (ascending) can be rebuilt. Answers are kept.
  bool can_rebuild(const std::vector<std::size_t>& lost) const;

  /// True if all `lost` chunks (locations, ascending) of a stripe are zeros, can be rebuilt, or can
  /// be encoded anew.
  bool can_rebuild(std::uint64_t stripe, const std::vector<std::size_t>& lost) const;

  /// True if the stripe's bytes of the file can be recovered and some chunks hold none of them, so
  /// that all chunks can be encoded from the other ones. Helps codes whose locations hold both data
  /// and redundancy.
  bool can_encode_anew(std::uint64_t stripe, const std::vector<std::size_t>& lost) const;

 private:
  /// The arguments of plan(): lost, wanted, units, at_hand.
  using Pattern = std::tuple<std::vector<std::size_t>, std::vector<std::size_t>, WantedUnits,
                             std::vector<std::size_t>>;

  Plan plan_of(const Pattern& pattern) const;
  bool can_rebuild_all(const std::vector<std::size_t>& lost) const;

  const ShardSet* set_;
  Code code_;
  ReadingBounds bounds_;
  PlanOptions options_;
  AtlasPlans atlas_;
  std::vector<std::uint64_t> read_costs_;
  std::vector<std::vector<std::size_t>> copies_;
  std::vector<std::size_t> missing_;
  std::vector<std::size_t> data_of_most_, data_of_last_, zeros_of_last_;
  std::uint64_t num_readable_stripes_ = 0;
  std::set<std::pair<std::uint64_t, std::size_t>> distrusted_;  ///< {stripe, location}
  mutable std::mutex mutex_;
  mutable std::map<Pattern, std::optional<Plan>> plans_;
  mutable std::map<std::vector<std::size_t>, bool> answers_;
};

/// Sizes for a file that is encoded by a code, in bytes.
struct StripeSizes {
  std::uint64_t stripe_bytes;
  std::uint64_t block_bytes;
  std::uint64_t last_block_bytes;
};

/// Errors: throws kInvalidArgument if `block_bytes` is no positive multiple of
///         chunk_multiple(code).
StripeSizes stripe_sizes(const Code& code, std::uint64_t block_bytes, std::uint64_t file_bytes);

/// The pieces that computations on a code read: sub-chunks if it works on words, rows if on
/// packets. Pieces{} if a chunk has only one, or more than kMaxPieces.
Pieces pieces_of(const Code& code);

}  // namespace xorloom
