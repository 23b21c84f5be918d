#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "codes/error_location.hpp"
#include "runtime/shards/block_reading.hpp"
#include "runtime/shards/opened_set.hpp"
#include "runtime/shards/stripe_buffer.hpp"

namespace xorloom {

/// Bytes `begin` to `end` - 1 of a file; what lies past its end does not count.
struct FileRange {
  std::uint64_t begin = 0;
  std::uint64_t end = std::numeric_limits<std::uint64_t>::max();

  bool operator==(const FileRange&) const = default;
};

/// Result of reading one stripe.
struct StripeReading : BlocksRead {
  std::uint64_t stripe = 0;
  std::vector<std::size_t> lost;  ///< locations known to have no good block here, ascending
  bool is_recovered = true;       ///< the wanted data was read, or could be rebuilt
  std::uint64_t stamp = 0;        ///< the stamp that all blocks of the stripe should have
  std::vector<std::size_t>
      not_had{};            ///< if salvaged: wanted locations that could not be had, ascending
  ErrorLocation errors{};   ///< if redundancy was checked: the result, unless it is in `located`
  ErrorLocation located{};  ///< if redundancy was checked: the only smallest explanation, also in
                            ///< `bad`
  std::vector<FileRange> lost_bytes{};  ///< if salvaged: lost bytes of the file
};

enum class Rebuild { kYes, kOnlyAsk };

/// Reads the chunks of the `wanted` locations of a stripe, and rebuilds those that are lost. Reads
/// no more blocks than necessary, and of blocks checked in pieces only the pieces. A block whose
/// checksum fails is an erasure. Chunks past the end of the file are known to be zeros, and not
/// read. Chunks that cannot be rebuilt otherwise are encoded anew if all bytes of the file in the
/// stripe can be recovered.
///
/// If the set has a lineage, a block with an earlier stamp than another is an erasure, too. The
/// stamps of one location more than the code may lose are read, so that one of them is right.
///
/// Shape:   `wanted` ascends. `buffer` gets the stripe's chunk size; if the stripe is recovered and
///          `rebuild` is kYes, it has the wanted chunks. If blocks are checked in pieces, `pieces`
///          are the wanted ones of each wanted location, ascending; empty: all of all.
/// Errors:  throws kInternal if a rebuilding plan cannot be run; damage is no error.
StripeReading read_stripe(const OpenedSet& set, std::uint64_t stripe,
                          const std::vector<std::size_t>& wanted, Rebuild rebuild,
                          StripeBuffer& buffer, const WantedUnits& pieces = {});

/// Like read_stripe, but reads and rebuilds each wanted location alone, for stripes that have lost
/// some of them. Then the buffer has the chunks that could be had. `is_recovered` if all could.
StripeReading salvage_stripe(const OpenedSet& set, std::uint64_t stripe,
                             const std::vector<std::size_t>& wanted, StripeBuffer& buffer);

/// The frames of a stripe's blocks, by location, not checked.
struct StripeFrames {
  std::vector<Frame> frames;    ///< empty if no copy can be read, or copies differ
  std::vector<bool> do_differ;  ///< whether the copies of a location differ
};
StripeFrames read_frames(const OpenedSet& set, std::uint64_t stripe, BlocksRead& result);

/// Reads every copy of every block of a stripe. It is recovered if every lost location can be
/// rebuilt.
StripeReading scrub_stripe(const OpenedSet& set, std::uint64_t stripe, StripeBuffer& buffer);

}  // namespace xorloom
