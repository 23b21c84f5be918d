#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"
#include "equations/network/topology.hpp"

namespace xorloom {

/// The reads of each node, and the outputs that they contribute to.
struct NodeReads {
  LinearMap map;                               ///< inputs: cells read; outputs: cells rebuilt
  std::vector<std::vector<std::size_t>> read;  ///< by node: locations read, ascending
  std::vector<std::size_t> cells;              ///< by node: number of cells read
  std::vector<std::vector<bool>> has_part;     ///< by node and output of the map: it contributes
  double cell_bytes = 0;
};

/// Shape: `map` is one of the code; placement has a node per location.
NodeReads node_reads(const Code& cells, LinearMap map, const Topology& topology,
                     const std::vector<std::size_t>& placement, double chunk_bytes);

/// The bytes that a route sends, and its time.
struct RouteTime {
  std::vector<double> bytes_sent;  ///< by node: bytes sent to its parent
  std::vector<bool> sends_sums;    ///< by node; false: it passes on all cells that it has
  std::vector<double> link_bytes;  ///< by link
  LinkNumber slowest = 0;          ///< link that takes the longest
  double seconds = 0;
};

/// The time of a route by a fluid model.
///
/// Every link transfers all slices one after the other, in parallel with all other links. So the
/// slowest link takes bytes / bandwidth. The first slice also has to get from the farthest node to
/// the root:
///
///     seconds = (slices - 1) · t(slowest link)
///             + max, over all paths from a node to the root, of the sum of t(hop) + latency
///
/// with t(link) the time of a link for one slice, and t(hop) the longest t(link) of the hop's
/// links.
///
/// Shape:  parents by node; kNoNode: the node takes no part; the root is its own parent. Every node
///         that reads takes part.
/// Errors: throws kInvalidArgument if the parents are not a tree with root `root`.
RouteTime route_time(const Topology& topology, const NodeReads& reads,
                     const std::vector<std::size_t>& parents, std::size_t root, std::size_t slices);

/// Lower bound of the time of any route, and the link that gives it.
struct LeastTime {
  double seconds = 0;
  LinkNumber link = 0;
};

/// Returns the cut-set bound of a repair's time: the largest quotient of the bytes that must
/// cross a link and its bandwidth, plus one latency.
///
/// What must cross a link is the information about the lost chunks that the chunks on its near side
/// (that of the new node) lack, whatever is read and however it is added up. The links are those
/// into the new node, into its rack, out of each other node and out of each other rack. If that
/// takes too much to compute, and the code is not proved to be MDS, the link is left out, which
/// keeps the bound valid.
///
/// Shape:  the lost locations can be rebuilt; placement has a node per location.
/// Source: the cut-set bound; Dimakis et al., Network coding for distributed storage systems, IEEE
///         Trans. IT 2010.
LeastTime least_time(const Code& cells, const Topology& topology,
                     const std::vector<std::size_t>& placement, std::span<const std::size_t> lost,
                     std::size_t root, double chunk_bytes);

/// Number of cells' worth of information about `lost` that the locations `known` lack: 0 if they
/// suffice to rebuild them, or if it takes too much to compute.
std::size_t cells_left_open(const Code& cells, std::span<const std::size_t> lost,
                            std::span<const std::size_t> known);

}  // namespace xorloom
