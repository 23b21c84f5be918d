#include "equations/reads/write_choice.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace xorloom {
namespace {

using Locations = std::vector<std::size_t>;

/// Most groups that choose separately: at most 2^10 choices are tried. More groups all get one
/// choice.
constexpr std::size_t kMostGroups = 10;

bool has(const Locations& sorted, std::size_t location) {
  return std::ranges::binary_search(sorted, location);
}

Locations sorted(std::set<std::size_t> locations) { return {locations.begin(), locations.end()}; }

/// True if `a` has the lower cost, or at equal cost fewer terms.
bool is_better(const WriteChoice& a, const WriteChoice& b) {
  return std::pair(a.cost, a.terms) < std::pair(b.cost, b.terms);
}

}  // namespace

WriteChooser::WriteChooser(const Code& code)
    : code_(&code),
      has_redundancy_(code.locations),
      reached_(code.locations),
      depends_(code.locations) {
  std::vector<std::set<std::size_t>> depends(code.locations);
  for (std::size_t i = 0; i < code.redundant.size(); ++i) {
    const std::size_t location = code.location_of_cell(code.redundant[i]);
    has_redundancy_[location] = true;
    for (std::size_t j = 0; j < code.data.size(); ++j) {
      if (code.parity(i, j) != 0) depends[location].insert(code.location_of_cell(code.data[j]));
    }
  }
  for (std::size_t location = 0; location < code.locations; ++location) {
    depends_[location] = sorted(depends[location]);
    for (const std::size_t data : depends_[location]) reached_[data].push_back(location);
  }
}

WriteChoice WriteChooser::choice(const StripeWrite& write, const Locations& changed,
                                 const Locations& reencoded) const {
  WriteChoice result{changed, reencoded, {}, {}, 0, 0};
  std::set<std::size_t> needed;
  if (!changed.empty()) needed.insert(write.touched.begin(), write.touched.end());
  needed.insert(changed.begin(), changed.end());
  for (const std::size_t location : reencoded) {
    needed.insert(depends_[location].begin(), depends_[location].end());
    result.terms += depends_[location].size();
  }
  for (const std::size_t location : changed) {
    result.terms += static_cast<std::size_t>(std::ranges::count_if(
        depends_[location], [&](std::size_t data) { return has(write.touched, data); }));
  }
  for (std::size_t i = 0; i < write.touched.size(); ++i) {
    // Old data that stays is always read; a whole new chunk needs its old data only for
    // differences.
    if (!write.is_whole[i]) needed.insert(write.touched[i]);
    if (write.is_whole[i] && changed.empty()) needed.erase(write.touched[i]);
  }
  for (const std::size_t location : needed) {
    if (!write.is_readable[location]) {
      result.rebuilt.push_back(location);
      result.cost += code_->k;
      continue;
    }
    result.reads.push_back(location);
    result.cost += write.read_costs.empty() ? 1 : write.read_costs[location];
  }
  return result;
}

WriteChoice WriteChooser::choose(const StripeWrite& write, WritePolicy policy) const {
  std::map<Locations, Locations> groups;  // by data locations: redundant ones
  std::set<std::size_t> reached;
  bool holds_data_alone = true;
  for (const std::size_t location : write.touched) {
    holds_data_alone &= !has_redundancy_[location];
    for (const std::size_t redundant : reached_[location]) {
      if (write.is_written[redundant]) reached.insert(redundant);
    }
  }
  const Locations all = sorted(reached);
  const WriteChoice reencoding = choice(write, {}, all);
  if (policy == WritePolicy::kReencode || !holds_data_alone) return reencoding;
  if (policy == WritePolicy::kDelta) return choice(write, all, {});
  for (const std::size_t location : all) groups[depends_[location]].push_back(location);
  WriteChoice best = choice(write, all, {});
  if (is_better(reencoding, best)) best = reencoding;
  if (groups.size() > kMostGroups) return best;
  for (std::size_t chosen = 1; chosen + 1 < std::size_t{1} << groups.size(); ++chosen) {
    std::set<std::size_t> changed, reencoded;
    std::size_t number = 0;
    for (const auto& [data, locations] : groups) {
      auto& part = (chosen >> number++ & 1) != 0 ? changed : reencoded;
      part.insert(locations.begin(), locations.end());
    }
    WriteChoice mixed = choice(write, sorted(changed), sorted(reencoded));
    if (is_better(mixed, best)) best = std::move(mixed);
  }
  return best;
}

}  // namespace xorloom
