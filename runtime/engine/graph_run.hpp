#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/engine/task_graph.hpp"
#include "runtime/machine/cache_sizes.hpp"
#include "runtime/machine/stores.hpp"

namespace xorloom {

/// A task graph while it runs over a stripe: the part that GraphRun and BlockRun share.
class StripeOfGraph {
 protected:
  struct alignas(kLineBytes) Line {
    std::array<std::uint8_t, kLineBytes> bytes;
  };

  explicit StripeOfGraph(const TaskGraph& graph) : graph_(graph) {}

  /// Cuts a stripe into blocks of about wanted_columns.
  void cut(std::size_t chunk_bytes, std::size_t wanted_columns, Stores stores);

  /// Points a location of values to a block's columns in `values`, as if they were at their place
  /// in a chunk: computations count columns from the first.
  void place(std::vector<std::uint8_t*>& pointers, std::size_t location, std::uint8_t* values,
             std::size_t first_column) const noexcept;

  const TaskGraph& graph_;
  std::size_t chunk_bytes_ = 0;
  std::size_t columns_ = 0;
  std::size_t block_columns_ = 0;
  std::size_t value_bytes_ = 0;  ///< bytes of a location of values, for one block
  std::uint32_t blocks_ = 0;
  Stores stores_ = Stores::kOrdinary;
};

/// A task graph whose cores compute groups of their own. Each group counts its blocks that are
/// done. A group takes its next block when the groups that it reads are past that block, and the
/// groups that read it have left the place in the ring that it would write. There is no other
/// order, and no thread holds anything while it waits:
///
///     core 0, group 0   blocks 0 1 2 3 4 5
///     core 1, group 1          blocks 0 1 2 3      reads group 0
///     core 0, group 2                 blocks 0 1   reads group 1
///
/// One thread at a time has a core. A thread works for its own core while that has something to do,
/// and then for others, so that any number of threads finishes the work: one alone, too.
///
/// A thread may stop for good between two blocks. If the others find nothing to do for a while,
/// they take its core. If the thread ever comes back, it finds the core taken, and touches the run
/// alone, and no chunk. A thread that stops within a block is waited for.
class GraphRun : StripeOfGraph {
 public:
  /// For tests: called by each thread when it has run a block of a group, or has found that it
  /// cannot. It may return late, or never.
  using BetweenBlocks = void (*)(std::size_t thread, std::uint32_t group, bool has_run) noexcept;
  static inline std::atomic<BetweenBlocks> between_blocks = nullptr;

  /// Errors: throws std::bad_alloc.
  explicit GraphRun(const TaskGraph& graph);

  /// Gets ready for a stripe. Precondition: no thread is in help().
  ///
  /// Buffers: as in Computation::run; wanted_columns is about the length of a block.
  /// Errors:  throws std::bad_alloc, only if the blocks are longer than ever before.
  void begin(std::uint8_t* const* chunks, std::size_t chunk_bytes, std::size_t wanted_columns,
             std::size_t threads, Stores stores);

  /// Works as thread number `thread` until all is done. Any number of threads may be in it. When
  /// one of them has left it, no chunk is read or written any more.
  void help(std::size_t thread) noexcept;

 private:
  struct alignas(kLineBytes) Progress {
    std::atomic<std::uint32_t> blocks{0};  ///< done
  };
  /// A thread in help(). `held` is the value of Core::holder while the thread has a core, and held
  /// + 1 while it runs a block there. No other thread in help() has had the number.
  struct Helper {
    std::size_t thread;
    std::uint64_t held;
  };
  struct alignas(kLineBytes) Core {
    std::atomic<std::uint64_t> holder{0};  ///< 0: no thread
    std::atomic<bool> is_done{false};
    std::vector<std::uint8_t*> pointers;  ///< to the chunks, then to the locations of values
  };

  bool is_ready(const TaskGraph::Group& group, std::uint32_t block) const noexcept;
  bool advance(std::size_t core, const Helper& helper) noexcept;
  bool take_turns(std::size_t core, const Helper& helper, bool seizes) noexcept;
  void run_block(const TaskGraph::Group& group, Core& core, std::uint32_t block) noexcept;

  std::unique_ptr<Progress[]> progress_;  ///< by group
  std::unique_ptr<Core[]> cores_;
  std::vector<Line> ring_;
  alignas(kLineBytes) std::atomic<std::size_t> cores_left_{0};
  std::atomic<std::size_t> helpers_{0};      ///< threads in help()
  std::atomic<std::uint64_t> last_held_{0};  ///< Helper::held of the last thread that came
};

/// A task graph with all groups of a block on one core: what a group has loaded or hands over is in
/// that core's L1 when the next one reads it.
///
///     core 0    block 0: group 0, 1, 2   block 1: group 0, 1, 2   …
///     core 1    block 8: group 0, 1, 2   block 9: …
///
/// Each core has a share of the blocks, the same in every call, so that a stripe that is used again
/// is still in its cache. A thread that has finished its share takes blocks from the end of others:
/// of those that nobody has begun, and of those with many blocks left. One thread alone finishes
/// the work.
class BlockRun : StripeOfGraph {
 public:
  explicit BlockRun(const TaskGraph& graph) : StripeOfGraph(graph) {}

  /// As GraphRun::begin(), with a share for each of `threads` threads, at least 1. More shares than
  /// ever before take memory, too.
  void begin(std::uint8_t* const* chunks, std::size_t chunk_bytes, std::size_t wanted_columns,
             std::size_t threads, Stores stores);

  /// Works until no block is left that thread number `thread` should take. All blocks are done when
  /// every thread that was in it has left. Any number of threads may be in it.
  void help(std::size_t thread) noexcept;

 private:
  struct alignas(kLineBytes) Share {
    std::atomic<std::uint64_t> blocks{0};  ///< left: low half the first, high half the end
    std::atomic<bool> is_taken{false};     ///< a thread has it, or had it
    std::vector<std::uint8_t*> pointers;   ///< to the chunks, then to the locations of values
    std::vector<Line> values;              ///< values of a block
  };

  void run_block(std::uint32_t block, Share& own) const noexcept;

  std::unique_ptr<Share[]> shares_;
  std::size_t room_ = 0;  ///< number of shares in memory
  std::size_t num_shares_ = 0;
  std::uint8_t* const* chunks_ = nullptr;
  std::uint32_t worth_fetching_ = 1;  ///< fewest blocks left in a share from which others take
  bool are_crowded_ = false;          ///< true: streams are crowded, or may be: each block looks
};

/// Unused runs of one graph: a call reuses the memory of an earlier call. Many threads may use a
/// SpareRuns at once.
class SpareRuns {
 public:
  explicit SpareRuns(TaskGraph graph)
      : graph_(std::make_shared<const TaskGraph>(std::move(graph))) {}

  const TaskGraph& graph() const { return *graph_; }

  /// The graph, for threads that may still use a run when the plan is gone.
  std::shared_ptr<const TaskGraph> shared_graph() const { return graph_; }

  /// Takes an unused run, or makes one.
  ///
  /// Errors: throws std::bad_alloc if memory for a new run cannot be had.
  template <typename Run>
  std::unique_ptr<Run> take() {
    {
      const std::scoped_lock lock(mutex_);
      Spare<Run>& spare = std::get<Spare<Run>>(spare_);
      if (!spare.empty()) {
        std::unique_ptr<Run> run = std::move(spare.back());
        spare.pop_back();
        return run;
      }
    }
    return std::make_unique<Run>(*graph_);
  }

  template <typename Run>
  void give_back(std::unique_ptr<Run> run) noexcept try {
    const std::scoped_lock lock(mutex_);
    std::get<Spare<Run>>(spare_).push_back(std::move(run));
  } catch (...) {  // no memory to keep it: the run is freed
    return;
  }

 private:
  template <typename Run>
  using Spare = std::vector<std::unique_ptr<Run>>;

  const std::shared_ptr<const TaskGraph> graph_;
  std::mutex mutex_;
  std::tuple<Spare<GraphRun>, Spare<BlockRun>> spare_;
};

}  // namespace xorloom
