#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/opened_set.hpp"
#include "runtime/stripe_buffer.hpp"

namespace xorloom {

/// What can be wrong with a block.
enum class BlockFault {
  kDamaged,       ///< its checksum does not hold
  kStale,         ///< it is of another generation
  kUnreadable,    ///< the system could not read it
  kMissing,       ///< the file ends before it does
  kContradicted,  ///< another copy of it is whole too, and differs
};

/// "damaged", "of another generation", …
const char* to_string(BlockFault fault);

struct BadBlock {
  std::size_t shard;  ///< its number in ShardSet::shards
  BlockFault fault;
};

/// What reading one stripe came to.
struct StripeReading {
  std::uint64_t stripe = 0;
  std::vector<std::size_t> lost;  ///< locations known to have no good block here, ascending
  std::vector<BadBlock> bad;
  std::uint64_t bytes_read = 0;
  bool is_recovered = true;  ///< what was asked for is there, or could be rebuilt
};

enum class Rebuild { kYes, kOnlyAsk };

/// Reads the wanted locations' chunks of a stripe, and rebuilds those that are lost from others,
/// reading no more blocks than that takes. A block that fails its checksum is an erasure of that
/// block. What lies behind the end of the file is known to be zeros, and not read.
///
/// Shape:   wanted ascends. The buffer is given the stripe's chunk size; if the stripe is recovered
///          and to be rebuilt, the wanted chunks are in it.
/// Errors:  throws kInternal if a rebuilding plan cannot be run; damage is no error.
StripeReading read_stripe(const OpenedSet& set, std::uint64_t stripe,
                          const std::vector<std::size_t>& wanted, Rebuild rebuild,
                          StripeBuffer& buffer);

/// Reads every copy of every block of a stripe. It is recovered if every lost location can be
/// rebuilt.
StripeReading scrub_stripe(const OpenedSet& set, std::uint64_t stripe, StripeBuffer& buffer);

}  // namespace xorloom
