#include "equations/network/route_shapes.hpp"

#include <algorithm>
#include <utility>

namespace xorloom {
namespace {

using Nodes = std::vector<std::size_t>;

/// The nodes that read, but for the root, by rack: that of the root last, before it racks whose
/// uplinks receive faster. Within a rack, those that receive faster come later.
std::vector<Nodes> helpers_by_rack(const Topology& topology, const NodeReads& reads,
                                   std::size_t root) {
  const std::size_t home = topology.nodes[root].rack;
  std::vector<Nodes> racks(topology.racks.size());
  for (std::size_t node = 0; node < topology.nodes.size(); ++node) {
    if (node != root && reads.cells[node] != 0) racks[topology.nodes[node].rack].push_back(node);
  }
  for (Nodes& nodes : racks) {
    std::ranges::stable_sort(nodes, {}, [&](std::size_t node) {
      return std::min(topology.nodes[node].link.down, topology.nodes[node].link.up);
    });
  }
  Nodes order;
  for (std::size_t rack = 0; rack < racks.size(); ++rack) {
    if (rack != home) order.push_back(rack);
  }
  std::ranges::stable_sort(order, {},
                           [&](std::size_t rack) { return topology.racks[rack].uplink.down; });
  order.push_back(home);
  std::vector<Nodes> result;
  for (const std::size_t rack : order) {
    if (!racks[rack].empty()) result.push_back(std::move(racks[rack]));
  }
  return result;
}

/// Each sends to the next, and the last to where they end.
void link_up(const Nodes& nodes, std::size_t end, Nodes& parents) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    parents[nodes[i]] = i + 1 < nodes.size() ? nodes[i + 1] : end;
  }
}

}  // namespace

std::vector<ShapedRoute> shaped_routes(const Topology& topology, const NodeReads& reads,
                                       std::size_t root) {
  Nodes start(topology.nodes.size(), kNoNode);
  start[root] = root;
  Nodes star = start;
  Nodes tree = start;
  Nodes tree_of_chains = start;
  Nodes chain;
  for (const Nodes& nodes : helpers_by_rack(topology, reads, root)) {
    const bool is_home = topology.nodes[nodes.front()].rack == topology.nodes[root].rack;
    const std::size_t head = is_home ? root : nodes.back();
    for (const std::size_t node : nodes) {
      star[node] = root;
      tree[node] = node == head ? root : head;
    }
    link_up(nodes, root, tree_of_chains);
    chain.insert(chain.end(), nodes.begin(), nodes.end());
  }
  Nodes in_chain = start;
  link_up(chain, root, in_chain);
  using Shape = RepairRoute::Shape;
  return {{Shape::kStar, std::move(star)},
          {Shape::kTree, std::move(tree)},
          {Shape::kTree, std::move(tree_of_chains)},
          {Shape::kChain, std::move(in_chain)}};
}

}  // namespace xorloom
