#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"

namespace xorloom {

/// Value at `point` of the monic polynomial with these roots; its derivative there if `point` is a
/// root.
Field::Symbol product_of_differences(const Field& field, std::span<const Field::Symbol> roots,
                                     Field::Symbol point);

/// The recovery_map, in closed form, of a code whose cells are values of a polynomial
/// (Code::transform_points). Let L be the polynomial whose roots are the points that are not read.
/// Then the coefficient of the cell at point i in the cell at point l is L(i) / (L'(l)·(l xor i)).
///
/// Shape:  flags by location; at least one location is wanted, and all wanted ones are lost. A
///         location is one cell. Reads the first redundant locations that suffice.
/// Answer: nullopt if the redundant locations do not suffice.
/// Cost:   O(k·(M + outputs)) field operations.
std::optional<LinearMap> transform_recovery(const Code& code, const std::vector<bool>& is_lost,
                                            const std::vector<bool>& is_wanted,
                                            std::span<const std::size_t> redundant);

}  // namespace xorloom
