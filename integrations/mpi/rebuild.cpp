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

/// One round: the jobs of all missing chunks that can be rebuilt.
std::vector<RepairJob> jobs_of(Inventory& inventory, const Placement& placement,
                               Recoverability& can, RepairPlanner& planner) {
  std::vector<RepairJob> jobs;
  for (std::size_t set = 0; set < inventory.sets.size(); ++set) {
    const OwnedSet& of = inventory.sets[set];
    const std::vector<std::size_t> missing = of.missing();
    if (!of.header || missing.empty() || !can.of(missing)) continue;
    // Roots are chosen one after the other, so that chunks of a set go to different ranks.
    Inventory placed;
    placed.sets.resize(inventory.sets.size());
    placed.sets[set].holders = of.holders;
    for (const std::size_t location : missing) {
      const int root = Roots(placed, placement).of(set, location);
      placed.sets[set].holders[location] = root;
      jobs.push_back(planner.plan(set, of, location, root));
    }
  }
  return jobs;
}

/// What ranks have to agree on, or messages would be awaited that nobody sends.
std::string text_of(const std::vector<RepairJob>& jobs) {
  std::string text;
  const auto add = [&](auto number) { text += std::to_string(number) + ' '; };
  for (const RepairJob& job : jobs) {
    for (const std::size_t number : {job.set, job.location, job.streams}) add(number);
    add(job.root);
    for (const std::size_t read : job.reads) add(read);
    for (const int parent : job.parents) add(parent);
  }
  return std::to_string(std::hash<std::string>{}(text));
}

}  // namespace

Outcome inspect(MPI_Comm of, Store& store, State& state, const Options& options) {
  return collective(of, [&](const Communicator& comm, Times&) {
    check_options(comm, options, "");
    Inventory inventory = take_inventory(comm, store, options.label);
    const Codec codec = codec_of(comm, inventory.spec, options);
    check_against(inventory, codec);
    if (options.check_blocks) drop_damaged(comm, store, inventory);
    agree_on(comm, [&] { state = state_of(inventory, codec); });
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
    Recoverability can(codec);
    RepairPlanner planner(codec, domains, options.route);
    std::optional<Placement> placement;
    agree_on(comm, [&] { placement.emplace(domains, codec.info().locations); });
    // Each round that finds a damaged block knows of one shard less, so that rounds come to an end.
    for (bool is_done = false; !is_done;) {
      std::vector<RepairJob> jobs;
      agree_on(comm, [&] { jobs = jobs_of(inventory, *placement, can, planner); });
      agree_on_same(comm, text_of(jobs), "plan of repairs");
      is_done = true;
      for (std::size_t first = 0; first < jobs.size();) {
        std::size_t streams = 0;
        std::size_t last = first;
        while (last < jobs.size() && last - first < kMostJobs &&
               (last == first || streams + jobs[last].streams <= kMostStreams))
          streams += jobs[last++].streams;
        const std::vector<RepairJob> some(jobs.begin() + static_cast<std::ptrdiff_t>(first),
                                          jobs.begin() + static_cast<std::ptrdiff_t>(last));
        is_done =
            Rebuilding(comm, store, options, codec, times).run(inventory, planner, some) && is_done;
        first = is_done ? last : jobs.size();
      }
    }
    std::optional<std::string> lost;
    agree_on(comm, [&] { lost = unrecoverable(inventory, can); });
    if (lost) throw Error(Status::kDamaged, *lost);
  });
}

}  // namespace xorloom::mpi
