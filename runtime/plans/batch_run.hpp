#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "xorloom/xorloom.hpp"

namespace xorloom {

/// Stripes of equal shape that one call encodes or decodes.
struct Batch {
  std::span<std::uint8_t* const* const> stripes;  ///< the chunk pointers of each
  std::size_t chunk_bytes;
  std::size_t chunk_multiple;
  std::span<Status> statuses;  ///< empty, or room for the status of each stripe
};

/// Runs one plan on every stripe of a batch: Codec::encode_batch.
///
/// A batch whose chunks ascend in memory allocates nothing on one thread.
Status run_batch(const Plan& plan, const Batch& batch) noexcept;

/// The plan that rebuilds `lost` in `stripes` stripes.
///
/// Errors: throws what Codec::decoding throws.
using PlanOfLosses = std::function<Plan(std::span<const std::size_t> lost, std::size_t stripes)>;

/// Locations that each stripe of a batch has lost; one set if all have lost the same.
using LossesOfStripes = std::span<const std::span<const std::size_t>>;

/// Rebuilds what each stripe of a batch has lost: Codec::decode_batch. Calls plan_of once for each
/// distinct set. Sets with the same locations in another order are distinct.
Status run_batch(const PlanOfLosses& plan_of, LossesOfStripes losses, const Batch& batch) noexcept;

}  // namespace xorloom
