#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <tuple>

#include "xorloom/mpi.hpp"

namespace xorloom::mpi {
namespace {

int domain_of(const RepairSites& sites, int rank) {
  return (*sites.domains)[static_cast<std::size_t>(rank)];
}

}  // namespace

std::vector<int> star(const RepairSites& sites) {
  return std::vector<int>(sites.helpers.size(), sites.root);
}

std::vector<int> chain(const RepairSites& sites) {
  // By domain, that of the root last: sums cross from one domain to another as rarely as they can.
  std::vector<std::size_t> order(sites.helpers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const int home = domain_of(sites, sites.root);
  std::ranges::sort(order, {}, [&](std::size_t i) {
    const int domain = domain_of(sites, sites.helpers[i]);
    return std::tuple(domain == home, domain, sites.helpers[i]);
  });
  std::vector<int> parents(sites.helpers.size(), sites.root);
  for (std::size_t i = 0; i + 1 < order.size(); ++i)
    parents[order[i]] = sites.helpers[order[i + 1]];
  return parents;
}

std::vector<int> tree(const RepairSites& sites) {
  std::map<int, int> first_of;
  for (const int helper : sites.helpers) first_of.emplace(domain_of(sites, helper), helper);
  const int home = domain_of(sites, sites.root);
  std::vector<int> parents;
  for (const int helper : sites.helpers) {
    const int domain = domain_of(sites, helper);
    const int first = first_of[domain];
    parents.push_back(domain == home || helper == first ? sites.root : first);
  }
  return parents;
}

}  // namespace xorloom::mpi
