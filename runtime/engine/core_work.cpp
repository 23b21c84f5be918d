#include "runtime/engine/core_work.hpp"

#include <algorithm>

namespace xorloom {

std::size_t columns_of(const TileCounts& tile, std::size_t outputs) {
  const std::size_t vectors = tile.vectors_written / std::max<std::size_t>(1, outputs);
  return std::max<std::size_t>(1, vectors) * tile.vector_bytes;
}

std::vector<CoreWork> work_on_cores(const TaskGraph& graph) {
  std::vector<CoreWork> cores;
  for (const std::vector<std::uint32_t>& groups : graph.cores()) {
    CoreWork& core = cores.emplace_back();
    for (const std::uint32_t number : groups) {
      const TaskGraph::Group& group = graph.groups()[number];
      const TileCounts& tile = group.computation->counts();
      core.groups.push_back({tile, columns_of(tile, group.outputs)});
      core.values += group.handed_over;
    }
  }
  return cores;
}

}  // namespace xorloom
