#pragma once

#include <cstdint>
#include <optional>

#include "runtime/plans/plan.hpp"
#include "runtime/shards/opened_set.hpp"
#include "runtime/shards/stripe_buffer.hpp"
#include "runtime/shards/stripe_reading.hpp"

namespace xorloom {

/// What a RedundancyCheck compares.
enum class Compared {
  kChunks,        ///< redundancy with what the data makes of it
  kFingerprints,  ///< fingerprints, by a key that is drawn anew for each RedundancyCheck
};

/// Compares redundancy with data, and so finds blocks that are wrong though their checksums hold:
/// what a fault of a program or of memory wrote. Which ones are wrong depends on how many may be;
/// see ErrorLocation::unique_up_to. Immutable; many threads may use it.
class RedundancyCheck {
 public:
  /// Buffers: keeps a reference to the set.
  explicit RedundancyCheck(const OpenedSet& set, Compared compared = Compared::kChunks);

  /// Looks at a stripe that scrub_stripe has read, unless it is lost. If every other explanation
  /// has more wrong blocks, the wrong blocks are then among the bad ones, their locations lost, and
  /// StripeReading::located says up to how many that holds. Else StripeReading::errors says what is
  /// known.
  ///
  /// Errors: throws kInternal if a plan cannot be run.
  void check(StripeReading& reading, StripeBuffer& buffer) const;

 private:
  ErrorLocation errors_of(const StripeReading& reading, const StripeBuffer& buffer) const;

  const OpenedSet& set_;
  Plan encoding_;
  std::optional<std::uint64_t> key_;  ///< if fingerprints are compared
};

}  // namespace xorloom
