#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "equations/ir/program.hpp"

namespace xorloom {

/// Elements of a program that stand together in a picture: those of one location.
struct ElementGroup {
  std::size_t location = 0;
  std::vector<Element> elements;
};

/// Elements in their order, a new group wherever the location changes, and between differences, old
/// values and cells. A virtual element is of the location of the cell that it is about.
std::vector<ElementGroup> groups_of(const Program& program, std::span<const Element> elements);

/// The number of an ink for each equation's target, by element: outputs in their order, then the
/// others in that of their numbers. The same equation has the same color in all pictures.
std::vector<std::size_t> inks_of(const Program& program);

/// "location 3".
std::string group_name(const ElementGroup& group);

}  // namespace xorloom
