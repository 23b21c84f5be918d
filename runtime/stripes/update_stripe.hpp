#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"
#include "runtime/engine/plan_options.hpp"
#include "runtime/engine/word_products.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

/// A plan that computes the change of the redundancy from the difference (old XOR new) of a
/// location's data. It reads that location alone.
///
/// Errors: throws kInvalidArgument if the location is out of range or does not hold data alone;
///         else as make_part_plans does.
Plan make_update_plan(const Code& code, std::size_t location, const PlanOptions& options);

/// The map of the plan of make_update_plan(), proved; nullopt if the plan would write parts of
/// chunks.
///
/// Errors: as make_update_plan for the location; kInternal if the proof fails.
std::optional<LinearMap> update_map(const Code& code, std::size_t location);

/// The products with which update_words() updates stripes of a code; null if it cannot.
const WordProducts* update_products(const Code& code, const PlanOptions& options) noexcept;

/// Codec::update by products, which are added to the redundancy in one pass. Does nothing and
/// returns nullopt if the location holds no data or changes no redundancy, or if the kernels are
/// not accepted.
///
/// Cost: one pass over what is read and written; allocates a piece for the difference if old data
///       is given.
std::optional<Status> update_words(const Code& code, const WordProducts& products,
                                   std::size_t location, const std::uint8_t* old_data,
                                   const std::uint8_t* new_data, std::uint8_t* const* chunks,
                                   std::size_t chunk_bytes) noexcept;

/// Codec::update, with make_update_plan's plan for the location.
Status update_stripe(const Code& code, const Plan& plan, const std::uint8_t* old_data,
                     const std::uint8_t* new_data, std::uint8_t* const* chunks,
                     std::size_t chunk_bytes) noexcept;

}  // namespace xorloom
