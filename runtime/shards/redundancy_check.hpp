#pragma once

#include <cstdint>
#include <optional>

#include "runtime/plans/plan.hpp"
#include "runtime/shards/opened_set.hpp"
#include "runtime/shards/stripe_buffer.hpp"
#include "runtime/shards/stripe_reading.hpp"

namespace xorloom {

/// Things that a RedundancyCheck compares.
enum class Compared {
  kChunks,        ///< redundancy with what is encoded from the data
  kFingerprints,  ///< fingerprints, with a key that is drawn anew for each RedundancyCheck
};

/// Compares redundancy with data, and so finds wrong blocks whose checksums match, as faults of
/// programs or memory write them. Which blocks are found wrong depends on how many may be; see
/// ErrorLocation::unique_up_to. Immutable; many threads may use it.
class RedundancyCheck {
 public:
  /// Buffers: keeps a reference to the set.
  explicit RedundancyCheck(const OpenedSet& set, Compared compared = Compared::kChunks);

  /// Checks a stripe that scrub_stripe has read, unless it is lost. If every other explanation has
  /// more wrong blocks, the wrong blocks are added to `reading.bad` and their locations to
  /// `reading.lost`; `reading.located` says up to how many wrong blocks that holds. Else
  /// `reading.errors` says what is known.
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
