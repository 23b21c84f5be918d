#include "integrations/ceph/reads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>

#include "integrations/ceph/shared_codec.hpp"

namespace xorloom::ceph_plugin {
namespace {

constexpr std::size_t kMostKept = 1024;

Runs runs_of(std::span<const std::uint32_t> units) {
  Runs runs;
  for (const std::uint32_t unit : units) {
    const int at = static_cast<int>(unit);
    if (!runs.empty() && runs.back().first + runs.back().second == at) {
      ++runs.back().second;
    } else {
      runs.emplace_back(at, 1);
    }
  }
  return runs;
}

/// Reads at given costs: of sub-chunks if every chunk read gives equally many, else of whole
/// chunks.
Reads chosen_reads(const SharedCodec& shared, const std::set<int>& wanted,
                   const std::map<int, int>& costs) {
  Repair repair;
  repair.read_costs.assign(shared.chunks, 0);
  for (int position = 0; position < static_cast<int>(shared.chunks); ++position) {
    const auto found = costs.find(position);
    const bool is_wanted = wanted.contains(position);
    const auto location = static_cast<std::size_t>(position);
    if (found == costs.end()) {
      repair.erased.push_back(location);
      if (is_wanted) repair.wanted.push_back(location);
    } else {
      repair.read_costs[location] =
          static_cast<std::uint64_t>(std::clamp(found->second, 1, 1'000'000));
      if (is_wanted) repair.at_hand.push_back(location);
    }
  }
  const Runs whole{{0, static_cast<int>(shared.sub_chunks)}};
  Reads reads;
  for (const std::size_t location : repair.at_hand) reads.runs[static_cast<int>(location)] = whole;
  if (repair.wanted.empty()) return reads;

  for (repair.whole_chunks = shared.sub_chunks == 1;; repair.whole_chunks = true) {
    reads.plan = shared.codec.repair(repair);
    std::map<int, Runs> runs = reads.runs;
    for (const std::size_t location : reads.plan->reads()) {
      Runs& of_chunk = runs[static_cast<int>(location)];
      if (of_chunk.empty()) {
        of_chunk = repair.whole_chunks ? whole : runs_of(reads.plan->units_read(location));
      }
    }
    const int length = runs.empty() ? 0 : length_of(runs.begin()->second);
    const bool are_equal = std::all_of(runs.begin(), runs.end(), [length](const auto& of_chunk) {
      return length_of(of_chunk.second) == length;
    });
    if (are_equal || repair.whole_chunks) {
      reads.runs = std::move(runs);
      return reads;
    }
  }
}

}  // namespace

int length_of(const Runs& runs) {
  int length = 0;
  for (const auto& [first, count] : runs) length += count;
  return length;
}

Reads cheapest_reads(const SharedCodec& shared, const std::set<int>& wanted,
                     std::map<int, int> costs) {
  const int chunks = static_cast<int>(shared.chunks);
  const auto check = [chunks](int position) {
    if (position >= 0 && position < chunks) return;
    throw Error(Status::kInvalidArgument,
                fmt::format("chunk {} is not one of the {} of the code", position, chunks));
  };
  for (const int position : wanted) check(position);
  for (const auto& [position, cost] : costs) check(position);
  while (true) {
    Reads reads = chosen_reads(shared, wanted, costs);
    if (reads.runs.size() == costs.size()) return reads;
    std::map<int, int> fewer;
    for (const auto& [position, runs] : reads.runs) fewer.emplace(position, costs.at(position));
    costs = std::move(fewer);
  }
}

std::shared_ptr<const Reads> KeptReads::find(const SharedCodec& shared, const std::set<int>& wanted,
                                             const std::set<int>& available) {
  const Key key{wanted, available};
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = kept_.find(key); found != kept_.end()) return found->second;
  }
  std::map<int, int> costs;
  for (const int position : available) costs.emplace(position, 1);
  const auto reads =
      std::make_shared<const Reads>(cheapest_reads(shared, wanted, std::move(costs)));
  const std::lock_guard lock(mutex_);
  if (kept_.size() >= kMostKept) {
    // Drops one entry, not all: if sets take turns, most entries stay.
    const auto next = kept_.lower_bound(key);
    kept_.erase(std::prev(next == kept_.begin() ? kept_.end() : next));
  }
  kept_.insert_or_assign(key, reads);
  return reads;
}

}  // namespace xorloom::ceph_plugin
