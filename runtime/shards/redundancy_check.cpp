#include "runtime/shards/redundancy_check.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include "runtime/machine/last_error.hpp"
#include "runtime/stripes/fingerprint.hpp"
#include "runtime/stripes/locate_errors.hpp"

namespace xorloom {
namespace {

std::uint64_t drawn_key() {
  std::random_device random;
  return std::uint64_t{random()} << 32 | random();
}

}  // namespace

RedundancyCheck::RedundancyCheck(const OpenedSet& set, Compared compared)
    : set_(set), encoding_(set.encoding_plan()) {
  if (compared == Compared::kFingerprints) key_ = drawn_key();
}

ErrorLocation RedundancyCheck::errors_of(const StripeReading& reading,
                                         const StripeBuffer& buffer) const {
  const Code& code = set_.code();
  if (!key_) {
    return locate_errors(code, encoding_, reading.lost, buffer.chunks(), buffer.chunk_bytes());
  }
  const std::size_t bytes = fingerprint_bytes(code);
  std::vector<std::uint8_t> memory(code.locations * bytes);
  std::vector<const std::uint8_t*> fingerprints(code.locations);
  for (std::size_t i = 0; i < code.locations; ++i) {
    std::uint8_t* const fingerprint = memory.data() + i * bytes;
    fingerprints[i] = fingerprint;
    if (std::ranges::binary_search(reading.lost, i)) continue;
    xorloom::check(fingerprint_chunk(code, set_.isa(), buffer.chunks()[i], buffer.chunk_bytes(),
                                     *key_, {fingerprint, bytes}));
  }
  return check_fingerprints(code, encoding_, reading.lost, fingerprints.data());
}

void RedundancyCheck::check(StripeReading& reading, StripeBuffer& buffer) const {
  if (!reading.is_recovered) return;
  for (const std::size_t location : set_.zeros(reading.stripe)) {
    std::ranges::fill(buffer.chunk(location), std::uint8_t{0});
  }
  const ErrorLocation errors = errors_of(reading, buffer);
  if (!errors.is_smallest()) {
    reading.errors = errors;
    return;
  }
  reading.located = errors;
  for (const std::size_t location : errors.wrong) {
    name_copies(set_, location, BlockFault::kWrong, reading);
    reading.lost.insert(std::ranges::lower_bound(reading.lost, location), location);
  }
  reading.is_recovered = set_.can_rebuild(reading.stripe, reading.lost);
}

}  // namespace xorloom
