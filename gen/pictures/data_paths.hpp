#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "equations/ir/core_schedule.hpp"
#include "equations/ir/program.hpp"
#include "gen/pictures/element_groups.hpp"

namespace xorloom {

/// Which elements go where while a plan runs. Copies take no time and have no core: what reads one
/// reads what it is a copy of.
struct DataPaths {
  /// By from and to: what goes that way, each element once.
  using Ways = std::map<std::pair<std::size_t, std::size_t>, std::set<Element>>;

  std::vector<ElementGroup> sources;  ///< the inputs
  std::vector<ElementGroup> results;  ///< the outputs
  Ways reads;                         ///< from source to core
  Ways moves;                         ///< from core to another core
  Ways writes;                        ///< from core to result
  Ways copies;                        ///< from source to result, past the cores
};

/// Shape: the plan is one of the program.
DataPaths data_paths(const Program& program, const CoreSchedule& plan);

}  // namespace xorloom
