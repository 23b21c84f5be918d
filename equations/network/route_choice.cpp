#include "equations/network/route_choice.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "codes/bits.hpp"
#include "codes/families/families.hpp"
#include "codes/linear_map.hpp"
#include "codes/text/error.hpp"
#include "equations/reads/fewest_reads.hpp"
#include "equations/reads/read_bound.hpp"

namespace xorloom {
namespace {

using Locations = std::vector<std::size_t>;
using Nodes = std::vector<std::size_t>;

/// Most numbers of racks, and most minimum speeds, for which reads are chosen anew.
constexpr std::size_t kMostRackSets = 16;
constexpr std::size_t kMostSpeeds = 4;
constexpr std::size_t kMostLocationsTried = 256;  ///< larger codes: only one choice is tried

constexpr std::size_t kSlicesOfChunk = 256;
constexpr std::size_t kLeastSlice = std::size_t{32} << 10;
constexpr std::size_t kMostSlice = std::size_t{1} << 20;

std::vector<std::size_t> checked_placement(const Code& code, const Topology& topology) {
  if (topology.placement.empty()) return dealt_placement(topology, code.locations);
  if (topology.placement.size() != code.locations) {
    fail(Status::kInvalidArgument, "the placement names {} nodes, but {} has {} locations",
         topology.placement.size(), code.name(), code.locations);
  }
  for (const std::size_t node : topology.placement) {
    if (node >= topology.nodes.size()) {
      fail(Status::kInvalidArgument, "the placement names node {} of {} nodes", node,
           topology.nodes.size());
    }
  }
  return topology.placement;
}

/// The fastest empty node in the rack of location `lost`; its own node if there is none.
std::size_t default_root(const Topology& topology, const Locations& placement, std::size_t lost) {
  const std::size_t rack = topology.nodes[placement[lost]].rack;
  std::size_t best = placement[lost];
  double fastest = 0;
  for (std::size_t node = 0; node < topology.nodes.size(); ++node) {
    const Topology::Node& candidate = topology.nodes[node];
    if (candidate.rack != rack || candidate.link.down <= fastest) continue;
    if (std::ranges::find(placement, node) != placement.end()) continue;
    best = node;
    fastest = candidate.link.down;
  }
  return best;
}

std::size_t slice_of(const RouteRequest& request) {
  const std::size_t slice =
      request.slice_bytes != 0
          ? request.slice_bytes
          : std::clamp((request.chunk_bytes + kSlicesOfChunk - 1) / kSlicesOfChunk, kLeastSlice,
                       kMostSlice);
  return std::min(slice, request.chunk_bytes);
}

struct ShapedRoute {
  RepairRoute::Shape shape;
  std::vector<std::size_t> parents;
};

/// The nodes that read, without the root, by rack. Racks ascend by the speed of their uplinks
/// (down), with the root's rack last. Nodes of a rack ascend by the slower direction of their link.
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

/// Makes a chain: each node sends to the next, the last one to `end`.
void link_up(const Nodes& nodes, std::size_t end, Nodes& parents) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    parents[nodes[i]] = i + 1 < nodes.size() ? nodes[i + 1] : end;
  }
}

/// The routes to time for given reads, as parents by node:
///
///     star    every node that reads sends to the root
///     tree    in each rack but the root's, the fastest node is the head. The others of its rack
///             send to it, or form a chain that ends there; heads send to the root
///     chain   all nodes one after the other, rack by rack, the root's rack last. In a rack the
///             slowest node comes first, since it receives nothing from its rack
///
/// Source: Li, Li, Lee and Hu, Repair pipelining for erasure-coded storage, USENIX ATC 2017, for
///         the chain.
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

class Chooser {
 public:
  Chooser(const Topology& topology, RouteChoice& choice)
      : topology_(topology), choice_(choice), is_lost_(choice.cells.locations, false) {
    for (const std::size_t location : choice.lost) is_lost_[location] = true;
    for (const std::size_t location : choice.lost) {
      for (std::size_t i = 0; i < choice.cells.subchunks; ++i) {
        wanted_.push_back(static_cast<Cell>(location * choice.cells.subchunks + i));
      }
    }
    if (is_proved_mds(choice.cells)) {
      least_locations_ = choice.cells.locations - choice.cells.promised_losses;
    }
  }

  void choose() {
    try_reads({}, uniform_costs());  // throws if the lost cannot be rebuilt
    if (choice_.cells.locations > kMostLocationsTried) return;
    const std::vector<std::size_t> racks = racks_in_order();
    for (const double speed : speeds()) {
      for (std::size_t count = 1; count <= std::min(racks.size(), kMostRackSets); ++count) {
        std::vector<bool> is_used(topology_.racks.size(), false);
        for (std::size_t i = 0; i < count; ++i) is_used[racks[i]] = true;
        try_within(is_used, speed);
      }
      if (racks.size() > kMostRackSets) {
        try_within(std::vector<bool>(topology_.racks.size(), true), speed);
      }
    }
  }

 private:
  std::size_t rack_of(std::size_t location) const {
    return topology_.nodes[choice_.placement[location]].rack;
  }
  bool is_at_root(std::size_t location) const {
    return choice_.placement[location] == choice_.root;
  }

  /// Bytes per second at which a location sends to the new node if nothing else does.
  double speed_of(std::size_t location) const {
    const std::size_t node = choice_.placement[location];
    double speed = topology_.nodes[node].link.up;
    if (rack_of(location) != topology_.nodes[choice_.root].rack) {
      speed = std::min(speed, topology_.racks[rack_of(location)].uplink.up);
    }
    return speed;
  }

  /// Racks that hold surviving chunks: the new node's rack first, then by uplink, fastest first.
  std::vector<std::size_t> racks_in_order() const {
    std::vector<std::size_t> survivors(topology_.racks.size(), 0);
    for (std::size_t l = 0; l < is_lost_.size(); ++l) {
      if (!is_lost_[l]) ++survivors[rack_of(l)];
    }
    const std::size_t home = topology_.nodes[choice_.root].rack;
    std::vector<std::size_t> racks{home};
    for (std::size_t rack = 0; rack < survivors.size(); ++rack) {
      if (rack != home && survivors[rack] != 0) racks.push_back(rack);
    }
    std::stable_sort(racks.begin() + 1, racks.end(), [&](std::size_t a, std::size_t b) {
      const double first = topology_.racks[a].uplink.up;
      const double second = topology_.racks[b].uplink.up;
      return first != second ? first > second : survivors[a] > survivors[b];
    });
    return racks;
  }

  /// Minimum node speeds to try; the first excludes no node.
  std::vector<double> speeds() const {
    std::vector<double> all;
    for (std::size_t l = 0; l < is_lost_.size(); ++l) {
      if (!is_lost_[l]) all.push_back(topology_.nodes[choice_.placement[l]].link.up);
    }
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    if (all.size() > kMostSpeeds) all.resize(kMostSpeeds);
    return all;
  }

  void try_within(const std::vector<bool>& is_used, double least_speed) {
    Locations out_of_reach;
    for (std::size_t l = 0; l < is_lost_.size(); ++l) {
      if (is_lost_[l] || is_at_root(l)) continue;
      const bool is_fast = topology_.nodes[choice_.placement[l]].link.up >= least_speed;
      if (!is_used[rack_of(l)] || !is_fast) out_of_reach.push_back(l);
    }
    const std::size_t left = is_lost_.size() - choice_.lost.size() - out_of_reach.size();
    if (left < least_locations_) return;
    for (const auto& costs : {uniform_costs(), costs_by_speed(false), costs_by_speed(true)}) {
      if (!try_reads_if_any(out_of_reach, costs)) return;
    }
  }

  std::vector<std::uint64_t> uniform_costs() const {
    std::vector<std::uint64_t> costs(is_lost_.size(), 1);
    for (std::size_t l = 0; l < costs.size(); ++l) {
      if (is_at_root(l)) costs[l] = 0;
    }
    return costs;
  }

  /// By location: the time of a read, 100 for the fastest. With `spread`, the i-th location of a
  /// rack costs i times as much, so that a star loads the uplinks evenly.
  std::vector<std::uint64_t> costs_by_speed(bool spread) const {
    constexpr double kOfFastest = 100;
    double fastest = 0;
    for (std::size_t l = 0; l < is_lost_.size(); ++l) fastest = std::max(fastest, speed_of(l));
    std::vector<std::uint64_t> costs(is_lost_.size(), 0);
    std::vector<double> turn(topology_.racks.size(), 0);
    for (std::size_t l = 0; l < costs.size(); ++l) {
      if (is_lost_[l] || is_at_root(l)) continue;
      const double in_rack = spread ? ++turn[rack_of(l)] : 1;
      const double cost = kOfFastest * in_rack * fastest / speed_of(l);
      costs[l] = static_cast<std::uint64_t>(std::min(cost, static_cast<double>(kMostReadCost)));
    }
    return costs;
  }

  bool try_reads_if_any(const Locations& out_of_reach, const std::vector<std::uint64_t>& costs) {
    try {
      try_reads(out_of_reach, costs);
    } catch (const Error& error) {
      if (error.kind() != Status::kDamaged) throw;
      return false;
    }
    return true;
  }

  void try_reads(const Locations& out_of_reach, const std::vector<std::uint64_t>& costs) {
    ReadRequest request{.lost = choice_.lost, .wanted = wanted_, .costs = costs};
    request.lost.insert(request.lost.end(), out_of_reach.begin(), out_of_reach.end());
    Reads found = fewest_reads(choice_.cells, request);
    if (!tried_.insert(found.map.inputs).second) return;
    const auto reads = std::make_shared<const NodeReads>(
        node_reads(choice_.cells, std::move(found.map), topology_, choice_.placement,
                   static_cast<double>(choice_.chunk_bytes)));
    for (ShapedRoute& route : shaped_routes(topology_, *reads, choice_.root)) {
      RouteTime time = route_time(topology_, *reads, route.parents, choice_.root, choice_.slices);
      consider({route.shape, std::move(route.parents), reads, std::move(time)});
    }
  }

  void consider(TimedRoute route) {
    const auto known = std::ranges::find(choice_.routes, route.shape, &TimedRoute::shape);
    if (known == choice_.routes.end()) {
      choice_.routes.push_back(std::move(route));
    } else if (route.time.seconds < known->time.seconds) {
      *known = std::move(route);
    }
  }

  const Topology& topology_;
  RouteChoice& choice_;
  std::vector<bool> is_lost_;
  std::vector<Cell> wanted_;
  std::size_t least_locations_ = 0;
  std::set<std::vector<Cell>> tried_;
};

/// The most nodes that send to the same node.
std::size_t most_senders(const TimedRoute& route) {
  std::vector<std::size_t> senders(route.parents.size(), 0);
  for (std::size_t node = 0; node < route.parents.size(); ++node) {
    const std::size_t parent = route.parents[node];
    if (parent != kNoNode && parent != node) ++senders[parent];
  }
  return *std::ranges::max_element(senders);
}

/// Sorts by time. The model ignores what flows lose by sharing a link. So of routes about as fast
/// as the fastest, the one in which the fewest nodes send to the same node comes first.
void sort_routes(std::vector<TimedRoute>& routes) {
  const auto seconds = [](const TimedRoute& route) { return route.time.seconds; };
  std::ranges::stable_sort(routes, {}, seconds);
  const double about = routes.front().time.seconds * kAboutAsFast;
  const auto others = std::ranges::find_if(
      routes, [&](const TimedRoute& route) { return route.time.seconds > about; });
  std::stable_sort(routes.begin(), others, [](const TimedRoute& a, const TimedRoute& b) {
    return most_senders(a) < most_senders(b);
  });
}

}  // namespace

const char* shape_name(RepairRoute::Shape shape) {
  constexpr std::array kNames = {"star", "tree", "chain"};
  return kNames[static_cast<std::size_t>(shape)];
}

RouteChoice choose_routes(const Code& code, const Topology& topology, const RouteRequest& request) {
  check_topology(topology);
  if (topology.nodes.size() < 2) {
    fail(Status::kInvalidArgument, "the topology has 1 node, and a route needs 2");
  }
  if (request.erased.empty()) fail(Status::kInvalidArgument, "nothing is lost");
  if (request.chunk_bytes == 0) fail(Status::kInvalidArgument, "chunks of 0 bytes have no route");
  static_cast<void>(location_flags(code, request.erased, "lost"));
  RouteChoice choice;
  choice.placement = checked_placement(code, topology);
  choice.lost = request.erased;
  std::ranges::sort(choice.lost);
  choice.root = request.new_node != kNoNode
                    ? request.new_node
                    : default_root(topology, choice.placement, request.erased.front());
  if (choice.root >= topology.nodes.size()) {
    fail(Status::kInvalidArgument, "the new node {} is not one of 0 to {}", choice.root,
         topology.nodes.size() - 1);
  }
  choice.chunk_bytes = request.chunk_bytes;
  choice.slice_bytes = slice_of(request);
  choice.slices = (choice.chunk_bytes + choice.slice_bytes - 1) / choice.slice_bytes;
  choice.cells = readable(code);
  Chooser(topology, choice).choose();
  sort_routes(choice.routes);
  choice.least = least_time(choice.cells, topology, choice.placement, choice.lost, choice.root,
                            static_cast<double>(choice.chunk_bytes));
  return choice;
}

std::vector<RepairRoute> repair_routes(std::string_view spec, const Topology& topology,
                                       const RouteRequest& request) {
  const RouteChoice choice = choose_routes(make_code(spec), topology, request);
  std::vector<RepairRoute> routes;
  for (const TimedRoute& timed : choice.routes) {
    RepairRoute route;
    route.shape = timed.shape;
    route.root = choice.root;
    route.parents = timed.parents;
    for (std::size_t location = 0; location < choice.placement.size(); ++location) {
      const Locations& read = timed.reads->read[choice.placement[location]];
      if (std::ranges::binary_search(read, location)) route.read.push_back(location);
    }
    route.bytes_sent = timed.time.bytes_sent;
    route.sends_sums = timed.time.sends_sums;
    route.slices = choice.slices;
    route.seconds = timed.time.seconds;
    route.least_seconds = choice.least.seconds;
    route.slowest_link = link_name(topology, timed.time.slowest);
    routes.push_back(std::move(route));
  }
  return routes;
}

}  // namespace xorloom
