#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/shards/opened_set.hpp"
#include "runtime/shards/range_reading.hpp"
#include "runtime/shards/set_damage.hpp"
#include "runtime/shards/stripe_buffer.hpp"

namespace xorloom {

/// Reads the file of a set from its beginning to its end, for a conversion of the set. Not for
/// several threads at once.
class SetInput {
 public:
  /// Buffers: keeps references to all arguments; adds what reading meets to `damage`.
  SetInput(const FoundShards& found, const OpenedSet& set, SetDamage& damage);

  /// Fills a span with the next bytes of the file; returns their number, smaller only at the end.
  ///
  /// Errors: throws kDamaged at a lost stripe, naming all lost stripes known, or kIo if the system
  ///         does not let shards be read.
  std::size_t read(std::span<std::uint8_t> bytes);

  /// The stamp of the stripe that was read last.
  std::uint64_t stamp() const { return stamp_; }

 private:
  bool read_stripe();

  const FoundShards& found_;
  const OpenedSet& set_;
  RangeReader reader_;
  SetDamage& damage_;
  StripeBuffer buffer_;
  std::uint64_t stripe_ = 0;
  std::uint64_t stamp_ = 0;
  std::vector<std::uint8_t> part_;
  std::span<const std::uint8_t> left_;
};

}  // namespace xorloom
