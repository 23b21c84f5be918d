#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "equations/ir/program.hpp"

namespace xorloom {

/// Elements of one location, which are together in a picture.
struct ElementGroup {
  std::size_t location = 0;
  std::vector<Element> elements;
};

/// Elements in their order, with a new group wherever the location changes, and between
/// differences, old values and cells. A virtual element has the location of its cell.
std::vector<ElementGroup> groups_of(const Program& program, std::span<const Element> elements);

/// By element: the ink of each equation's target; kNone for other elements. Outputs are numbered in
/// their order, then the other targets by element. An equation has the same color in all pictures.
std::vector<std::size_t> inks_of(const Program& program);

/// Name of a group: "location 3".
std::string group_name(const ElementGroup& group);

}  // namespace xorloom
