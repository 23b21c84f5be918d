#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "xorloom/repair_route.hpp"

namespace xorloom {

/// Bytes per second of a text such as "1 Gbit/s", "125 MB/s" or "119 MiB/s".
///
/// Errors: throws kParse for another text.
double bandwidth_of(std::string_view text);

/// The index of the node named `name`, or kNoNode.
std::size_t node_named(const Topology& topology, std::string_view name);

/// A link of a topology, in one direction.
///
///     2·node, 2·node + 1              up and down of a node
///     2·(nodes + rack), … + 1         up and down of a rack's uplink
using LinkNumber = std::size_t;

inline LinkNumber node_up(std::size_t node) { return 2 * node; }
inline LinkNumber node_down(std::size_t node) { return 2 * node + 1; }
inline LinkNumber rack_up(const Topology& topology, std::size_t rack) {
  return 2 * (topology.nodes.size() + rack);
}
inline LinkNumber rack_down(const Topology& topology, std::size_t rack) {
  return rack_up(topology, rack) + 1;
}
inline std::size_t num_links(const Topology& topology) {
  return 2 * (topology.nodes.size() + topology.racks.size());
}

/// Bytes per second of a link; may be 0 for the uplink of an only rack.
double bandwidth(const Topology& topology, LinkNumber link);

/// "link of a1, sending", "uplink of rack a, receiving".
std::string link_name(const Topology& topology, LinkNumber link);

/// The links on the way from one node to another, in order.
std::vector<LinkNumber> links_between(const Topology& topology, std::size_t from, std::size_t to);

/// Errors: throws kInvalidArgument for a topology that read_topology would not return: without
///         nodes, with links of 0 bytes per second, or with nodes in racks that are not there.
void check_topology(const Topology& topology);

}  // namespace xorloom
