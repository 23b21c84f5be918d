#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codes/code.hpp"

namespace xorloom {

/// Whether it is proved by construction that any promised_losses locations can be lost, and the
/// others hold no more than the data.
bool is_proved_mds(const Code& code);

/// What rebuilding some cells of lost locations costs at least, whatever is read of the others: the
/// bound by cutting them in two, for codes of which any r = n - k locations can be lost, k whole
/// ones holding all there is. Then the cells read of any r survivors are at least as many as the
/// wanted ones, since the k - e others, e being lost, know nothing of these.
///
/// Where chunks are single cells, k of them are read for any.
///
/// Shape:  costs by location, of each cell read there.
/// Answer: 0 for codes that are not of that kind, or not proved to be.
/// Source: Dimakis et al., Network coding for distributed storage systems, IEEE Trans. IT 2010,
///         with as many cells read of one location as of another only where they cost the same.
std::uint64_t least_reads(const Code& code, std::span<const std::size_t> lost,
                          std::size_t num_wanted, std::span<const std::uint64_t> costs);

}  // namespace xorloom
