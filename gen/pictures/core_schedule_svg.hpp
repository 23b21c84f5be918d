#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "equations/ir/core_schedule.hpp"
#include "equations/ir/program.hpp"
#include "gen/pictures/drawing.hpp"
#include "gen/pictures/element_groups.hpp"

namespace xorloom {

/// Cores and XORs of a plan that is drawn as a chart.
inline constexpr std::size_t kMostGanttCores = 256;
inline constexpr std::size_t kMostGanttSteps = 8192;

/// A plan as a Gantt chart: a row for each core, a column for each step, and a box for each XOR in
/// the color of the equation it is for, paler where it is a partial sum. A core that is idle in a
/// step has an empty frame there.
///
/// Shape:  the plan is one of the program.
/// Errors: throws kInvalidArgument for more than kMostGanttCores cores or kMostGanttSteps XORs.
Picture draw_gantt(const Program& program, const CoreSchedule& plan);

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

/// Cores and locations, data and redundant ones each, of a plan whose data paths are drawn.
inline constexpr std::size_t kMostPathCores = 64;
inline constexpr std::size_t kMostPathLocations = 64;

/// A plan as regions of storage and of calculation with the paths of data between them: locations
/// that are read at the left, cores with the equations they compute in the middle, locations that
/// are written at the right. Lines are paths, from location to core, from core to core, from core
/// to location, as wide as elements go along them.
///
/// Shape:  the plan is one of the program.
/// Result: none where there are more cores or locations than the bounds say.
/// Source: figures 2 and 3 of the paper that the worked example is from.
std::optional<Picture> draw_paths(const Program& program, const CoreSchedule& plan);

}  // namespace xorloom
