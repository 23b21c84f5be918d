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

/// Of each of some locations, the units that are wanted, ascending: sub-chunks where a code lies in
/// words, rows where it lies in packets. Empty: all units of all of them.
using WantedUnits = std::vector<std::vector<std::uint32_t>>;

/// Stripes from one up to another.
struct StripeRange {
  std::uint64_t begin = 0;
  std::uint64_t end = std::numeric_limits<std::uint64_t>::max();
};

/// A set ready to be read: its code made ready for this machine, and its shards by location.
class OpenedSet {
 public:
  /// Chooses a set of those that were found, and opens it; see choose_set.
  ///
  /// Buffers: keeps a reference to the set.
  /// Errors:  throws what choose_set throws; kDamaged, naming the set and the others, if its header
  ///          names no code this version can make within the bounds or its sizes are not those the
  ///          code has; what Codec throws for the options.
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

  /// Stripes up to which any shard goes; behind it there is nothing to read.
  std::uint64_t num_readable_stripes() const { return num_readable_stripes_; }

  /// A plan that rebuilds the wanted ones of the lost locations (both ascending), or at least some
  /// units of each wanted one, or none if they cannot be. It reads what costs the least, locations
  /// at hand (ascending) costing nothing. Plans are kept and may be asked for by many threads.
  ///
  /// Errors: throws kUnsupported if finding one exceeds the bounds; so does can_rebuild.
  std::optional<Plan> plan(const std::vector<std::size_t>& lost,
                           const std::vector<std::size_t>& wanted, const WantedUnits& units = {},
                           const std::vector<std::size_t>& at_hand = {}) const;

  /// Those of all plans that were made.
  PlanCounts plan_counts() const;

  /// Says what it costs to read of each location, before any plan is asked for; see
  /// Repair::read_costs.
  void set_read_costs(std::vector<std::uint64_t> costs) { read_costs_ = std::move(costs); }

  /// Says that a location's block of a stripe is wrong, whatever its checksum says, before the
  /// stripe is read again.
  void distrust(std::uint64_t stripe, std::size_t location) {
    distrusted_.emplace(stripe, location);
  }
  bool is_distrusted(std::uint64_t stripe, std::size_t location) const {
    return distrusted_.contains({stripe, location});
  }

  /// The plan that encodes. Cost: it is made anew.
  Plan encoding_plan() const;

  /// Whether the lost locations (ascending) can all be rebuilt. Answers are kept likewise.
  bool can_rebuild(const std::vector<std::size_t>& lost) const;

  /// Whether all lost chunks (locations, ascending) of a stripe can be had: as above, or encoded
  /// anew.
  bool can_rebuild(std::uint64_t stripe, const std::vector<std::size_t>& lost) const;

  /// Whether a stripe's bytes of the file can be had, and some chunks hold none, so that all chunks
  /// can be encoded from the others. Codes whose locations hold data and redundancy gain by that.
  bool can_encode_anew(std::uint64_t stripe, const std::vector<std::size_t>& lost) const;

 private:
  /// Lost, wanted, units and at hand.
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
  std::set<std::pair<std::uint64_t, std::size_t>> distrusted_;  ///< stripes and locations
  mutable std::mutex mutex_;
  mutable std::map<Pattern, std::optional<Plan>> plans_;
  mutable std::map<std::vector<std::size_t>, bool> answers_;
};

/// Bytes of a block, those of a stripe and of the last block, for a file encoded by a code.
struct StripeSizes {
  std::uint64_t stripe_bytes;
  std::uint64_t block_bytes;
  std::uint64_t last_block_bytes;
};

/// Errors: throws kInvalidArgument if block_bytes is no multiple of chunk_multiple(code).
StripeSizes stripe_sizes(const Code& code, std::uint64_t block_bytes, std::uint64_t file_bytes);

/// The pieces that computations on a code read: sub-chunks of words, rows of packets. None where a
/// chunk is one of them, or there are more than a block can have.
Pieces pieces_of(const Code& code);

}  // namespace xorloom
