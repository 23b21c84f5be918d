#pragma once

#include <string>

#include "gen/pictures/drawing.hpp"
#include "gen/pictures/element_groups.hpp"

namespace xorloom {

// What pictures of graphs share: lines from left to right between nodes, and the locations at both
// ends. Units: pixels.

/// Room for the names of locations beside inputs, and as much beside outputs.
inline constexpr int kLocationNames = 84;

/// A line from one place to another, as a part of a path.
std::string tie(int from_x, int from_y, int to_x, int to_y);

/// A line along the elements of a location, with its name on the left of it or on the right.
void draw_location(const ElementGroup& group, int x, int from, int to, bool is_left,
                   Drawing& drawing);

/// A graph that ends there, with its head above and its note below.
Picture graph_picture(int right, int bottom, const std::string& head, const std::string& note,
                      const std::string& hint, bool has_stops, const Drawing& drawing);

}  // namespace xorloom
