#pragma once

#include <cstddef>
#include <vector>

#include "codes/code.hpp"
#include "runtime/machine/cache_sizes.hpp"

namespace xorloom::cli {

/// "L1", "L2", "L3" or "DRAM": the level whose size a stripe of that many bytes fits.
const char* level_of(std::size_t stripe_bytes, const CacheSizes& caches);

/// The largest stripe that is timed: four times L3, but at most 512 MiB and an eighth of the
/// memory.
std::size_t most_stripe_bytes(const CacheSizes& caches, std::size_t memory_bytes);

/// Bytes of a chunk for each level where the code has one: stripes of about half of L1, half of L2,
/// four times L2, and most_stripe_bytes.
///
/// A code has none for a level that its smallest stripe exceeds. Chunks are whole lines, and
/// a multiple of a large power of two, so that packets of other sizes divide them.
std::vector<std::size_t> chunk_sizes(const Code& code, const CacheSizes& caches,
                                     std::size_t memory_bytes);

}  // namespace xorloom::cli
