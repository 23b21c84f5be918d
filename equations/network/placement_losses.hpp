#pragma once

#include <cstddef>
#include <vector>

#include "codes/code.hpp"
#include "equations/network/topology.hpp"

namespace xorloom {

/// Number of nodes, or racks, that can be lost at once, whichever they are.
struct SurvivedLosses {
  std::size_t losses = 0;
  bool is_exact = true;  ///< false: larger losses have too many sets to try
};

/// Shape: placement has a node per location of the code.
SurvivedLosses nodes_survived(const Code& code, const Topology& topology,
                              const std::vector<std::size_t>& placement);
SurvivedLosses racks_survived(const Code& code, const Topology& topology,
                              const std::vector<std::size_t>& placement);

/// Most sets of nodes or racks of one size that are tried.
inline constexpr std::size_t kMostLossSets = 20'000;

}  // namespace xorloom
