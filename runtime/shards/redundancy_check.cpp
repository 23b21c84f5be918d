#include "runtime/shards/redundancy_check.hpp"

#include <algorithm>

#include "runtime/stripes/locate_errors.hpp"

namespace xorloom {

void RedundancyCheck::check(StripeReading& reading, StripeBuffer& buffer) const {
  if (!reading.is_recovered) return;
  for (const std::size_t location : set_.zeros(reading.stripe)) {
    std::ranges::fill(buffer.chunk(location), std::uint8_t{0});
  }
  const ErrorLocation errors =
      locate_errors(set_.code(), encoding_, reading.lost, buffer.chunks(), buffer.chunk_bytes());
  if (!errors.is_smallest()) {
    reading.errors = errors;
    return;
  }
  reading.located = errors;
  for (const std::size_t location : errors.wrong) {
    name_copies(set_, location, BlockFault::kWrong, reading);
    reading.lost.insert(std::ranges::lower_bound(reading.lost, location), location);
  }
  reading.is_recovered = set_.can_rebuild(reading.lost);
}

}  // namespace xorloom
