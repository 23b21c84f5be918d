#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "integrations/mpi/inventory.hpp"
#include "xorloom/mpi.hpp"
#include "xorloom/split_repair.hpp"

namespace xorloom::mpi {

/// Plan for one missing chunk. The root makes it, and all ranks know it.
struct RepairJob {
  std::size_t set = 0;
  std::size_t location = 0;
  int root = 0;
  std::vector<std::size_t> reads;  ///< locations
  /// For each location in `reads`, the units that are sent; empty if sums are sent.
  std::vector<std::vector<std::uint32_t>> units;
  /// Helpers send what is needed of their chunks, not sums.
  bool sends_chunks = false;
  std::vector<int> helpers;  ///< ranks but the root that hold what is read, ascending
  std::vector<int> parents;  ///< of each helper; empty if chunks are sent
  std::size_t streams = 0;   ///< different messages per slice

  bool takes_part(int rank, const OwnedSet& of) const;
};

/// Sends the roots' plans to all ranks. `jobs` are the same on every rank, in the same order; those
/// whose root is this rank are planned.
void share_plans(const Communicator& comm, std::vector<RepairJob>& jobs);

/// Chooses who reads what. Plans are kept: sets that lost the same need the same.
class RepairPlanner {
 public:
  RepairPlanner(const Codec& codec, std::vector<int> domains, Route route)
      : codec_(&codec), domains_(std::move(domains)), route_(std::move(route)) {}

  /// Plans a job of which the set, the location and the root are known.
  ///
  /// Errors: throws kInvalidArgument if the route is none, kDamaged if it cannot be rebuilt.
  void plan(RepairJob& job, const OwnedSet& of);

  /// The plan that the root runs if chunks are sent.
  const Plan& of_chunks(const RepairJob& job, const OwnedSet& of);

  /// The plan that makes the sum of a rank. The sums of all ranks that hold what is read add up to
  /// the chunk.
  Plan of_sum(const RepairJob& job, const OwnedSet& of, int rank);

 private:
  /// Key of a plan: the missing locations, the wanted one, and costs or sites.
  using Key = std::vector<std::vector<std::size_t>>;

  std::vector<std::uint64_t> costs(const OwnedSet& of, int root) const;
  Key key_of(const OwnedSet& of, std::size_t location, int root) const;
  const Plan& repair(const OwnedSet& of, std::size_t location, int root);

  const Codec* codec_;
  std::vector<int> domains_;
  Route route_;
  /// Locations that suffice, of ranks of which none can be left out.
  const std::vector<std::size_t>& fewest(const OwnedSet& of, std::size_t location, int root);

  std::map<Key, Plan> repairs_;
  std::map<Key, std::vector<std::size_t>> fewest_;
  std::map<Key, Plan> sums_;
};

}  // namespace xorloom::mpi
