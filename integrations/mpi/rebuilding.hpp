#pragma once

#include <memory>
#include <vector>

#include "integrations/mpi/agreement.hpp"
#include "integrations/mpi/inventory.hpp"
#include "integrations/mpi/repair_job.hpp"
#include "integrations/mpi/repair_tasks.hpp"
#include "xorloom/mpi.hpp"

namespace xorloom::mpi {

State state_of(const Inventory& inventory, const Codec& codec,
               const std::vector<bool>& recoverable);

/// Takes shards that turned out damaged on any rank out of the inventory, on all ranks, and returns
/// them.
std::vector<BadShard> drop_bad(const Communicator& comm, const std::vector<BadShard>& own,
                               Inventory& inventory);

/// Runs repair jobs at the same time.
class Rebuilding {
 public:
  Rebuilding(const Communicator& comm, Store& store, const Options& options, const Codec& codec,
             Times& times)
      : comm_(comm),
        store_(store),
        options_(options),
        info_(codec.info()),
        exchange_(comm, times) {}

  /// Whether all shards that were read are good. Otherwise the inventory has lost the bad ones, and
  /// what was made of them was not kept.
  ///
  /// Errors: throws, the same on all ranks.
  bool run(Inventory& inventory, RepairPlanner& planner, const std::vector<RepairJob>& jobs);

 private:
  void add_tasks(const OwnedSet& of, RepairPlanner& planner, const RepairJob& job, int tag);
  void add_chunk_tasks(const SetView& view, const OwnedSet& of, RepairPlanner& planner,
                       const RepairJob& job, int tag);
  void add_sum_task(const SetView& view, const OwnedSet& of, RepairPlanner& planner,
                    const RepairJob& job, int tag);
  std::unique_ptr<ShardReader> open(const OwnedSet& of, std::size_t location);
  void write(ShardWriter& writer, const OwnedSet& of, std::size_t location, std::uint64_t block,
             const std::uint8_t* chunk, std::size_t bytes);
  void keep(Inventory& inventory, const std::vector<RepairJob>& jobs,
            const std::vector<BadShard>& bad);

  const Communicator& comm_;
  Store& store_;
  const Options& options_;
  Info info_;
  Exchange exchange_;
  std::vector<std::unique_ptr<ShardWriter>> writers_;  // by job; null at other ranks
  ShardWriter* current_ = nullptr;                     // of the job whose tasks are being made
  std::vector<std::unique_ptr<Task>> tasks_;
};

}  // namespace xorloom::mpi
