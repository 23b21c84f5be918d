#pragma once

#include <cstddef>
#include <span>
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

/// A time that no route beats, and the link that says so.
struct LeastTime {
  double seconds = 0;
  LinkNumber link = 0;
};

/// The lower bound of a repair's time: what has to cross a link, over its bandwidth, for the link
/// where that is the most, and one latency.
///
/// What has to cross is what the chunks on the far side tell of the lost ones beyond those on the
/// near side: into the new node, into its rack, out of each other node and out of each other rack.
/// Whatever is read and however it is added up, that much is sent there. Where codes are too large
/// to compute this, and not proved to be MDS, the link is left out, which keeps it a lower bound.
///
/// Shape:  the lost locations can be rebuilt; placement has a node per location.
/// Source: the cut-set bound; Dimakis et al., Network coding for distributed storage systems, IEEE
///         Trans. IT 2010.
LeastTime least_time(const Code& cells, const Topology& topology,
                     const std::vector<std::size_t>& placement, std::span<const std::size_t> lost,
                     std::size_t root, double chunk_bytes);

/// How many cells of the lost locations the known ones leave open: 0 if these suffice to rebuild
/// them. If that is too much to compute, 0 too.
std::size_t cells_left_open(const Code& cells, std::span<const std::size_t> lost,
                            std::span<const std::size_t> known);

}  // namespace xorloom
