#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/engine/task_graph.hpp"
#include "runtime/machine/cache_sizes.hpp"
#include "runtime/machine/stores.hpp"

namespace xorloom {

/// A task graph while it runs over a stripe. Each group counts its blocks that are done; a group
/// takes its next block when those it reads are past it, and those that read it have left the place
/// in the ring that it would write. There is no other order, and nobody waits holding anything:
///
///     core 0, group 0   blocks 0 1 2 3 4 5
///     core 1, group 1          blocks 0 1 2 3      reads group 0
///     core 0, group 2                 blocks 0 1   reads group 1
///
/// One thread at a time has a core. A thread keeps to its own core while that has something to do,
/// and then sees to others, so that any number of threads finishes the work: one alone, too.
class GraphRun {
 public:
  /// Errors: throws std::bad_alloc.
  explicit GraphRun(const TaskGraph& graph);

  /// Gets ready for a stripe. No thread may be in help().
  ///
  /// Buffers: as in Computation::run; wanted_columns is about the length of a block.
  /// Errors:  throws std::bad_alloc where the blocks are longer than ever before.
  void begin(std::uint8_t* const* chunks, std::size_t chunk_bytes, std::size_t wanted_columns,
             Stores stores);

  /// Works until all is done, as the thread of that number. Any number of threads may be in it.
  void help(std::size_t thread) noexcept;

  const TaskGraph& graph() const { return graph_; }

 private:
  struct alignas(kLineBytes) Progress {
    std::atomic<std::uint32_t> blocks{0};  ///< done
  };
  struct alignas(kLineBytes) Core {
    std::atomic<bool> is_taken{false};
    std::atomic<bool> is_done{false};
    std::vector<std::uint8_t*> pointers;  ///< of the chunks, then of the locations of values
  };

  bool is_ready(const TaskGraph::Group& group, std::uint32_t block) const noexcept;
  bool advance(std::size_t core) noexcept;
  bool take_turns(std::size_t core) noexcept;
  void run_block(const TaskGraph::Group& group, Core& core, std::uint32_t block) noexcept;

  const TaskGraph& graph_;
  std::unique_ptr<Progress[]> progress_;  ///< by group
  std::unique_ptr<Core[]> cores_;
  struct alignas(kLineBytes) Line {
    std::array<std::uint8_t, kLineBytes> bytes;
  };
  std::vector<Line> ring_;
  std::size_t chunk_bytes_ = 0;
  std::size_t columns_ = 0;
  std::size_t block_columns_ = 0;
  std::uint32_t blocks_ = 0;
  Stores stores_ = Stores::kOrdinary;
  alignas(kLineBytes) std::atomic<std::size_t> cores_left_{0};
  std::atomic<std::size_t> helpers_{0};  ///< threads in help()
};

}  // namespace xorloom
