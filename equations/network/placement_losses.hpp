#pragma once

#include <cstddef>
#include <vector>

#include "codes/code.hpp"
#include "equations/network/topology.hpp"

namespace xorloom {

/// How many nodes, or racks, can be lost at once, whichever they are.
struct SurvivedLosses {
  std::size_t losses = 0;
  bool is_exact = true;  ///< else more were not tried, as there are too many sets
};

/// Shape: placement has a node per location of the code.
SurvivedLosses nodes_survived(const Code& code, const Topology& topology,
                              const std::vector<std::size_t>& placement);
SurvivedLosses racks_survived(const Code& code, const Topology& topology,
                              const std::vector<std::size_t>& placement);

/// Sets of nodes or racks of one size that are tried at most.
inline constexpr std::size_t kMostLossSets = 20'000;

}  // namespace xorloom
