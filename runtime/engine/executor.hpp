#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/engine/computation.hpp"
#include "runtime/engine/task_graph.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

/// How a computation is spread over threads.
///
///   ranges   each thread computes everything, over columns of its own
///   graph    each thread computes groups of steps as their operands are ready: a dependency graph
///            with a group as node and, several instances of it side by side, a block of columns
///            each
///   auto     ranges, or the calling thread alone where there is too little work to share
struct Execution {
  Executor executor = Executor::kAuto;
  /// 1: the calling thread alone, and then nothing is allocated; 0: as many as the caller's TBB
  /// arena has, which is the whole machine unless the caller says otherwise.
  std::size_t threads = 1;
};

/// Cost × columns below which `auto` stays on the calling thread: some 15 µs of one core's time in
/// its cache. With half of it two threads were measured to be as fast as one, with twice of it 1.3
/// to 1.7 times as fast.
inline constexpr std::size_t kWorkWorthSharing = std::size_t{4} << 20;

/// Starts TBB up, if the execution may need it, so that no later call has to do so while memory is
/// short.
void prepare(const Execution& execution) noexcept;

/// Computes all of a computation over a stripe; ranges in the caller's TBB arena, with no more
/// threads than that has. If TBB or memory for its tasks cannot be had, the
/// calling thread computes all of it.
///
/// Shape:   the graph is one of the computation; only its cost matters unless the kind is kGraph,
///          whose groups write through the caches.
/// Buffers: as in Computation::run; chunk_bytes is a multiple of chunk_multiple(code).
/// Cost:    on one thread no heap allocation; else TBB's tasks, and for the graph its nodes and the
///          temporaries of one block an instance.
void execute(const Computation& computation, const TaskGraph& tasks, const Execution& execution,
             std::uint8_t* const* chunks, std::size_t chunk_bytes,
             Stores stores = Stores::kOrdinary) noexcept;

}  // namespace xorloom
