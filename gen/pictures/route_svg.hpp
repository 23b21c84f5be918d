#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "gen/pictures/drawing.hpp"

namespace xorloom {

/// Route of a repair over the nodes of some racks, as a picture shows it.
struct RoutePicture {
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  struct Node {
    std::string name;
    std::size_t rack = 0;
    std::size_t parent = kNone;  ///< the node that it sends to
    bool is_root = false;
    std::string content{};  ///< the locations that it holds
    std::string sends{};    ///< the amount that it sends, or what it rebuilds
  };
  std::string head;
  std::string note;
  std::vector<std::string> racks;
  std::vector<Node> nodes;
};

/// Most nodes and racks that are drawn.
inline constexpr std::size_t kMostDrawnNodes = 256;
inline constexpr std::size_t kMostDrawnRacks = 32;

/// Draws racks as boxes side by side, in rows of five, and nodes below each other in them. Racks
/// that send to the root's rack come first, then that rack, then racks that send nothing. A node is
/// above its parent if both are in one rack. A line to another rack leaves its rack at the right
/// and runs in a lane below the racks, unless that rack is the next box.
///
/// Errors: throws kInvalidArgument for more than kMostDrawnNodes nodes or kMostDrawnRacks racks.
Picture draw_route(const RoutePicture& route);

}  // namespace xorloom
