#pragma once

#include <cstddef>
#include <vector>

#include "runtime/engine/task_graph.hpp"
#include "runtime/engine/tile_counts.hpp"

namespace xorloom {

/// What a group of a task graph takes, as prediction needs it.
struct GroupWork {
  TileCounts tile;
  std::size_t tile_columns;  ///< that a tile is of
};

/// What a core of a task graph does, in its order.
struct CoreWork {
  std::vector<GroupWork> groups;
  std::size_t values = 0;  ///< handed over to it or by it
};

/// Columns of a tile that computes that many outputs.
std::size_t columns_of(const TileCounts& tile, std::size_t outputs);

/// The work of all cores of a graph.
std::vector<CoreWork> work_on_cores(const TaskGraph& graph);

}  // namespace xorloom
