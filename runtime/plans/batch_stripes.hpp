#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/machine/stores.hpp"
#include "runtime/plans/plan.hpp"

namespace xorloom {

/// A plan of a batch, and properties that its stripes share.
struct BatchPlan {
  /// `stripes` is how many the batch has: stores depend on all its bytes, as those of one large
  /// stripe do, unless chunks are short.
  BatchPlan(const PlanAccess::Impl& of, std::size_t chunk_bytes, std::size_t stripes);

  const PlanAccess::Impl* impl;
  std::size_t columns;
  std::size_t work;  ///< cost × columns
  Stores stores;
  bool runs_alone;             ///< on a device, on all threads, or with a short block: one by one
  bool was_looked_at = false;  ///< is_crowded is known
  bool is_crowded = false;     ///< Computation::are_crowded of its first stripe
};

/// The stripes of a batch and the plan of each.
struct BatchStripes {
  static constexpr std::uint32_t kNone = UINT32_MAX;

  std::span<std::uint8_t* const* const> chunks;  ///< the chunk pointers of each stripe
  std::size_t chunk_bytes;
  std::span<BatchPlan> plans;
  /// By stripe: the index of its plan; kNone: it does not run. Empty: all have plan 0.
  std::span<std::uint32_t> plan_of_stripe{};

  std::size_t size() const noexcept { return chunks.size(); }

  /// The plan of a stripe, null if it does not run.
  BatchPlan* plan(std::size_t stripe) const noexcept {
    if (plan_of_stripe.empty()) return plans.data();
    const std::uint32_t index = plan_of_stripe[stripe];
    return index == kNone ? nullptr : &plans[index];
  }
};

/// True if no needed pointer is null and every needed chunk ends before the next one begins, stripe
/// after stripe. Then the batch needs no other check.
///
/// Shape: chunk_bytes is not 0.
bool are_ascending(const BatchStripes& stripes) noexcept;

/// True if no needed pointer is null, and the needed chunks of each location ascend, stripe after
/// stripe, in a range of memory of their own. Then the batch needs no other check.
///
/// Shape:  as for are_ascending.
/// Errors: throws std::bad_alloc.
bool are_ascending_by_location(const BatchStripes& stripes);

/// True if no needed pointer is null and no written chunk overlaps another needed chunk of any
/// stripe. False if one does, or if the chunks are too far apart for the table.
///
/// Errors: throws std::bad_alloc.
/// Cost:   O(chunks): a table with an entry for each chunk_bytes of memory between the first and
///         the last chunk, at most 16 for each chunk.
bool are_apart(const BatchStripes& stripes);

/// Two stripes with a common byte that one of them writes.
struct StripeOverlap {
  std::size_t stripe;
  std::size_t location;  ///< location of the chunk of `stripe`
  std::size_t other_stripe;
  bool is_written;  ///< the chunk of `stripe` is written; else that of `other_stripe` is
};

/// Finds the overlaps between stripes, each seen from both of its stripes. Chunks that are read
/// may be shared.
///
/// Shape:  no needed pointer is null, and no stripe overlaps itself.
/// Errors: throws std::bad_alloc.
/// Cost:   O(chunks) expected. The written chunks are put in a hash table, by address.
std::vector<StripeOverlap> find_overlaps(const BatchStripes& stripes);

}  // namespace xorloom
