#pragma once

#include <string_view>

#include "gen/verilog/zigzag_unit_plan.hpp"

namespace xorloom {

/// Reads the tables, the multipliers and the slices of table entries back from a unit that was
/// written, and compares what they say with the plan: the same loads and outputs of each operation
/// in the same order, and for each factor every bit of the product.
///
/// Errors: throws kInternal, saying where they differ.
void check_zigzag_unit(std::string_view text, const UnitPlan& plan);

}  // namespace xorloom
