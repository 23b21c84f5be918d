#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "runtime/files/progress.hpp"
#include "runtime/shards/opened_set.hpp"
#include "runtime/shards/range_reading.hpp"
#include "runtime/shards/set_damage.hpp"

namespace xorloom {

// What reads a set from its first stripe to its last. Damage is no error: it is in what these
// return. threads are those of the pipeline.

/// What verify_set looks at.
enum class Depth {
  kChecksums,     ///< of blocks
  kRedundancy,    ///< and whether it agrees with the data; see RedundancyCheck
  kFingerprints,  ///< and whether fingerprints of redundancy and data agree
};

/// Reads every block of every shard.
SetDamage verify_set(const OpenedSet& set, std::size_t threads, Progress& progress,
                     Depth depth = Depth::kChecksums);

/// Finds out whether the file, or a range of it, can be given back, reading what giving it back
/// would read.
SetDamage check_set(const OpenedSet& set, std::size_t threads, Progress& progress,
                    const FileRange& range = {});

/// What decode_set does at a stripe that cannot be recovered.
enum class Lost {
  kStop,   ///< write nothing more
  kZeros,  ///< write what is left of it, with zeros for the bytes that are lost
};

/// Gives the bytes of the file, or of a range of it, in order, to `write`. Where it stops at a
/// stripe that is lost, the stripes behind it are read all the same, to say all that is lost.
/// Of a range nothing is read but the blocks that have some of it, and their pieces that do, if
/// they are checked in pieces.
///
/// Errors: throws what `write` throws.
SetDamage decode_set(const OpenedSet& set, std::size_t threads,
                     const std::function<void(std::span<const std::uint8_t>)>& write,
                     Progress& progress, const FileRange& range = {}, Lost lost = Lost::kStop);

/// Calls load(stripe, buffer) for each of some stripes that any shard goes up to, many at once, and
/// store(reading, buffer) in order.
void for_each_stripe(
    const OpenedSet& set, std::size_t threads,
    const std::function<StripeReading(std::uint64_t stripe, StripeBuffer& buffer)>& load,
    const std::function<void(const StripeReading& reading, StripeBuffer& buffer)>& store,
    const StripeRange& stripes = {});

}  // namespace xorloom
