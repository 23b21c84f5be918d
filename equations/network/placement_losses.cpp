#include "equations/network/placement_losses.hpp"

#include <algorithm>
#include <functional>
#include <optional>

#include "codes/linear_map.hpp"
#include "codes/tolerance.hpp"
#include "equations/reads/read_bound.hpp"

namespace xorloom {
namespace {

using Locations = std::vector<std::size_t>;

/// True if the data survive the loss of any `count` of `domains`; nullopt if there are more than
/// kMostLossSets sets to try.
std::optional<bool> survives_any(const Code& code, const std::vector<Locations>& domains,
                                 std::size_t count) {
  std::size_t tried = 0;
  Locations chosen = first_combination(count);
  do {
    if (++tried > kMostLossSets) return std::nullopt;
    Locations lost;
    for (const std::size_t i : chosen) {
      lost.insert(lost.end(), domains[i].begin(), domains[i].end());
    }
    if (lost.size() > code.promised_losses && !is_recoverable(code, lost)) return false;
  } while (next_combination(chosen, domains.size()));
  return true;
}

/// Number of domains that can be lost. Shape: domain_of(node) is below num_domains.
template <typename DomainOf>
SurvivedLosses survived(const Code& code, const Locations& placement, std::size_t num_domains,
                        const DomainOf& domain_of) {
  std::vector<Locations> domains(num_domains);
  for (std::size_t l = 0; l < placement.size(); ++l) domains[domain_of(placement[l])].push_back(l);
  std::erase_if(domains, [](const Locations& locations) { return locations.empty(); });
  std::ranges::sort(domains, std::greater<>(), &Locations::size);
  SurvivedLosses result;
  std::size_t most_lost = 0;  // locations of the fullest domains
  for (const Locations& domain : domains) {
    most_lost += domain.size();
    if (most_lost > code.promised_losses) {
      if (is_proved_mds(code)) break;
      const std::optional<bool> survives = survives_any(code, domains, result.losses + 1);
      result.is_exact = survives.has_value();
      if (!survives.value_or(false)) break;
    }
    ++result.losses;
  }
  return result;
}

}  // namespace

SurvivedLosses nodes_survived(const Code& code, const Topology& topology,
                              const std::vector<std::size_t>& placement) {
  return survived(code, placement, topology.nodes.size(), [](std::size_t node) { return node; });
}

SurvivedLosses racks_survived(const Code& code, const Topology& topology,
                              const std::vector<std::size_t>& placement) {
  return survived(code, placement, topology.racks.size(),
                  [&](std::size_t node) { return topology.nodes[node].rack; });
}

}  // namespace xorloom
