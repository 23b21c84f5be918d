#include "runtime/engine/executor.hpp"

#include <fmt/format.h>
#include <oneapi/tbb/flow_graph.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <deque>
#include <exception>

#include "codes/text/error.hpp"
#include "runtime/engine/cost_model.hpp"
#include "runtime/machine/threads.hpp"

namespace xorloom {
namespace {

namespace flow = oneapi::tbb::flow;

/// Few enough blocks to keep long streams, enough that a thread that comes late costs little.
constexpr std::size_t kRangesPerThread = 4;

/// Columns of a block of the graph: what one group computes is read by another soon, so a block of
/// all operands should stay in the outer caches; and a node should take microseconds, far more than
/// its task costs.
constexpr std::size_t kGraphBlockColumns = 8192;
constexpr std::size_t kBlocksPerInstance = 2;

struct Stripe {
  std::uint8_t* const* chunks;
  std::size_t chunk_bytes;
  std::size_t columns;
  Stores stores;
};

/// Rounded up.
std::size_t share(std::size_t columns, std::size_t parts) {
  return columns / parts + (columns % parts != 0 ? 1 : 0);
}

/// Each thread begins with a part of the columns that is its own by its place in the arena, the
/// same in every call, so that a stripe that is used again is still in its core's cache; then it
/// helps others.
void run_ranges(const Computation& computation, const Stripe& stripe, std::size_t threads) {
  const std::size_t width = block_columns(share(stripe.columns, threads * kRangesPerThread),
                                          computation.column_multiple());
  const std::size_t part = block_columns(share(stripe.columns, threads), width);
  std::deque<ColumnBlocks> parts;
  for (std::size_t begin = 0; begin < stripe.columns; begin += part) {
    parts.emplace_back(ColumnRange{begin, std::min(stripe.columns, begin + part)}, width);
  }
  oneapi::tbb::parallel_for(
      std::size_t{0}, parts.size(),
      [&](std::size_t i) {
        const int place = oneapi::tbb::this_task_arena::current_thread_index();
        const std::size_t own = place >= 0 ? static_cast<std::size_t>(place) : i;
        for (std::size_t p = 0; p < parts.size(); ++p) {
          ColumnBlocks& blocks = parts[(own + p) % parts.size()];
          while (const std::optional<ColumnRange> block = blocks.take()) {
            computation.run(stripe.chunks, stripe.chunk_bytes, block->begin, block->end,
                            stripe.stores);
          }
        }
      },
      oneapi::tbb::simple_partitioner());
}

/// One instance of the dependency graph:
///
///   start ── groups without predecessors ── … ── groups without successors ── end
///     └──────────────────────── next block ──────────────────────────────────┘
///
/// The way back is a message that `end` sends, not an edge, so that `end` can stop.
class GraphInstance {
 public:
  GraphInstance(flow::graph& graph, const Computation& computation, const TaskGraph& tasks,
                ColumnBlocks& blocks, const Stripe& stripe)
      : run_(computation, tasks, blocks, stripe.chunks, stripe.chunk_bytes),
        start_(graph, [](const flow::continue_msg& message) { return message; }),
        end_(graph, [this](const flow::continue_msg& message) {
          start_next_block();
          return message;
        }) {
    std::vector<bool> has_predecessor(tasks.num_groups());
    std::vector<bool> has_successor(tasks.num_groups());
    for (std::size_t g = 0; g < tasks.num_groups(); ++g) {
      groups_.emplace_back(graph, [this, g](const flow::continue_msg& message) {
        run_.run_group(g);
        return message;
      });
    }
    for (const auto& [earlier, later] : tasks.edges) {
      flow::make_edge(groups_[earlier], groups_[later]);
      has_successor[earlier] = true;
      has_predecessor[later] = true;
    }
    for (std::size_t g = 0; g < tasks.num_groups(); ++g) {
      if (!has_predecessor[g]) flow::make_edge(start_, groups_[g]);
      if (!has_successor[g]) flow::make_edge(groups_[g], end_);
    }
  }

  void start_next_block() {
    if (run_.take_block()) start_.try_put(flow::continue_msg());
  }

 private:
  using Node = flow::continue_node<flow::continue_msg>;
  GroupRun run_;
  Node start_;
  Node end_;
  std::deque<Node> groups_;
};

void run_graph(const Computation& computation, const TaskGraph& tasks, const Stripe& stripe,
               std::size_t threads) {
  const std::size_t wanted =
      std::min(kGraphBlockColumns, share(stripe.columns, threads * kBlocksPerInstance));
  ColumnBlocks blocks(stripe.columns, block_columns(wanted, computation.column_multiple()));
  flow::graph graph;
  std::deque<GraphInstance> instances;
  std::exception_ptr failure;
  try {
    for (std::size_t i = 0; i < std::min(threads, blocks.count()); ++i) {
      instances.emplace_back(graph, computation, tasks, blocks, stripe);
    }
    for (GraphInstance& instance : instances) instance.start_next_block();
  } catch (...) {
    failure = std::current_exception();
    graph.cancel();
  }
  // The nodes and the stripe must outlive every task, and the graph's destructor must find none.
  graph.wait_for_all();
  if (failure) std::rethrow_exception(failure);
}

/// False if the work was not done, or not all of it.
bool run_in_parallel(const Computation& computation, const TaskGraph& tasks,
                     const Execution& execution, const Stripe& stripe) noexcept try {
  if (!is_tbb_ready()) return false;
  const std::size_t threads =
      execution.threads != 0
          ? execution.threads
          : static_cast<std::size_t>(oneapi::tbb::this_task_arena::max_concurrency());
  if (threads == 1) return false;
  if (execution.executor == Executor::kGraph) {
    // Only an arena of its own keeps a graph to that many threads.
    oneapi::tbb::task_arena arena(static_cast<int>(usable_threads(threads)));
    arena.execute([&] { run_graph(computation, tasks, stripe, threads); });
  } else {
    // As many tasks as threads, in the caller's arena: one of its own would cost more than a stripe
    // that fits a cache takes. Isolated, so that the caller takes up none of its other tasks here.
    oneapi::tbb::this_task_arena::isolate([&] { run_ranges(computation, stripe, threads); });
  }
  return true;
} catch (...) {
  return false;
}

}  // namespace

void prepare(const Execution& execution) noexcept {
  if (execution.threads != 1) is_tbb_ready();
}

void execute(const Computation& computation, const TaskGraph& tasks, const Execution& execution,
             std::uint8_t* const* chunks, std::size_t chunk_bytes, Stores stores) noexcept {
  if (tasks.num_groups() == 0) return;
  const std::size_t columns = computation.columns(chunk_bytes);
  const bool is_shared =
      execution.threads != 1 && columns != 0 &&
      (execution.executor != Executor::kAuto || columns >= columns_worth_sharing(tasks.cost));
  if (is_shared && run_in_parallel(computation, tasks, execution,
                                   Stripe{chunks, chunk_bytes, columns, stores})) {
    return;
  }
  computation.run(chunks, chunk_bytes, 0, columns, stores);
}

}  // namespace xorloom
