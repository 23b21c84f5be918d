#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "integrations/mpi/agreement.hpp"
#include "integrations/mpi/placement.hpp"
#include "integrations/mpi/shard_file.hpp"
#include "integrations/mpi/store.hpp"

namespace xorloom::mpi {

inline constexpr int kNobody = -1;

/// The set of shards of the data of one rank, as all ranks see it.
struct OwnedSet {
  std::optional<ShardHeader> header;  ///< of location 0; nullopt: no shard is left
  std::vector<int> holders;           ///< by location: a rank that has it, or kNobody

  std::vector<std::size_t> missing() const;
};

/// Content of all stores from one call of encode(): that of the highest generation. The same on all
/// ranks.
struct Inventory {
  std::string spec;
  std::uint64_t generation = 0;
  std::vector<OwnedSet> sets;  ///< by owner
};

/// Looks through all stores. Shards of an interrupted call are given their names if another of
/// that call has its own. Of several ranks that see a shard, the one that it was placed on has it.
///
/// Errors: throws, the same on all ranks: kIo if a store cannot be read, or none has anything of
///         the label.
Inventory take_inventory(const Communicator& comm, Store& store, const std::string& label);

/// Checks that the sets are of the code, and moves each shard to a holder that placement prefers.
///
/// Errors: throws kDamaged, the same on all ranks.
void check_against(const Inventory& inventory, const Codec& codec);

/// Takes shards of this rank with a damaged block out of the inventory, on all ranks.
void drop_damaged(const Communicator& comm, Store& store, Inventory& inventory);

/// True for each set whose missing chunks can all be rebuilt. Ranks share the work.
std::vector<bool> recoverable_sets(const Communicator& comm, const Inventory& inventory,
                                   const Codec& codec);

/// Throws kDamaged if a set cannot be recovered: "the data of rank 3 cannot be recovered: 5 of 14
/// chunks are gone".
void refuse_lost(const Inventory& inventory, const std::vector<bool>& recoverable);

}  // namespace xorloom::mpi
