#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "integrations/mpi/agreement.hpp"
#include "integrations/mpi/call.hpp"
#include "integrations/mpi/inventory.hpp"
#include "integrations/mpi/rebuilding.hpp"
#include "xorloom/mpi.hpp"

namespace xorloom::mpi {
namespace {

/// Jobs that run together. Others wait, so that memory and tags are bounded.
constexpr std::size_t kMostJobs = 32;
constexpr std::size_t kMostStreams = 8192;

/// The rank that gets a missing chunk.
class Roots {
 public:
  Roots(const Inventory& inventory, const Placement& placement)
      : inventory_(&inventory), placement_(&placement) {}

  int of(std::size_t set, std::size_t location) const {
    const std::vector<int>& holders = inventory_->sets[set].holders;
    const auto ranks = static_cast<std::size_t>(placement_->ranks());
    if (inventory_->sets.size() == ranks)
      return placement_->rank_of(static_cast<int>(set), location);
    // Another number of ranks than then: the one with the fewest chunks of the set, from where
    // rotation would begin.
    std::vector<std::size_t> chunks(ranks);
    for (const int holder : holders) {
      if (holder != kNobody) ++chunks[static_cast<std::size_t>(holder)];
    }
    std::size_t best = (set + location) % ranks;
    for (std::size_t i = 1; i < ranks; ++i) {
      const std::size_t rank = (set + location + i) % ranks;
      if (chunks[rank] < chunks[best]) best = rank;
    }
    return static_cast<int>(best);
  }

 private:
  const Inventory* inventory_;
  const Placement* placement_;
};

/// The jobs of one round, not planned yet: one for each missing chunk that can be rebuilt.
std::vector<RepairJob> jobs_of(const Inventory& inventory, const Placement& placement,
                               const std::vector<bool>& recoverable) {
  std::vector<RepairJob> jobs;
  Inventory placed = inventory;
  for (std::size_t set = 0; set < inventory.sets.size(); ++set) {
    if (!recoverable[set]) continue;
    // Roots are chosen one after the other, so that chunks of a set go to different ranks.
    for (const std::size_t location : inventory.sets[set].missing()) {
      RepairJob job;
      job.set = set;
      job.location = location;
      job.root = Roots(placed, placement).of(set, location);
      placed.sets[set].holders[location] = job.root;
      jobs.push_back(std::move(job));
    }
  }
  return jobs;
}

/// Runs the jobs, some at a time, until a shard turns out damaged; whether none did.
bool run_jobs(const Communicator& comm, Store& store, const Options& options, const Codec& codec,
              Times& times, Inventory& inventory, RepairPlanner& planner,
              const std::vector<RepairJob>& jobs) {
  for (auto first = jobs.begin(); first != jobs.end();) {
    std::size_t streams = 0;
    auto last = first;
    while (last != jobs.end() && static_cast<std::size_t>(last - first) < kMostJobs &&
           (last == first || streams + last->streams <= kMostStreams)) {
      streams += last->streams;
      ++last;
    }
    if (!Rebuilding(comm, store, options, codec, times).run(inventory, planner, {first, last}))
      return false;
    first = last;
  }
  return true;
}

}  // namespace

Outcome inspect(MPI_Comm of, Store& store, State& state, const Options& options) {
  return collective(of, [&](const Communicator& comm, Times&) {
    check_options(comm, options, "");
    Inventory inventory = take_inventory(comm, store, options.label);
    const Codec codec = codec_of(comm, inventory.spec, options);
    check_against(inventory, codec);
    if (options.check_blocks) drop_damaged(comm, store, inventory);
    const std::vector<bool> recoverable = recoverable_sets(comm, inventory, codec);
    agree_on(comm, [&] { state = state_of(inventory, codec, recoverable); });
  });
}

Outcome rebuild(MPI_Comm of, Store& store, const Options& options) {
  return collective(of, [&](const Communicator& comm, Times& times) {
    check_options(comm, options, "");
    Inventory inventory = take_inventory(comm, store, options.label);
    const Codec codec = codec_of(comm, inventory.spec, options);
    check_against(inventory, codec);
    if (options.check_blocks) drop_damaged(comm, store, inventory);
    const std::vector<int> domains = domains_of(comm, options);
    RepairPlanner planner(codec, domains, options.route);
    std::optional<Placement> placement;
    agree_on(comm, [&] { placement.emplace(domains, codec.info().locations); });
    // Each round that finds a damaged block knows of one shard less, so that rounds come to an end.
    std::vector<bool> recoverable;
    for (bool is_done = false; !is_done;) {
      recoverable = recoverable_sets(comm, inventory, codec);
      std::vector<RepairJob> jobs = jobs_of(inventory, *placement, recoverable);
      agree_on(comm, [&] {
        for (RepairJob& job : jobs) {
          if (job.root == comm.rank()) planner.plan(job, inventory.sets[job.set]);
        }
      });
      share_plans(comm, jobs);
      is_done = run_jobs(comm, store, options, codec, times, inventory, planner, jobs);
    }
    refuse_lost(inventory, recoverable);
  });
}

}  // namespace xorloom::mpi
