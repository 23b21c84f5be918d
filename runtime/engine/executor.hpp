#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "runtime/engine/computation.hpp"
#include "runtime/engine/graph_run.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

/// How a computation is spread over threads.
///
///   ranges   each thread computes everything, over columns of its own
///   graph    each thread computes groups of equations as their operands are ready: a dependency
///            graph with a group as node, through which the columns go block by block
///   plan     the same with the groups of a plan for cores, and a thread for each core
///   opencl, cuda   a device computes everything, and the calling thread drives it
///   hybrid   devices and threads take slices of the columns from one queue
///   auto     ranges, or the calling thread alone where there is too little work to share; a plan
///            where is_plan_faster says so
struct Execution {
  Executor executor = Executor::kAuto;
  /// 1: the calling thread alone, and then nothing is allocated; 0: as many as the caller's TBB
  /// arena has, which is the whole machine unless the caller says otherwise.
  std::size_t threads = 1;
  /// How long threads stay awake after their work. Zero: they are TBB's, which sleep soon.
  std::chrono::microseconds awake{0};
};

/// Cost × columns below which `auto` stays on the calling thread, where threads sleep: some 15 µs
/// of one core's time in its cache. With half of it two threads were measured to be as fast as one,
/// with twice of it 1.3 to 1.7 times as fast.
inline constexpr std::size_t kWorkWorthSharing = std::size_t{4} << 20;

/// The same where threads are awake: about 1 µs.
inline constexpr std::size_t kWorkWorthSharingAwake = std::size_t{256} << 10;

/// Whether an executor runs a task graph.
constexpr bool runs_a_graph(Executor executor) {
  return executor == Executor::kGraph || executor == Executor::kPlan;
}

/// Whether an executor runs plans on devices. Threads are for what devices cannot do and, with
/// `hybrid`, for a part of the columns.
constexpr bool runs_on_devices(Executor executor) {
  return executor == Executor::kOpencl || executor == Executor::kCuda ||
         executor == Executor::kHybrid;
}

/// About the columns of a block of a task graph whose cores compute groups of their own, in a
/// stripe of that many. Where groups hand nothing over, no core waits for another one's first
/// block.
std::size_t wanted_block_columns(std::size_t columns, bool hands_over);

/// About the columns of a block whose groups one core computes, in a stripe of that many; 0 if
/// there are so few that cores had better compute groups of their own.
std::size_t near_block_columns(const NearBlocks& blocks, std::size_t columns, std::size_t threads,
                               Stores stores);

/// Starts threads up, if the execution may need them, so that no later call has to do so while
/// memory is short.
void prepare(const Execution& execution) noexcept;

/// Computes all of a computation over a stripe, with no more threads than asked for; those of TBB
/// are the caller's arena's. If threads or memory cannot be had, the calling thread computes all of
/// it.
///
/// Shape:   the runs are of a graph of the same program. There are some if the executor runs a
///          graph, and none if it is kRanges.
/// Buffers: as in Computation::run; chunk_bytes is a multiple of chunk_multiple(code).
/// Cost:    on one thread no heap allocation; else TBB's tasks, and the first time what GraphRun
///          takes.
void execute(const Computation& computation, SpareRuns* graph_runs, const Execution& execution,
             std::uint8_t* const* chunks, std::size_t chunk_bytes,
             Stores stores = Stores::kOrdinary) noexcept;

}  // namespace xorloom
