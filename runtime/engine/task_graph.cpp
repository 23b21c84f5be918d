#include "runtime/engine/task_graph.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "runtime/engine/program_code.hpp"

namespace xorloom {
namespace {

/// Packets of more bytes are wide: a block lies within one super-block.
constexpr std::size_t kWidestNarrow = 512;

bool is_narrow(std::size_t packet_bytes) {
  return packet_bytes != 0 && packet_bytes <= kWidestNarrow;
}

/// Number of elements that a part reads or computes and that are not in chunks.
std::size_t values_handed_over(const Program& part, std::size_t chunk_elements) {
  const auto is_value = [&](Element element) {
    return element >= chunk_elements && element < part.num_cells();
  };
  return static_cast<std::size_t>(std::ranges::count_if(part.inputs, is_value) +
                                  std::ranges::count_if(part.outputs, is_value));
}

/// 1/8 of L1 is left for data outside the block.
constexpr std::size_t kShareOfOthers = 8;

/// Computing fewer tiles takes little longer than calling their kernels.
constexpr std::size_t kFewTiles = 2;

/// 1/4 of L2 is for a block that L1 does not hold.
constexpr std::size_t kShareOfSecond = 4;

/// Most blocks of a ring: no core is farther ahead of another one.
constexpr std::size_t kMostDepth = 8;

}  // namespace

std::size_t values_per_location(const Code& code) {
  const bool is_packets = code.arrangement == Arrangement::kPacket;
  return is_packets && is_narrow(code.packet_bytes) ? code.rows() : 1;
}

TaskGraph::TaskGraph(const Code& code, const ProgramParts& parts, const PlanOptions& options)
    : locations_(code.locations),
      value_locations_((parts.handed_over + parts.per_location - 1) / parts.per_location),
      rows_(code.arrangement == Arrangement::kPacket ? code.rows() : 1),
      packet_bytes_(code.arrangement == Arrangement::kPacket ? code.packet_bytes : 0) {
  PlanOptions near = options;
  near.makes_near = true;
  Code wide = code;
  wide.locations += value_locations_;
  const std::size_t rows = parts.parts.empty() ? 1 : parts.parts.front().program.rows;
  std::vector<bool> is_used(wide.locations * rows);
  std::map<std::size_t, std::uint32_t> number_of_core;
  for (const ProgramParts::Part& part : parts.parts) number_of_core.emplace(part.core, 0);
  for (auto& [core, number] : number_of_core) {
    number = static_cast<std::uint32_t>(cores_.size());
    cores_.emplace_back();
  }
  for (const ProgramParts::Part& part : parts.parts) {
    Group group{make_computation(wide, part.program, near),
                number_of_core.at(part.core),
                {},
                {},
                {},
                part.program.outputs.size(),
                values_handed_over(part.program, locations_ * part.program.rows)};
    for (const auto* elements : {&part.program.inputs, &part.program.outputs}) {
      for (const Element element : *elements) is_used[element] = true;
    }
    for (const std::size_t location : locations_in_use(part.program)) {
      if (location >= locations_) group.values.push_back(static_cast<std::uint32_t>(location));
    }
    cores_[group.core].push_back(static_cast<std::uint32_t>(groups_.size()));
    groups_.push_back(std::move(group));
  }
  for (const auto& [earlier, later] : parts.edges) {
    groups_[earlier].readers.push_back(later);
    groups_[later].reads.push_back(earlier);
  }
  for (const Group& group : groups_) {
    tile_columns_ = std::lcm(tile_columns_, group.computation->facts().tile_columns);
  }
  column_bytes_ = static_cast<std::size_t>(std::ranges::count(is_used, true));
  // The ring has a block for each group of the longest path, and one more to work ahead.
  std::vector<std::size_t> way(groups_.size(), 1);
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    for (const std::uint32_t before : groups_[g].reads) way[g] = std::max(way[g], way[before] + 1);
    depth_ = std::max(depth_, way[g]);
  }
  depth_ = std::min(depth_ + 1, kMostDepth);
}

std::size_t TaskGraph::columns(std::size_t chunk_bytes) const noexcept {
  return groups_.empty() ? 0 : groups_.front().computation->columns(chunk_bytes);
}

std::size_t TaskGraph::block_columns(std::size_t wanted) const noexcept {
  wanted = std::max(wanted, kLineBytes);
  if (packet_bytes_ == 0 || is_narrow(packet_bytes_)) {
    const std::size_t unit = std::lcm(tile_columns_, std::max<std::size_t>(1, packet_bytes_));
    return (wanted + unit - 1) / unit * unit;
  }
  const std::size_t whole = (wanted + tile_columns_ - 1) / tile_columns_ * tile_columns_;
  return std::min(whole, packet_bytes_);
}

std::size_t TaskGraph::num_blocks(std::size_t columns, std::size_t block_columns) const noexcept {
  if (columns == 0) return 0;
  const std::size_t span = blocks_span(columns);
  return (columns + span - 1) / span * ((span + block_columns - 1) / block_columns);
}

ColumnRange TaskGraph::block_range(std::size_t block, std::size_t columns,
                                   std::size_t block_columns) const noexcept {
  const std::size_t span = blocks_span(columns);
  if (span == columns) {  // mostly so, and quicker than dividing
    const std::size_t begin = block * block_columns;
    return {begin, std::min(begin + block_columns, columns)};
  }
  const std::size_t in_span = (span + block_columns - 1) / block_columns;
  const std::size_t first = block / in_span * span;
  const std::size_t begin = first + block % in_span * block_columns;
  return {begin, std::min({begin + block_columns, first + span, columns})};
}

/// Columns that a block lies within: those of a packet if packets are wide, else all.
std::size_t TaskGraph::blocks_span(std::size_t columns) const noexcept {
  return packet_bytes_ == 0 || is_narrow(packet_bytes_) ? columns : packet_bytes_;
}

NearBlocks TaskGraph::near_blocks(const CacheSizes& caches) const noexcept {
  const std::size_t tile = block_columns(1);
  const std::size_t tile_bytes = std::max<std::size_t>(1, tile * column_bytes_);
  const std::size_t near = (caches.l1 - caches.l1 / kShareOfOthers) / tile_bytes;
  std::size_t code = 0;
  for (const Group& group : groups_) code += group.computation->counts().code_bytes;
  const bool fits_first = near >= kFewTiles && code <= kMostCodeBytes;
  const std::size_t far = std::max(kFewTiles, caches.l2 / kShareOfSecond / tile_bytes);
  return {tile, (fits_first ? near : far) * tile, far * tile, fits_first};
}

std::size_t TaskGraph::value_bytes(std::size_t block_columns) const noexcept {
  return is_narrow(packet_bytes_) ? block_columns * rows_ : block_columns;
}

std::size_t TaskGraph::ring_bytes(std::size_t block_columns) const noexcept {
  return depth_ * value_locations_ * value_bytes(block_columns);
}

std::size_t TaskGraph::distance(std::size_t column) const noexcept {
  if (packet_bytes_ == 0) return column;
  return column / packet_bytes_ * packet_bytes_ * rows_ + column % packet_bytes_;
}

bool TaskGraph::has_code() const {
  return std::ranges::all_of(groups_,
                             [](const Group& group) { return group.computation->has_code(); });
}

std::size_t TaskGraph::memory_bytes() const {
  std::size_t bytes = sizeof *this;
  for (const Group& group : groups_) {
    bytes +=
        sizeof group + group.computation->memory_bytes() +
        (group.reads.size() + group.readers.size() + group.values.size()) * sizeof(std::uint32_t);
  }
  return bytes;
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
