#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "gen/pictures/drawing.hpp"

namespace xorloom {

/// A repair's route over the nodes of some racks, as a picture shows it.
struct RoutePicture {
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  struct Node {
    std::string name;
    std::size_t rack = 0;
    std::size_t parent = kNone;  ///< the node that it sends to
    bool is_root = false;
    std::string content{};  ///< the locations that it holds
    std::string sends{};    ///< how much, or what it rebuilds
  };
  std::string head;
  std::string note;
  std::vector<std::string> racks;
  std::vector<Node> nodes;
};

/// The most nodes and racks that are drawn.
inline constexpr std::size_t kMostDrawnNodes = 256;
inline constexpr std::size_t kMostDrawnRacks = 32;

/// Draws racks as boxes side by side, in rows of five, and nodes below each other in them. The rack
/// of the root follows those that send to it, and is followed by those that send nothing. A
/// node stands above its parent where both are in one rack. What goes to another rack runs right of
/// its rack, then in a lane below the racks, unless that is the next box.
///
/// Errors: throws kInvalidArgument for more nodes or racks than that.
Picture draw_route(const RoutePicture& route);

}  // namespace xorloom
