#include "integrations/mpi/repair_job.hpp"

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <type_traits>
#include <utility>

namespace xorloom::mpi {
namespace {

/// Cost of reading from another failure domain, in reads from the root's own domain.
constexpr std::uint64_t kFarCost = 4;

/// Throws if parents do not lead each helper to the root.
void check_route(const RepairSites& sites, const std::vector<int>& parents) {
  const auto refuse = [&](const std::string& why) {
    throw Error(Status::kInvalidArgument,
                "the route to rank " + std::to_string(sites.root) + " " + why);
  };
  if (parents.size() != sites.helpers.size()) {
    refuse("has " + std::to_string(parents.size()) + " parents for " +
           std::to_string(sites.helpers.size()) + " helpers");
  }
  std::map<int, int> parent_of;
  for (std::size_t i = 0; i < parents.size(); ++i) parent_of[sites.helpers[i]] = parents[i];
  for (const int helper : sites.helpers) {
    int at = helper;
    for (std::size_t steps = 0; at != sites.root; ++steps) {
      const auto parent = parent_of.find(at);
      if (parent == parent_of.end())
        refuse("goes by rank " + std::to_string(at) + ", which is no helper");
      if (steps == parents.size()) refuse("goes in a circle from rank " + std::to_string(helper));
      at = parent->second;
    }
  }
}

std::vector<int> helpers_of(const std::vector<std::size_t>& reads, const OwnedSet& of, int root) {
  std::set<int> ranks;
  for (const std::size_t location : reads) ranks.insert(of.holders[location]);
  ranks.erase(root);
  return {ranks.begin(), ranks.end()};
}

}  // namespace

void share_plans(const Communicator& comm, std::vector<RepairJob>& jobs) {
  std::vector<std::uint8_t> own;
  const auto put = [&](std::size_t number) {
    const auto* const from = reinterpret_cast<const std::uint8_t*>(&number);
    own.insert(own.end(), from, from + sizeof number);
  };
  const auto put_all = [&](const auto& numbers) {
    put(numbers.size());
    for (const auto number : numbers) put(static_cast<std::size_t>(number));
  };
  for (const RepairJob& job : jobs) {
    if (job.root != comm.rank()) continue;
    put(job.sends_chunks ? 1 : 0);
    put(job.streams);
    put_all(job.reads);
    put_all(job.helpers);
    put_all(job.parents);
    for (const auto& units : job.units) put_all(units);
  }
  const auto all = all_gather(comm, own);
  std::vector<std::size_t> at(all.size());
  for (RepairJob& job : jobs) {
    const auto root = static_cast<std::size_t>(job.root);
    const auto get = [&] {
      std::size_t number = 0;
      std::memcpy(&number, all[root].data() + at[root], sizeof number);
      at[root] += sizeof number;
      return number;
    };
    const auto get_all = [&](auto& numbers) {
      numbers.resize(get());
      using Number = typename std::remove_reference_t<decltype(numbers)>::value_type;
      for (auto& number : numbers) number = static_cast<Number>(get());
    };
    job.sends_chunks = get() != 0;
    job.streams = get();
    get_all(job.reads);
    get_all(job.helpers);
    get_all(job.parents);
    job.units.resize(job.sends_chunks ? job.reads.size() : 0);
    for (auto& units : job.units) get_all(units);
  }
}

bool RepairJob::takes_part(int rank, const OwnedSet& of) const {
  return rank == root ||
         std::ranges::any_of(reads, [&](std::size_t read) { return of.holders[read] == rank; });
}

std::vector<std::uint64_t> RepairPlanner::costs(const OwnedSet& of, int root) const {
  std::vector<std::uint64_t> costs;
  for (const int holder : of.holders) {
    if (holder == kNobody) {
      costs.push_back(0);
    } else if (holder == root) {
      costs.push_back(0);
    } else {
      const bool is_near =
          domains_[static_cast<std::size_t>(holder)] == domains_[static_cast<std::size_t>(root)];
      costs.push_back(is_near ? 1 : kFarCost);
    }
  }
  return costs;
}

RepairPlanner::Key RepairPlanner::key_of(const OwnedSet& of, std::size_t location, int root) const {
  const std::vector<std::uint64_t> read_costs = costs(of, root);
  return {of.missing(), {location}, {read_costs.begin(), read_costs.end()}};
}

const Plan& RepairPlanner::repair(const OwnedSet& of, std::size_t location, int root) {
  Key key = key_of(of, location, root);
  const auto known = repairs_.find(key);
  if (known != repairs_.end()) return known->second;
  Repair repair;
  repair.erased = of.missing();
  repair.wanted = {location};
  repair.read_costs = costs(of, root);
  return repairs_.emplace(std::move(key), codec_->repair(repair)).first->second;
}

const std::vector<std::size_t>& RepairPlanner::fewest(const OwnedSet& of, std::size_t location,
                                                      int root) {
  Key key = key_of(of, location, root);
  // Holders count, too: the same chunks may be on fewer ranks.
  key.push_back({of.holders.begin(), of.holders.end()});
  const auto [known, is_new] = fewest_.try_emplace(std::move(key));
  if (!is_new) return known->second;
  Repair repair;
  repair.erased = of.missing();
  repair.wanted = {location};
  repair.read_costs = costs(of, root);
  repair.whole_chunks = true;
  std::vector<std::size_t> reads = codec_->repair(repair).reads();
  const std::vector<std::size_t> first_reads = reads;
  for (const std::size_t read : first_reads) {
    const int without = of.holders[read];
    repair.erased.clear();
    for (std::size_t i = 0; i < of.holders.size(); ++i) {
      if (of.holders[i] == without || std::ranges::find(reads, i) == reads.end())
        repair.erased.push_back(i);
    }
    try {
      reads = codec_->repair(repair).reads();
    } catch (const Error& error) {
      if (error.kind() != Status::kDamaged) throw;
    }
  }
  return known->second = std::move(reads);
}

void RepairPlanner::plan(RepairJob& job, const OwnedSet& of) {
  const int root = job.root;
  if (!route_) {
    const Plan& parts = repair(of, job.location, root);
    std::size_t units = 0;
    job.reads = parts.reads();
    for (const std::size_t read : job.reads) {
      const auto of_read = parts.units_read(read);
      job.units.emplace_back(of_read.begin(), of_read.end());
      if (of.holders[read] == root) continue;
      units += of_read.size();
      ++job.streams;
    }
    job.helpers = helpers_of(job.reads, of, root);
    // Helpers with several chunks may send less as a sum.
    job.sends_chunks =
        job.helpers.size() == job.streams ||
        units <= helpers_of(fewest(of, job.location, root), of, root).size() * codec_->info().units;
    if (job.sends_chunks) return;
    job.units.clear();
  }
  job.reads = fewest(of, job.location, root);
  job.helpers = helpers_of(job.reads, of, root);
  job.streams = job.helpers.size();
  const RepairSites sites{root, job.helpers, &domains_};
  job.parents = route_ ? route_(sites) : star(sites);
  check_route(sites, job.parents);
}

const Plan& RepairPlanner::of_chunks(const RepairJob& job, const OwnedSet& of) {
  return repair(of, job.location, job.root);
}

Plan RepairPlanner::of_sum(const RepairJob& job, const OwnedSet& of, int rank) {
  // Three sites: what this rank reads, what others read, and the rest, which counts as lost. No
  // rank can be left out, so each rank gets its part of one and the same sum.
  std::vector<std::vector<std::size_t>> sites(2);
  Repair repair;
  repair.wanted = {job.location};
  for (std::size_t i = 0; i < of.holders.size(); ++i) {
    if (std::ranges::find(job.reads, i) == job.reads.end()) {
      repair.erased.push_back(i);
    } else {
      sites[of.holders[i] == rank ? 0 : 1].push_back(i);
    }
  }
  if (sites[1].empty()) sites.pop_back();
  sites.push_back(repair.erased);
  Key key = sites;
  key.push_back(repair.wanted);
  const auto known = sums_.find(key);
  if (known != sums_.end()) return known->second;
  const SplitRepair split = codec_->split(repair, sites);
  for (const SplitRepair::Site& site : split.sites) {
    if (site.number == 0) return sums_.emplace(std::move(key), site.plan).first->second;
  }
  throw Error(Status::kInternal, "a rank has no part in a repair that needs it");
}

}  // namespace xorloom::mpi
