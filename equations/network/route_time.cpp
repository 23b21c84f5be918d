#include "equations/network/route_time.hpp"

#include <algorithm>
#include <utility>

#include "codes/text/error.hpp"
#include "equations/reads/read_bound.hpp"

namespace xorloom {
namespace {

/// The nodes that take part, each before its parent.
std::vector<std::size_t> leaves_first(const Topology& topology,
                                      const std::vector<std::size_t>& parents, std::size_t root) {
  const std::size_t nodes = parents.size();
  if (nodes != topology.nodes.size() || root >= nodes || parents[root] != root) {
    fail(Status::kInvalidArgument, "the parents are not one per node with the new node as root");
  }
  std::vector<std::size_t> open_children(nodes, 0);
  std::size_t taking_part = 0;
  for (std::size_t node = 0; node < nodes; ++node) {
    if (parents[node] == kNoNode) continue;
    ++taking_part;
    if (parents[node] >= nodes || parents[parents[node]] == kNoNode) {
      fail(Status::kInvalidArgument, "the parent of node {} takes no part in the route", node);
    }
    if (node != root) ++open_children[parents[node]];
  }
  std::vector<std::size_t> order;
  for (std::size_t node = 0; node < nodes; ++node) {
    if (parents[node] != kNoNode && open_children[node] == 0) order.push_back(node);
  }
  for (std::size_t next = 0; next < order.size(); ++next) {
    if (order[next] == root) continue;
    const std::size_t parent = parents[order[next]];
    if (--open_children[parent] == 0) order.push_back(parent);
  }
  if (order.size() != taking_part) {
    fail(Status::kInvalidArgument, "the parents of a route form a circle");
  }
  return order;
}

/// Most field operations of a rank: some tenths of a second.
constexpr std::size_t kMostRankWork = std::size_t{1} << 26;

std::size_t rank_of(const Code& cells, const Matrix& rows, std::span<const std::size_t> locations) {
  Matrix chosen(locations.size() * cells.subchunks, rows.columns());
  std::size_t next = 0;
  for (const std::size_t location : locations) {
    for (std::size_t i = 0; i < cells.subchunks; ++i) {
      std::ranges::copy(rows.row(location * cells.subchunks + i), chosen.row(next++).begin());
    }
  }
  return rank(cells.field, std::move(chosen));
}

}  // namespace

NodeReads node_reads(const Code& cells, LinearMap map, const Topology& topology,
                     const std::vector<std::size_t>& placement, double chunk_bytes) {
  const std::size_t nodes = topology.nodes.size();
  NodeReads reads;
  reads.read.resize(nodes);
  reads.cells.resize(nodes, 0);
  reads.has_part.assign(nodes, std::vector<bool>(map.outputs.size(), false));
  reads.cell_bytes = chunk_bytes / static_cast<double>(cells.subchunks);
  for (std::size_t i = 0; i < map.inputs.size(); ++i) {
    const std::size_t location = cells.location_of_cell(map.inputs[i]);
    const std::size_t node = placement[location];
    std::vector<std::size_t>& read = reads.read[node];
    if (read.empty() || read.back() != location) read.push_back(location);
    ++reads.cells[node];
    for (std::size_t o = 0; o < map.outputs.size(); ++o) {
      if (map.coefficients(o, i) != 0) reads.has_part[node][o] = true;
    }
  }
  reads.map = std::move(map);
  return reads;
}

RouteTime route_time(const Topology& topology, const NodeReads& reads,
                     const std::vector<std::size_t>& parents, std::size_t root,
                     std::size_t slices) {
  const std::size_t nodes = topology.nodes.size();
  const std::vector<std::size_t> order = leaves_first(topology, parents, root);
  RouteTime time;
  time.bytes_sent.assign(nodes, 0);
  time.sends_sums.assign(nodes, false);
  time.link_bytes.assign(num_links(topology), 0);
  std::vector<std::size_t> held = reads.cells;  // cells read, plus cells that children send
  std::vector<std::vector<bool>> parts = reads.has_part;
  for (const std::size_t node : order) {
    if (node == root) continue;
    const std::size_t parent = parents[node];
    const auto sums = static_cast<std::size_t>(std::ranges::count(parts[node], true));
    time.sends_sums[node] = sums < held[node];
    const std::size_t sent = std::min(sums, held[node]);
    time.bytes_sent[node] = static_cast<double>(sent) * reads.cell_bytes;
    held[parent] += sent;
    for (std::size_t o = 0; o < parts[node].size(); ++o) {
      if (parts[node][o]) parts[parent][o] = true;
    }
    for (const LinkNumber link : links_between(topology, node, parent)) {
      time.link_bytes[link] += time.bytes_sent[node];
    }
  }

  std::vector<double> seconds(time.link_bytes.size(), 0);
  for (LinkNumber link = 0; link < seconds.size(); ++link) {
    if (time.link_bytes[link] > 0) {
      seconds[link] = time.link_bytes[link] / bandwidth(topology, link);
    }
  }
  time.slowest = static_cast<LinkNumber>(std::ranges::max_element(seconds) - seconds.begin());
  const auto num_slices = static_cast<double>(slices);
  std::vector<double> arrival(nodes, 0);  // by node: seconds until its first slice
  for (const std::size_t node : order) {
    if (node == root) continue;
    double hop = 0;
    for (const LinkNumber link : links_between(topology, node, parents[node])) {
      hop = std::max(hop, seconds[link]);
    }
    double& at_parent = arrival[parents[node]];
    at_parent = std::max(at_parent, arrival[node] + hop / num_slices + topology.latency_seconds);
  }
  time.seconds = seconds[time.slowest] * (num_slices - 1) / num_slices + arrival[root];
  return time;
}

std::size_t cells_left_open(const Code& cells, std::span<const std::size_t> lost,
                            std::span<const std::size_t> known) {
  if (is_proved_mds(cells)) {
    // Any k chunks hold all of the data, and fewer contain no information about another one.
    const std::size_t k = cells.data.size() / cells.subchunks;
    return known.size() >= k ? 0 : std::min(lost.size(), k - known.size()) * cells.subchunks;
  }
  const std::size_t rows = (lost.size() + known.size()) * cells.subchunks;
  if (rows * rows > kMostRankWork / std::max<std::size_t>(1, cells.data.size())) return 0;
  std::vector<std::size_t> both(known.begin(), known.end());
  both.insert(both.end(), lost.begin(), lost.end());
  const Matrix contents = generator(cells);
  return rank_of(cells, contents, both) - rank_of(cells, contents, known);
}

LeastTime least_time(const Code& cells, const Topology& topology,
                     const std::vector<std::size_t>& placement, std::span<const std::size_t> lost,
                     std::size_t root, double chunk_bytes) {
  const double cell_bytes = chunk_bytes / static_cast<double>(cells.subchunks);
  const std::size_t home = topology.nodes[root].rack;
  LeastTime least{0, node_down(root)};
  /// is_near(node): true if the node is on the new node's side of `link`.
  const auto consider = [&](LinkNumber link, const auto& is_near) {
    std::vector<std::size_t> known;
    for (std::size_t location = 0; location < cells.locations; ++location) {
      if (std::ranges::find(lost, location) != lost.end()) continue;
      if (is_near(placement[location])) known.push_back(location);
    }
    const auto open = static_cast<double>(cells_left_open(cells, lost, known));
    const double seconds = open * cell_bytes / bandwidth(topology, link);
    if (open > 0 && seconds > least.seconds) least = {seconds, link};
  };
  const auto rack_of = [&](std::size_t node) { return topology.nodes[node].rack; };
  consider(node_down(root), [&](std::size_t node) { return node == root; });
  if (topology.racks.size() > 1) {
    consider(rack_down(topology, home), [&](std::size_t node) { return rack_of(node) == home; });
  }
  std::vector<std::size_t> nodes = placement;
  std::ranges::sort(nodes);
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  std::vector<bool> is_seen(topology.racks.size(), false);
  for (const std::size_t far : nodes) {
    if (far == root) continue;
    consider(node_up(far), [&](std::size_t node) { return node != far; });
    const std::size_t rack = rack_of(far);
    if (rack == home || is_seen[rack]) continue;
    is_seen[rack] = true;
    consider(rack_up(topology, rack), [&](std::size_t node) { return rack_of(node) != rack; });
  }
  if (least.seconds > 0) least.seconds += topology.latency_seconds;
  return least;
}

}  // namespace xorloom
