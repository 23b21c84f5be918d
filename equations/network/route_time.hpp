#pragma once

#include <cstddef>
#include <vector>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"
#include "equations/network/topology.hpp"

namespace xorloom {

/// What each node has of what is to be rebuilt.
struct NodeReads {
  LinearMap map;                               ///< what is rebuilt from what is read
  std::vector<std::vector<std::size_t>> read;  ///< by node, the locations read, ascending
  std::vector<std::size_t> cells;              ///< by node, the cells read
  std::vector<std::vector<bool>> has_part;     ///< by node, by output of the map
  double cell_bytes = 0;
};

/// Shape: a map of the code; placement has a node per location.
NodeReads node_reads(const Code& cells, LinearMap map, const Topology& topology,
                     const std::vector<std::size_t>& placement, double chunk_bytes);

/// What a route sends, and how long that takes.
struct RouteTime {
  std::vector<double> bytes_sent;  ///< by node, to its parent
  std::vector<bool> sends_sums;    ///< by node; else it passes on all that it has
  std::vector<double> link_bytes;  ///< by link
  LinkNumber slowest = 0;          ///< the link that takes the longest
  double seconds = 0;
};

/// The time of a route by a fluid model.
///
/// Every link is busy with all slices one after the other, at the same time as all other links. So
/// the slowest link takes bytes / bandwidth. The first slice also has to get from the farthest node
/// to the root:
///
///     seconds = (slices - 1) · t(slowest link)
///             + the most, over all ways from a node to the root, of the sum of t(hop) + latency
///
/// where t(link) is the time of a link's bytes of one slice, and t(hop) the longest of the links of
/// the hop.
///
/// Shape:  parents by node, kNoNode where a node takes no part; the root is its own parent. Every
///         node that reads something takes part.
/// Errors: throws kInvalidArgument if the parents are no tree with that root.
RouteTime route_time(const Topology& topology, const NodeReads& reads,
                     const std::vector<std::size_t>& parents, std::size_t root, std::size_t slices);

}  // namespace xorloom
