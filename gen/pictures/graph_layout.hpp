#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "equations/ir/program.hpp"

namespace xorloom {

/// Where the elements of a program stand in a picture of its equations: in columns, each element as
/// near to what it is tied to as the others of its column let it.
struct GraphLayout {
  std::size_t num_columns = 1;
  std::size_t most_in_a_column = 0;
  double height = 0;                ///< places are from 0 to this - 1
  std::vector<std::size_t> column;  ///< by element
  std::vector<double> place;        ///< by element; at least 1 between those of a column
};

/// Inputs are in column 0 in their order, with a gap between locations. Outputs that no equation
/// reads are in the last, likewise. Other targets are in the column after the last one of their
/// operands, ordered so that lines cross little: by the mean place of what they are tied to, taken
/// some times from left to right and back.
///
/// An element for which `least` has a column stands there, or behind that if it has to.
///
/// Shape: least is by element, or empty.
/// Cost:  O(operands).
GraphLayout graph_layout(const Program& program, std::span<const std::size_t> least = {});

}  // namespace xorloom
