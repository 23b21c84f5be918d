#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "codes/code.hpp"
#include "equations/cores/spread.hpp"
#include "equations/ir/core_schedule.hpp"
#include "equations/ir/program.hpp"
#include "gen/vector/lower.hpp"
#include "runtime/engine/computation.hpp"
#include "runtime/machine/cache_sizes.hpp"

namespace xorloom {

struct PlanOptions;

/// Lengths of blocks whose groups one core computes, one after the other; in columns.
struct NearBlocks {
  std::size_t least;    ///< fewest columns of a block
  std::size_t columns;  ///< best number of columns
  std::size_t far;      ///< best number if outputs are stored past the caches
  bool fits_first;      ///< true: a block of `columns` and the code of all groups fit L1
};

/// The parts of a program, each made ready to run: the nodes of a dependency graph.
///
/// Work goes block by block through the columns. Values that a group hands over lie in a ring of
/// blocks, so that the group works on a block while its readers still work on earlier ones:
///
///     value 0   | block 0 | block 1 | … | block depth-1 |     block b is in place b % depth
///     value 1   | …
class TaskGraph {
 public:
  struct Group {
    std::unique_ptr<const Computation> computation;
    std::size_t core;                    ///< core that runs the group
    std::vector<std::uint32_t> reads;    ///< groups, all earlier
    std::vector<std::uint32_t> readers;  ///< groups, all later
    std::vector<std::uint32_t> values;   ///< locations of values that are handed over, in and out
    std::size_t outputs;                 ///< elements that the group computes
    std::size_t handed_over;             ///< values that the group takes or leaves
  };

  /// Makes each group ready to run, as make_computation does.
  ///
  /// Shape:  the parts are of a program of the code, cut with values_per_location.
  /// Errors: as make_computation.
  TaskGraph(const Code& code, const ProgramParts& parts, const PlanOptions& options);

  const std::vector<Group>& groups() const { return groups_; }

  /// By core: its groups, each after the groups that it reads. Every core has some.
  const std::vector<std::vector<std::uint32_t>>& cores() const { return cores_; }

  std::size_t locations() const { return locations_; }  ///< locations of the code
  std::size_t value_locations() const { return value_locations_; }
  std::size_t depth() const { return depth_; }
  std::size_t columns(std::size_t chunk_bytes) const noexcept;

  /// The length of blocks that is about `wanted` columns. Only the last block is shorter and, if
  /// packets are wide, the last one of each packet, since a block lies within one.
  std::size_t block_columns(std::size_t wanted) const noexcept;

  /// Number of blocks of `columns` columns, and the columns of one block.
  std::size_t num_blocks(std::size_t columns, std::size_t block_columns) const noexcept;
  ColumnRange block_range(std::size_t block, std::size_t columns,
                          std::size_t block_columns) const noexcept;

  /// Bytes that a location of values takes for a block.
  std::size_t value_bytes(std::size_t block_columns) const noexcept;

  /// Lengths of blocks whose code and bytes fit L1, or a share of L2 if L1 would hold too few
  /// tiles.
  NearBlocks near_blocks(const CacheSizes& caches) const noexcept;

  /// Bytes of a ring of blocks of `block_columns` columns, in which values are handed over.
  std::size_t ring_bytes(std::size_t block_columns) const noexcept;

  /// Bytes from the first byte of a location to the block of a column, as if the location were as
  /// long as a chunk.
  std::size_t distance(std::size_t column) const noexcept;

  /// True if each group has machine code.
  bool has_code() const;

  std::size_t memory_bytes() const;

 private:
  std::size_t blocks_span(std::size_t columns) const noexcept;

  std::vector<Group> groups_;
  std::vector<std::vector<std::uint32_t>> cores_;
  std::size_t locations_;
  std::size_t value_locations_;
  std::size_t rows_;          ///< 1 on words
  std::size_t packet_bytes_;  ///< 0 on words
  std::size_t depth_ = 1;
  std::size_t column_bytes_ = 0;   ///< bytes of a column: read, written or handed over
  std::size_t tile_columns_ = 64;  ///< multiple of the tiles of all groups, and of a line
};

/// Number of values that share a location: code.rows() if packets are narrow, so that a block
/// covers whole super-blocks; else 1.
std::size_t values_per_location(const Code& code);

/// Work of a group of a task graph, for prediction.
struct GroupWork {
  TileCounts tile;
  std::size_t tile_columns;  ///< columns of a tile
};

/// Work of a core of a task graph, in its order.
struct CoreWork {
  std::vector<GroupWork> groups;
  std::size_t values = 0;  ///< values that the core takes or leaves
};

/// The work of all cores of a graph.
std::vector<CoreWork> work_on_cores(const TaskGraph& graph);

}  // namespace xorloom
