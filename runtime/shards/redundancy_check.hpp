#pragma once

#include "runtime/plans/plan.hpp"
#include "runtime/shards/opened_set.hpp"
#include "runtime/shards/stripe_buffer.hpp"
#include "runtime/shards/stripe_reading.hpp"

namespace xorloom {

/// Compares redundancy with data, and so finds blocks that are wrong though their checksums hold:
/// what a fault of a program or of memory wrote. Which ones are wrong depends on how many may be;
/// see ErrorLocation::unique_up_to. Immutable; many threads may use it.
class RedundancyCheck {
 public:
  /// Buffers: keeps a reference to the set.
  explicit RedundancyCheck(const OpenedSet& set) : set_(set), encoding_(set.encoding_plan()) {}

  /// Looks at a stripe that scrub_stripe has read, unless it is lost. If every other explanation
  /// has more wrong blocks, the wrong blocks are then among the bad ones, their locations lost, and
  /// StripeReading::located says up to how many that holds. Else StripeReading::errors says what is
  /// known.
  ///
  /// Errors: throws kInternal if a plan cannot be run.
  void check(StripeReading& reading, StripeBuffer& buffer) const;

 private:
  const OpenedSet& set_;
  Plan encoding_;
};

}  // namespace xorloom
