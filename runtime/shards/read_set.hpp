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

// Functions that read a set from its first stripe to its last. They return damage instead of
// throwing. `threads`: the threads of the pipeline.

/// The checks of verify_set.
enum class Depth {
  kChecksums,     ///< checksums of blocks
  kRedundancy,    ///< also that redundancy agrees with the data; see RedundancyCheck
  kFingerprints,  ///< also that fingerprints of redundancy and data agree
};

/// Reads every block of every shard.
SetDamage verify_set(const OpenedSet& set, std::size_t threads, Progress& progress,
                     Depth depth = Depth::kChecksums);

/// Finds out if the file, or a range of it, can be decoded. Reads what decode_set() would read.
SetDamage check_set(const OpenedSet& set, std::size_t threads, Progress& progress,
                    const FileRange& range = {});

/// Reaction of decode_set to a stripe that cannot be recovered.
enum class Lost {
  kStop,   ///< write nothing more
  kZeros,  ///< write what is left of it, with zeros for the bytes that are lost
};

/// Passes the bytes of the file, or of a range of it, to `write` in order. After a lost stripe that
/// stops it, the other stripes are still read, so that all losses are reported. For a range, it
/// reads only blocks that hold a part of it, and only the needed pieces of blocks checked in
/// pieces.
///
/// Errors: throws what `write` throws.
SetDamage decode_set(const OpenedSet& set, std::size_t threads,
                     const std::function<void(std::span<const std::uint8_t>)>& write,
                     Progress& progress, const FileRange& range = {}, Lost lost = Lost::kStop);

/// Calls load(stripe, buffer) for each of `stripes` that any shard reaches, many at once, and
/// store(reading, buffer) in order.
void for_each_stripe(
    const OpenedSet& set, std::size_t threads,
    const std::function<StripeReading(std::uint64_t stripe, StripeBuffer& buffer)>& load,
    const std::function<void(const StripeReading& reading, StripeBuffer& buffer)>& store,
    const StripeRange& stripes = {});

}  // namespace xorloom
