#pragma once

#include <cstddef>
#include <cstdint>

#include "codes/code.hpp"
#include "runtime/engine/plan_options.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

/// A plan that computes, from a difference of the data of a location, by what redundancy changes.
/// It reads that location alone.
///
/// Errors: throws kInvalidArgument if the location is out of range or does not hold data alone;
///         else as make_part_plans does.
Plan make_update_plan(const Code& code, std::size_t location, const PlanOptions& options);

/// Codec::update, with make_update_plan's plan for the location.
Status update_stripe(const Code& code, const Plan& plan, const std::uint8_t* old_data,
                     const std::uint8_t* new_data, std::uint8_t* const* chunks,
                     std::size_t chunk_bytes) noexcept;

}  // namespace xorloom
