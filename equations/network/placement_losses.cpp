#include "equations/network/placement_losses.hpp"

#include <algorithm>
#include <functional>

#include "codes/linear_map.hpp"
#include "equations/reads/read_bound.hpp"

namespace xorloom {
namespace {

using Locations = std::vector<std::size_t>;

/// Whether the data survive the loss of any `count` of these domains; false if too many to try.
struct Trial {
  bool survives = true;
  bool is_known = true;
};

Trial try_losses(const Code& code, const std::vector<Locations>& domains, std::size_t count) {
  std::size_t tried = 0;
  Trial trial;
  Locations lost;
  const std::function<void(std::size_t, std::size_t)> add = [&](std::size_t from,
                                                                std::size_t left) {
    if (!trial.survives || !trial.is_known) return;
    if (left == 0) {
      if (++tried > kMostLossSets) trial.is_known = false;
      if (lost.size() > code.promised_losses && trial.is_known) {
        trial.survives = is_recoverable(code, lost);
      }
      return;
    }
    for (std::size_t i = from; i + left <= domains.size(); ++i) {
      const std::size_t before = lost.size();
      lost.insert(lost.end(), domains[i].begin(), domains[i].end());
      add(i + 1, left - 1);
      lost.resize(before);
    }
  };
  add(0, count);
  return trial;
}

SurvivedLosses survived(const Code& code, std::vector<Locations> domains) {
  std::erase_if(domains, [](const Locations& locations) { return locations.empty(); });
  std::ranges::sort(domains, std::greater<>(), &Locations::size);
  SurvivedLosses result;
  std::size_t most_lost = 0;  // the fullest domains lost
  for (const Locations& domain : domains) {
    most_lost += domain.size();
    if (most_lost > code.promised_losses) {
      if (is_proved_mds(code)) break;
      const Trial trial = try_losses(code, domains, result.losses + 1);
      result.is_exact = trial.is_known;
      if (!trial.survives || !trial.is_known) break;
    }
    ++result.losses;
  }
  return result;
}

}  // namespace

SurvivedLosses nodes_survived(const Code& code, const Topology& topology,
                              const std::vector<std::size_t>& placement) {
  std::vector<Locations> domains(topology.nodes.size());
  for (std::size_t l = 0; l < placement.size(); ++l) domains[placement[l]].push_back(l);
  return survived(code, std::move(domains));
}

SurvivedLosses racks_survived(const Code& code, const Topology& topology,
                              const std::vector<std::size_t>& placement) {
  std::vector<Locations> domains(topology.racks.size());
  for (std::size_t l = 0; l < placement.size(); ++l) {
    domains[topology.nodes[placement[l]].rack].push_back(l);
  }
  return survived(code, std::move(domains));
}

}  // namespace xorloom
