#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "codes/code.hpp"

namespace xorloom {

/// True if it is proved by construction that any promised_losses locations can be lost, and the
/// others hold just as much as the data.
bool is_proved_mds(const Code& code);

/// Cut-set lower bound of the cost of rebuilding `num_wanted` cells of lost locations, for codes
/// that survive any r = n - k losses with the least storage.
///
/// Let e locations be lost. Any k - e survivors contain no information about the wanted cells, so
/// at least `num_wanted` cells of the other r survivors are read. If chunks are single cells, k are
/// read.
///
/// Shape:  costs by location: of each cell read there.
/// Answer: 0 for codes that are not proved to be of that kind.
/// Source: Dimakis et al., Network coding for distributed storage systems, IEEE Trans. IT 2010,
///         except that locations of different cost may be read to different extents.
std::uint64_t least_reads(const Code& code, std::span<const std::size_t> lost,
                          std::size_t num_wanted, std::span<const std::uint64_t> costs);

}  // namespace xorloom
