#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "runtime/engine/column_blocks.hpp"
#include "runtime/engine/computation.hpp"
#include "runtime/engine/packet_tile_code.hpp"

namespace xorloom {

/// The steps of a computation gathered into groups: the nodes of a dependency graph.
///
/// Groups are contiguous in the order of the steps, in which each step follows those it depends on.
/// So an edge always leads from a group to a later one, and the graph has no cycle.
struct TaskGraph {
  /// Group g is steps first_step[g] … first_step[g+1]-1; the last entry is the number of steps.
  std::vector<std::size_t> first_step{0};
  /// (earlier, later): group `later` reads what group `earlier` computes. Sorted, distinct.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  /// The cost of all steps together, a column.
  std::size_t cost = 0;
  /// The machine code that computes each group, and where it keeps temporaries: add_kernels adds
  /// them. Without, the steps of the computation are run.
  std::vector<PacketTileCode> kernels;
  std::size_t locations = 0;          ///< of the code
  std::size_t scratch_locations = 0;  ///< of temporaries, behind those
  std::size_t rows = 0;               ///< of either

  std::size_t num_groups() const { return first_step.size() - 1; }
};

/// One step a group.
TaskGraph group_each_step(const Computation& computation);

/// At most one group a core, the costliest being as cheap as contiguous groups allow. Where there
/// are no more steps than cores, each is a group.
///
/// Shape: cores is at least 1.
TaskGraph group_for_cores(const Computation& computation, std::size_t cores);

/// One walk through the dependency graph at a time, each over a block of columns: what one instance
/// of the graph owns. Instances that share their ColumnBlocks share nothing else that changes.
///
/// The caller sees to the order: take_block, then each group once, after those it depends on and on
/// whatever thread, then take_block again.
class GroupRun {
 public:
  /// Buffers: the chunks, the task graph, the computation and the blocks outlive it.
  GroupRun(const Computation& computation, const TaskGraph& tasks, ColumnBlocks& blocks,
           std::uint8_t* const* chunks, std::size_t chunk_bytes);

  /// Moves on to a block that no instance has taken; false if none is left.
  bool take_block() noexcept;

  /// Computes a group over the block.
  void run_group(std::size_t group) noexcept;

 private:
  const Computation& computation_;
  const TaskGraph& tasks_;
  ColumnBlocks& blocks_;
  std::uint8_t* const* chunks_;
  std::size_t chunk_bytes_;
  ColumnRange block_{0, 0};
  void place_scratch() noexcept;

  std::unique_ptr<std::uint8_t[]> scratch_;
  std::size_t scratch_chunk_ = 0;        ///< kernels: bytes of a scratch location over a block
  std::vector<std::uint8_t*> pointers_;  ///< kernels: chunks, then scratch locations
};

}  // namespace xorloom
