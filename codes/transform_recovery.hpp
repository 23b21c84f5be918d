#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"

namespace xorloom {

/// The polynomial that has these roots, at a point; its derivative there if the point is a root.
Field::Symbol product_of_differences(const Field& field, std::span<const Field::Symbol> roots,
                                     Field::Symbol point);

/// The recovery_map of a code whose cells are values of a polynomial (Code::transform_points), in
/// closed form. With L the polynomial whose roots are the points that are not read, the factor of
/// the cell at point i in the cell at point l is L(i) / (L'(l)·(l xor i)).
///
/// Shape:  flags by location; some location is wanted, and those are lost. The first redundant
///         locations that suffice are read. A location is a cell.
/// Answer: none if the redundant locations do not suffice.
/// Cost:   O(k·(M + outputs)) field operations.
std::optional<LinearMap> transform_recovery(const Code& code, const std::vector<bool>& is_lost,
                                            const std::vector<bool>& is_wanted,
                                            std::span<const std::size_t> redundant);

}  // namespace xorloom
