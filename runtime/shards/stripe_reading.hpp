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

/// Bytes of a file from one up to another; what lies behind its end is none of it.
struct FileRange {
  std::uint64_t begin = 0;
  std::uint64_t end = std::numeric_limits<std::uint64_t>::max();

  bool operator==(const FileRange&) const = default;
};

/// What reading one stripe came to.
struct StripeReading : BlocksRead {
  std::uint64_t stripe = 0;
  std::vector<std::size_t> lost;  ///< locations known to have no good block here, ascending
  bool is_recovered = true;       ///< what was asked for is there, or could be rebuilt
  std::uint64_t stamp = 0;        ///< that all blocks of the stripe are to have
  std::vector<std::size_t>
      not_had{};            ///< if salvaged: what was asked for and is not there, ascending
  ErrorLocation errors{};   ///< if redundancy was checked: what that cannot mend
  ErrorLocation located{};  ///< if redundancy was checked: the blocks that are wrong by it, as bad
  std::vector<FileRange> lost_bytes{};  ///< if salvaged: those of the file
};

enum class Rebuild { kYes, kOnlyAsk };

/// Reads the wanted locations' chunks of a stripe, and rebuilds those that are lost from others,
/// reading no more blocks than that takes, and of blocks that are checked in pieces just the
/// pieces. What fails its checksum is an erasure of its block. What lies behind the end of the file
/// is known to be zeros, and not read. Chunks that cannot be rebuilt otherwise are encoded anew if
/// all bytes of the file that the stripe holds can be had.
///
/// If the set has a lineage, a block with an earlier stamp than another is an erasure, too. One
/// location more than the code may lose is asked for its stamp, so that one of these is right.
///
/// Shape:   wanted ascends. The buffer is given the stripe's chunk size; if the stripe is recovered
///          and to be rebuilt, the wanted chunks are in it. If blocks are checked in pieces, those
///          that are wanted of each wanted location may be given, ascending; none given are all of
///          all.
/// Errors:  throws kInternal if a rebuilding plan cannot be run; damage is no error.
StripeReading read_stripe(const OpenedSet& set, std::uint64_t stripe,
                          const std::vector<std::size_t>& wanted, Rebuild rebuild,
                          StripeBuffer& buffer, const WantedUnits& pieces = {});

/// Reads and rebuilds as read_stripe does, but each wanted location alone, for stripes that have
/// lost some of them: the others' chunks are in the buffer then. It is recovered if all are.
StripeReading salvage_stripe(const OpenedSet& set, std::uint64_t stripe,
                             const std::vector<std::size_t>& wanted, StripeBuffer& buffer);

/// The frames of a stripe's blocks, by location. What stands in them is not checked.
struct StripeFrames {
  std::vector<Frame> frames;    ///< empty where no copy can be read, or copies differ
  std::vector<bool> do_differ;  ///< those of a location's copies
};
StripeFrames read_frames(const OpenedSet& set, std::uint64_t stripe, BlocksRead& result);

/// Reads every copy of every block of a stripe. It is recovered if every lost location can be
/// rebuilt.
StripeReading scrub_stripe(const OpenedSet& set, std::uint64_t stripe, StripeBuffer& buffer);

}  // namespace xorloom
