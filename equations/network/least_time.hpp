#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "codes/code.hpp"
#include "equations/network/topology.hpp"

namespace xorloom {

/// A time that no route beats, and the link that says so.
struct LeastTime {
  double seconds = 0;
  LinkNumber link = 0;
};

/// The lower bound of a repair's time: what has to cross a link, over its bandwidth, for the link
/// where that is the most, and one latency.
///
/// What has to cross is what the chunks on the far side tell of the lost ones beyond those on the
/// near side: into the new node, into its rack, out of each other node and out of each other rack.
/// Whatever is read and however it is added up, that much is sent there. Where codes are too large
/// to compute this, and not proved to be MDS, the link is left out, which keeps it a lower bound.
///
/// Shape:  the lost locations can be rebuilt; placement has a node per location.
/// Source: the cut-set bound; Dimakis et al., Network coding for distributed storage systems, IEEE
///         Trans. IT 2010.
LeastTime least_time(const Code& cells, const Topology& topology,
                     const std::vector<std::size_t>& placement, std::span<const std::size_t> lost,
                     std::size_t root, double chunk_bytes);

/// How many cells of the lost locations the known ones leave open: 0 if these suffice to rebuild
/// them. If that is too much to compute, 0 too.
std::size_t cells_left_open(const Code& cells, std::span<const std::size_t> lost,
                            std::span<const std::size_t> known);

}  // namespace xorloom
