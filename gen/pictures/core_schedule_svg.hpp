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

/// Most cores and XORs of a plan that is drawn as a chart.
inline constexpr std::size_t kMostGanttCores = 256;
inline constexpr std::size_t kMostGanttSteps = 8192;

/// Draws a plan as a Gantt chart: a row for each core, a column for each step, and a box for each
/// XOR in the color of its equation, paler for a partial sum. A core that is idle in a step has an
/// empty frame there.
///
/// Shape:  the plan is one of the program.
/// Errors: throws kInvalidArgument for more than kMostGanttCores cores or kMostGanttSteps XORs.
Picture draw_gantt(const Program& program, const CoreSchedule& plan);

/// Elements that move between storage and cores while a plan runs. Copies take no time and have no
/// core: an operand that is a copy counts as its original.
struct DataPaths {
  /// By from and to: the elements that go this way, each once.
  using Ways = std::map<std::pair<std::size_t, std::size_t>, std::set<Element>>;

  std::vector<ElementGroup> sources;  ///< the inputs
  std::vector<ElementGroup> results;  ///< the outputs
  Ways reads;                         ///< from source to core
  Ways moves;                         ///< from core to another core
  Ways writes;                        ///< from core to result
  Ways copies;                        ///< from source to result, past the cores
};

/// Finds the data paths of a plan. Shape: the plan is one of the program.
DataPaths data_paths(const Program& program, const CoreSchedule& plan);

/// Most cores and locations of a plan whose data paths are drawn; sources and results count apart.
inline constexpr std::size_t kMostPathCores = 64;
inline constexpr std::size_t kMostPathLocations = 64;

/// Draws a plan as regions of storage and of calculation with the paths of data between them:
/// locations that are read at the left, cores with the equations they compute in the middle,
/// locations that are written at the right. Lines are paths between these; a wider line carries
/// more elements.
///
/// Shape:  the plan is one of the program.
/// Result: nullopt if there are more cores or locations than the bounds permit.
/// Source: figures 2 and 3 of the paper that the worked example is from.
std::optional<Picture> draw_paths(const Program& program, const CoreSchedule& plan);

}  // namespace xorloom
