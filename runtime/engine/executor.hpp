#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "runtime/engine/computation.hpp"
#include "runtime/engine/graph_run.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

/// Execution of a computation by threads, devices or both.
///
///   ranges   each thread computes everything, over columns of its own
///   graph    each thread computes groups of equations as their operands are ready: a dependency
///            graph with a group as node, through which the columns go block by block
///   plan     as graph, with the groups of a plan for cores, and a thread for each core
///   opencl, cuda   a device computes everything, and the calling thread drives it
///   hybrid   devices and threads take slices of the columns from one queue
///   auto     ranges; the calling thread alone if there is too little work to share; a plan if
///            is_plan_faster says so
struct Execution {
  Executor executor = Executor::kAuto;
  /// 1: the calling thread alone, which allocates nothing. 0: all threads of the caller's TBB
  /// arena, which is the whole machine unless the caller says otherwise.
  std::size_t threads = 1;
  /// Time for which threads stay awake after their work. Zero: they are TBB's, which sleep soon.
  std::chrono::microseconds awake{0};
};

/// Cost × columns below which `auto` stays on the calling thread, if threads sleep: some 15 µs of
/// one core's time in its cache. With half of this work two threads were measured to be as fast as
/// one, with twice of it 1.3 to 1.7 times as fast.
inline constexpr std::size_t kWorkWorthSharing = std::size_t{4} << 20;

/// As kWorkWorthSharing, if threads are awake: about 1 µs.
inline constexpr std::size_t kWorkWorthSharingAwake = std::size_t{256} << 10;

/// True if `executor` runs a task graph.
constexpr bool runs_a_graph(Executor executor) {
  return executor == Executor::kGraph || executor == Executor::kPlan;
}

/// True if `executor` runs plans on devices. Threads are for what devices cannot do and, with
/// `hybrid`, for a part of the columns.
constexpr bool runs_on_devices(Executor executor) {
  return executor == Executor::kOpencl || executor == Executor::kCuda ||
         executor == Executor::kHybrid;
}

/// Approximate columns of a block of a task graph whose cores compute groups of their own, in a
/// stripe of `columns` columns. Blocks are long if groups hand nothing over: no core then waits for
/// the first block of another one.
std::size_t wanted_block_columns(std::size_t columns, bool hands_over);

/// Approximate columns of a block whose groups one core computes, in a stripe of `columns` columns.
/// 0: there are too few, so that cores had better compute groups of their own.
std::size_t near_block_columns(const NearBlocks& blocks, std::size_t columns, std::size_t threads,
                               Stores stores);

/// Starts threads up, if the execution may need them, so that no later call has to do so while
/// memory is short.
void prepare(const Execution& execution) noexcept;

/// Runs a computation over a whole stripe, with no more threads than asked for; those of TBB are of
/// the caller's arena. If threads or memory cannot be had, the calling thread computes everything.
///
/// Shape:   graph_runs is of a graph of the same program. It is not null if the executor runs a
///          graph, and null if it is kRanges.
/// Buffers: as in Computation::run; chunk_bytes is a multiple of chunk_multiple(code).
/// Cost:    on one thread no heap allocation; else TBB's tasks, and the first time what GraphRun
///          takes.
void execute(const Computation& computation, SpareRuns* graph_runs, const Execution& execution,
             std::uint8_t* const* chunks, std::size_t chunk_bytes,
             Stores stores = Stores::kOrdinary) noexcept;

}  // namespace xorloom
