#pragma once

#include <cstddef>
#include <vector>

#include "equations/network/route_time.hpp"
#include "equations/network/topology.hpp"

namespace xorloom {

struct ShapedRoute {
  RepairRoute::Shape shape;
  std::vector<std::size_t> parents;
};

/// The routes worth timing for what is read, as parents by node:
///
///     star    every node that reads sends to the root
///     tree    in each other rack the fastest node is the head. The others of its rack send to it,
///             or form a chain that ends there; heads send to the root
///     chain   all nodes one after the other, rack by rack, that of the root last. In a rack the
///             node that receives slowest comes first, since the first one receives nothing from
///             its rack
///
/// Source: Li, Li, Lee and Hu, Repair pipelining for erasure-coded storage, USENIX ATC 2017, for
/// the         chain.
std::vector<ShapedRoute> shaped_routes(const Topology& topology, const NodeReads& reads,
                                       std::size_t root);

}  // namespace xorloom
