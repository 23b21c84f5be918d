#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/files/user_bytes.hpp"
#include "runtime/shards/opened_set.hpp"
#include "runtime/shards/stripe_buffer.hpp"
#include "runtime/shards/stripe_reading.hpp"

namespace xorloom {

/// Reads a range of the file from a set, stripe by stripe. Immutable; many threads may use it.
class RangeReader {
 public:
  /// Buffers: keeps a reference to the set.
  RangeReader(const OpenedSet& set, const FileRange& range);

  /// Bytes of the range: of all of it, and in one stripe.
  std::uint64_t bytes() const { return end_ - begin_; }
  std::uint64_t bytes(std::uint64_t stripe) const;

  /// The part of the range in one stripe, as offsets in the file.
  FileRange file_bytes(std::uint64_t stripe) const {
    const std::uint64_t begin = std::max(begin_, stripe * set_->header().stripe_bytes);
    return {begin, begin + bytes(stripe)};
  }

  /// The stripes that hold a part of the range.
  StripeRange stripes() const;

  /// Reads a stripe of the range; see read_stripe.
  StripeReading read(std::uint64_t stripe, Rebuild rebuild, StripeBuffer& buffer) const;

  /// Reads what is left of a stripe that cannot be recovered. Lost chunks are zeros in the buffer,
  /// and their bytes are in StripeReading::lost_bytes.
  StripeReading salvage(std::uint64_t stripe, StripeBuffer& buffer) const;

  /// The range's bytes of a stripe that was read: in the buffer if the range has the whole stripe,
  /// else copied to `part`.
  std::span<const std::uint8_t> collect(std::uint64_t stripe, StripeBuffer& buffer,
                                        std::vector<std::uint8_t>& part) const;

 private:
  bool is_whole(std::uint64_t stripe) const;
  std::vector<UserPart> parts(std::uint64_t stripe) const;

  const OpenedSet* set_;
  std::uint64_t begin_;
  std::uint64_t end_;
};

}  // namespace xorloom
