#include "equations/network/least_time.hpp"

#include <algorithm>

#include "equations/reads/read_bound.hpp"

namespace xorloom {
namespace {

/// Field operations of a rank that are done at most: some tenths of a second.
constexpr std::size_t kMostRankWork = std::size_t{1} << 26;

std::size_t rank_of(const Code& cells, const Matrix& rows, std::span<const std::size_t> locations) {
  Matrix chosen(locations.size() * cells.subchunks, rows.columns());
  std::size_t next = 0;
  for (const std::size_t location : locations) {
    for (std::size_t i = 0; i < cells.subchunks; ++i) {
      std::ranges::copy(rows.row(location * cells.subchunks + i), chosen.row(next++).begin());
    }
  }
  return rank(cells.field, std::move(chosen));
}

}  // namespace

std::size_t cells_left_open(const Code& cells, std::span<const std::size_t> lost,
                            std::span<const std::size_t> known) {
  if (is_proved_mds(cells)) {
    // Any k chunks hold all of the data, and fewer tell nothing of another one.
    const std::size_t k = cells.data.size() / cells.subchunks;
    return known.size() >= k ? 0 : std::min(lost.size(), k - known.size()) * cells.subchunks;
  }
  const std::size_t rows = (lost.size() + known.size()) * cells.subchunks;
  if (rows * rows > kMostRankWork / std::max<std::size_t>(1, cells.data.size())) return 0;
  std::vector<std::size_t> both(known.begin(), known.end());
  both.insert(both.end(), lost.begin(), lost.end());
  const Matrix contents = generator(cells);
  return rank_of(cells, contents, both) - rank_of(cells, contents, known);
}

LeastTime least_time(const Code& cells, const Topology& topology,
                     const std::vector<std::size_t>& placement, std::span<const std::size_t> lost,
                     std::size_t root, double chunk_bytes) {
  const double cell_bytes = chunk_bytes / static_cast<double>(cells.subchunks);
  const std::size_t home = topology.nodes[root].rack;
  LeastTime least{0, node_down(root)};
  /// The locations left on the nodes that the function names are on the near side of the link.
  const auto consider = [&](LinkNumber link, const auto& is_near) {
    std::vector<std::size_t> known;
    for (std::size_t location = 0; location < cells.locations; ++location) {
      if (std::ranges::find(lost, location) != lost.end()) continue;
      if (is_near(placement[location])) known.push_back(location);
    }
    const auto open = static_cast<double>(cells_left_open(cells, lost, known));
    const double seconds = open * cell_bytes / bandwidth(topology, link);
    if (open > 0 && seconds > least.seconds) least = {seconds, link};
  };
  const auto rack_of = [&](std::size_t node) { return topology.nodes[node].rack; };
  consider(node_down(root), [&](std::size_t node) { return node == root; });
  if (topology.racks.size() > 1) {
    consider(rack_down(topology, home), [&](std::size_t node) { return rack_of(node) == home; });
  }
  std::vector<std::size_t> nodes = placement;
  std::ranges::sort(nodes);
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  std::vector<bool> is_seen(topology.racks.size(), false);
  for (const std::size_t far : nodes) {
    if (far == root) continue;
    consider(node_up(far), [&](std::size_t node) { return node != far; });
    const std::size_t rack = rack_of(far);
    if (rack == home || is_seen[rack]) continue;
    is_seen[rack] = true;
    consider(rack_up(topology, rack), [&](std::size_t node) { return rack_of(node) != rack; });
  }
  if (least.seconds > 0) least.seconds += topology.latency_seconds;
  return least;
}

}  // namespace xorloom
