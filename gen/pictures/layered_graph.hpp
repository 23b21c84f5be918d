#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "equations/ir/program.hpp"
#include "gen/pictures/drawing.hpp"

namespace xorloom {

/// Places of the elements of a program in a picture of its equations: in columns, each element as
/// near to its ties as the others of its column permit.
struct GraphLayout {
  std::size_t num_columns = 1;
  std::size_t most_in_a_column = 0;
  double height = 0;                ///< places are from 0 to `height` - 1
  std::vector<std::size_t> column;  ///< by element: its column
  std::vector<double> place;        ///< by element; at least 1 apart within a column
};

/// Lays out the elements of a program. Inputs are in column 0 in their order, with a gap between
/// locations. Outputs that no equation reads are in the last column, likewise. Other targets are in
/// the column after the last one of their operands, ordered so that few lines cross: by the mean
/// place of their ties, in several sweeps from left to right and back.
///
/// A target for which `least` has a column is in this column, or further right if it has to be.
///
/// Shape: least is by element, or empty.
/// Cost:  O(operands).
GraphLayout graph_layout(const Program& program, std::span<const std::size_t> least = {});

/// Sizes of the nodes of a graph, in pixels.
struct NodeSizes {
  int width, height;
  int pitch;  ///< distance between nodes of a column
  int column_gap;
  int top;  ///< top of the columns
};

/// A program as a graph in a picture: nodes at the places of a layout, lines from left to right
/// between them, and the names of locations at both ends. Units: pixels.
class LayeredGraph {
 public:
  /// Keeps a reference to the program. Precondition: the program outlives the graph.
  LayeredGraph(const Program& program, GraphLayout layout, const NodeSizes& sizes)
      : program_(program), layout_(std::move(layout)), sizes_(sizes) {}

  const NodeSizes& sizes() const { return sizes_; }

  int left_of(std::size_t column) const;
  int left(Element element) const { return left_of(layout_.column[element]); }
  /// Middle of a node's height.
  int middle(Element element) const;
  int bottom() const;

  /// Draws lines along the elements of each location at both ends, with its name.
  void draw_locations(Drawing& drawing) const;

  std::string box(std::string_view styles, Element element, int round) const;
  std::string label(std::string_view classes, Element element, const std::string& name) const;

  /// A line from `from_x` at the height of `from` to the left end of `to`, as a part of a path.
  std::string tie(int from_x, Element from, Element to) const;

  /// The equations by their columns, from the right: lines to a node pass under the nodes left of
  /// it.
  std::vector<const Equation*> from_the_right() const;

  /// Picture of `drawing`, with its head above and its note below.
  Picture picture(const Drawing& drawing, const std::string& head, const std::string& note,
                  const std::string& hint) const;

 private:
  void draw_locations(std::span<const Element> elements, bool is_left, Drawing& drawing) const;

  const Program& program_;
  GraphLayout layout_;
  NodeSizes sizes_;
};

/// Room for the names of locations beside inputs, and as much beside outputs.
inline constexpr int kLocationNames = 84;

}  // namespace xorloom
