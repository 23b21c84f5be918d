#pragma once

// Repairs on a topology: which nodes send what to whom so that lost chunks are back soonest.
//
//   xorloom::Topology topology = xorloom::read_topology(text);
//   auto routes = xorloom::repair_routes("rs:k=10,m=4", topology, {.erased = {2}});
//   routes.front().parents;  // by node: where it sends its sum

#include "xorloom/xorloom.hpp"

#if defined(__cplusplus) && __cplusplus >= 202002L  // else xorloom.hpp has said what it needs

#include <limits>

namespace xorloom {

/// Nodes in racks, or in other failure domains. Traffic between two nodes of a rack takes the link
/// of each of them. Traffic between racks also takes the uplinks of both racks:
///
///     node --up--> rack --up--> (core) --down--> rack --down--> node
///
/// All links are full duplex: what is sent does not slow down what is received.
struct Topology {
  /// Bytes per second in each direction.
  struct Link {
    double up = 0;
    double down = 0;
  };
  struct Rack {
    std::string name;
    Link uplink;
  };
  struct Node {
    std::string name;
    std::size_t rack;  ///< index into racks
    Link link;
  };
  std::vector<Rack> racks;
  std::vector<Node> nodes;
  double latency_seconds = 0;  ///< from any node to any other
  /// By location, the node that holds its chunk. If it is empty, locations are dealt to the nodes:
  /// see dealt_placement.
  std::vector<std::size_t> placement;
};

/// Reads a topology from JSON; docs/many-nodes.md describes the format.
///
/// Errors: throws Error, kParse, for text that is no topology, for links of 0 bytes per second, for
///         names that are unknown or given twice, and if a rack has no uplink to the others.
XORLOOM_API Topology read_topology(std::string_view json);

/// A placement that deals locations to the racks in turn, and in each rack to its nodes in turn. If
/// there are fewer nodes than locations, nodes get several.
///
/// Errors: throws Error, kInvalidArgument, if there are no nodes.
XORLOOM_API std::vector<std::size_t> dealt_placement(const Topology& topology,
                                                     std::size_t locations);

/// Marks a node that takes no part in a route, and a location without a choice.
inline constexpr std::size_t kNoNode = std::numeric_limits<std::size_t>::max();

struct RouteRequest {
  std::vector<std::size_t> erased;     ///< the lost locations; all of them are rebuilt
  std::size_t new_node = kNoNode;      ///< node that rebuilds them; kNoNode: see repair_routes
  std::size_t chunk_bytes = 64 << 20;  ///< bytes of each chunk
  std::size_t slice_bytes = 0;         ///< sent at a time; 0: 1/256 chunk, but 32 KiB to 1 MiB
};

/// One way to rebuild: a tree of nodes whose root is the new node. A node joins what its children
/// send with what it reads, and sends that to its parent, slice by slice. It sends the smaller of
/// two: all that it has been sent and has read, or its sums, one per unit that is to be rebuilt.
struct RepairRoute {
  enum class Shape {
    kStar,   ///< every node sends to the new node
    kTree,   ///< a head per rack adds up its rack
    kChain,  ///< every node sends to the next: repair pipelining
  };
  Shape shape = Shape::kStar;
  std::size_t root = 0;              ///< the new node
  std::vector<std::size_t> parents;  ///< by node; kNoNode: takes no part; the root is its own
  std::vector<std::size_t> read;     ///< the locations that are read, ascending
  std::vector<double> bytes_sent;    ///< by node, to its parent
  std::vector<bool> sends_sums;      ///< by node; else it passes on what it has
  std::size_t slices = 1;
  double seconds = 0;        ///< predicted
  double least_seconds = 0;  ///< no route of any shape is faster on these links
  std::string slowest_link;  ///< the link that limits it, such as "uplink of rack b"
};

/// The fastest route found of each shape, the fastest of all first. Among routes within 1 % of the
/// fastest, the one with the fewest senders to a single node comes first.
///
/// For each shape it tries what the code may read: any k chunks of Reed-Solomon, local groups,
/// parts of chunks. If the new node is not given, it is a node of the rack of the first lost
/// location that holds no chunk; if there is none, the node of that location.
///
/// To run a route, pass the locations that are neither lost nor read as erased, too, and want only
/// the lost ones: then Codec::repair and Codec::split read what the route reads.
///
/// Errors: throws Error: kInvalidArgument if a placement or a location does not fit the code or the
///         topology; kDamaged if the lost locations cannot be rebuilt; and what Codec throws for
///         the spec.
XORLOOM_API std::vector<RepairRoute> repair_routes(std::string_view spec, const Topology& topology,
                                                   const RouteRequest& request);

}  // namespace xorloom

#endif  // C++20
