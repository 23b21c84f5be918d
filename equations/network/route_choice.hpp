#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "codes/code.hpp"
#include "equations/network/route_time.hpp"
#include "equations/network/topology.hpp"

namespace xorloom {

/// A route with what it reads and sends.
struct TimedRoute {
  RepairRoute::Shape shape = RepairRoute::Shape::kStar;
  std::vector<std::size_t> parents;        ///< by node, see RepairRoute
  std::shared_ptr<const NodeReads> reads;  ///< several routes share it
  RouteTime time;
};

/// The best route of each shape, and what they have in common.
struct RouteChoice {
  Code cells;  ///< the code by what can be read apart
  std::vector<std::size_t> placement;
  std::vector<std::size_t> lost;  ///< ascending
  std::size_t root = 0;
  std::size_t chunk_bytes = 0;
  std::size_t slice_bytes = 0;
  std::size_t slices = 1;
  /// The fastest first. Of those that are about as fast as that, the one where the fewest nodes
  /// send to one node comes first.
  std::vector<TimedRoute> routes;
  LeastTime least;
};

/// Routes that take at most this many times as long as the fastest are about as fast.
inline constexpr double kAboutAsFast = 1.01;

/// "star", "tree", "chain".
const char* shape_name(RepairRoute::Shape shape);

/// See repair_routes.
///
/// It tries the code's freedom of what to read: all survivors, only fast nodes, and only the racks
/// with the fastest uplinks, each with all reads costing the same, by the speed of links, and
/// spread over racks. For each it times a star, trees and a chain, by route_time.
///
/// Errors: as repair_routes, but for the spec.
RouteChoice choose_routes(const Code& code, const Topology& topology, const RouteRequest& request);

}  // namespace xorloom
