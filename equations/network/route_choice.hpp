#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "codes/code.hpp"
#include "equations/network/route_time.hpp"
#include "equations/network/topology.hpp"

namespace xorloom {

/// A route, what it reads, and its time.
struct TimedRoute {
  RepairRoute::Shape shape = RepairRoute::Shape::kStar;
  std::vector<std::size_t> parents;        ///< by node, see RepairRoute
  std::shared_ptr<const NodeReads> reads;  ///< shared by several routes
  RouteTime time;
};

/// The best route of each shape, and what the routes have in common.
struct RouteChoice {
  Code cells;  ///< the code with its units of reading as cells (readable)
  std::vector<std::size_t> placement;
  std::vector<std::size_t> lost;  ///< ascending
  std::size_t root = 0;
  std::size_t chunk_bytes = 0;
  std::size_t slice_bytes = 0;
  std::size_t slices = 1;
  /// Fastest first. Of routes about as fast as the fastest, first the one in which the fewest nodes
  /// send to the same node.
  std::vector<TimedRoute> routes;
  LeastTime least;
};

/// A route is about as fast as the fastest if its time is at most this factor times the fastest
/// time.
inline constexpr double kAboutAsFast = 1.01;

/// "star", "tree", "chain".
const char* shape_name(RepairRoute::Shape shape);

/// Returns the best routes of a repair; see repair_routes.
///
/// Tries different reads: from all survivors, only from fast nodes, and only from the racks with
/// the fastest uplinks; each with equal costs of reads, costs by link speed, and costs that spread
/// reads over racks. For each, times a star, trees and a chain by route_time.
///
/// Errors: as repair_routes, except those of the spec.
RouteChoice choose_routes(const Code& code, const Topology& topology, const RouteRequest& request);

}  // namespace xorloom
