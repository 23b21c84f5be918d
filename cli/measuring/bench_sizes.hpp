#pragma once

#include <cstddef>
#include <vector>

#include "codes/code.hpp"
#include "runtime/machine/cache_sizes.hpp"

namespace xorloom::cli {

/// The innermost level that holds a stripe of `stripe_bytes`: "L1", "L2", "L3" or "DRAM".
const char* level_of(std::size_t stripe_bytes, const CacheSizes& caches);

/// Bytes of the largest stripe that is timed: the least of 4 * L3, 512 MiB and 1/8 of the memory.
std::size_t most_stripe_bytes(const CacheSizes& caches, std::size_t memory_bytes);

/// Chunk sizes in bytes, ascending, one for each level: for stripes of about L1/2, L2/2, 4 * L2,
/// and most_stripe_bytes().
///
/// A level is left out if the code's smallest stripe exceeds it. Sizes are multiples of a cache
/// line and of a large power of two, so that other packet sizes divide them.
std::vector<std::size_t> chunk_sizes(const Code& code, const CacheSizes& caches,
                                     std::size_t memory_bytes);

}  // namespace xorloom::cli
