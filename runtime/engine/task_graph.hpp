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
#include "runtime/kernels/isa.hpp"
#include "runtime/machine/cache_sizes.hpp"

namespace xorloom {

struct PlanOptions;

/// Of blocks of columns whose groups one core computes, one after the other.
struct NearBlocks {
  std::size_t least;    ///< columns that a block can have
  std::size_t columns;  ///< that it had better have
  std::size_t far;      ///< the same, where outputs are stored past the caches
  bool fits_first;      ///< the next group finds in the first cache what the one before has loaded
};

/// The parts of a program, each made ready to run: the nodes of a dependency graph.
///
/// Work goes block by block through the columns. What a group hands over to another one lies in a
/// ring of blocks, so that a group works on a block while those that read it still work on earlier
/// ones:
///
///     value 0   | block 0 | block 1 | … | block depth-1 |     block b is in place b % depth
///     value 1   | …
class TaskGraph {
 public:
  struct Group {
    std::unique_ptr<const Computation> computation;
    std::size_t core;                    ///< that it runs on, with the others of that core
    std::vector<std::uint32_t> reads;    ///< groups, all earlier
    std::vector<std::uint32_t> readers;  ///< groups, all later
    std::vector<std::uint32_t> values;   ///< locations of what is handed over, in and out
    std::size_t outputs;                 ///< elements that it computes
    std::size_t handed_over;             ///< values that it takes from others or leaves for them
  };

  /// Each group as machine code if it is wanted and there is some, else for kernels.
  ///
  /// Shape:  the parts are of a program of the code, cut with values_per_location.
  /// Errors: as make_computation.
  TaskGraph(const Code& code, const ProgramParts& parts, const PlanOptions& options);

  const std::vector<Group>& groups() const { return groups_; }

  /// By core, its groups in the order in which each follows those it reads. No core has none.
  const std::vector<std::vector<std::uint32_t>>& cores() const { return cores_; }

  std::size_t locations() const { return locations_; }  ///< of the code
  std::size_t value_locations() const { return value_locations_; }
  std::size_t depth() const { return depth_; }
  std::size_t columns(std::size_t chunk_bytes) const noexcept;

  /// About that many columns, as blocks can have. All blocks have them but the last one or, where
  /// packets are wide, the last one of a packet: a block lies within one.
  std::size_t block_columns(std::size_t wanted) const noexcept;

  /// The blocks of that many columns, and which columns one of them has.
  std::size_t num_blocks(std::size_t columns, std::size_t block_columns) const noexcept;
  ColumnRange block_range(std::size_t block, std::size_t columns,
                          std::size_t block_columns) const noexcept;

  /// Bytes that a location of values takes for a block.
  std::size_t value_bytes(std::size_t block_columns) const noexcept;

  /// Blocks that fit the first cache, code and bytes, or a share of the second where the first
  /// would hold too few tiles of them.
  NearBlocks near_blocks(const CacheSizes& caches) const noexcept;

  /// Bytes of a ring of such blocks, in which values are handed over.
  std::size_t ring_bytes(std::size_t block_columns) const noexcept;

  /// The distance of a column from the first byte of a location: where its block would begin, were
  /// the location as long as a chunk.
  std::size_t distance(std::size_t column) const noexcept;

  /// Whether each group has machine code.
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
  std::size_t column_bytes_ = 0;   ///< of a column: read, written or handed over
  std::size_t tile_columns_ = 64;  ///< a multiple of those of each group, and of a line
};

/// Values that share a location: its rows where packets are narrow and a block takes in several
/// super-blocks, else one.
std::size_t values_per_location(const Code& code);

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

/// The work of all cores of a graph.
std::vector<CoreWork> work_on_cores(const TaskGraph& graph);

}  // namespace xorloom
