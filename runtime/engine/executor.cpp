#include "runtime/engine/executor.hpp"

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <memory>

#include "runtime/engine/cost_model.hpp"
#include "runtime/engine/range_run.hpp"
#include "runtime/machine/thread_team.hpp"
#include "runtime/machine/threads.hpp"

namespace xorloom {
namespace {

struct Stripe {
  std::uint8_t* const* chunks;
  std::size_t chunk_bytes;
  std::size_t columns;
  Stores stores;
};

/// Runs work.help(thread) on `threads` threads of TBB, the caller included: one task for each
/// thread, in the caller's arena. A new arena would cost more than a stripe that fits a cache
/// takes. Isolated, so that the caller takes up none of its other tasks here.
template <typename Work>
void help_on_tbb(Work& work, std::size_t threads) {
  oneapi::tbb::this_task_arena::isolate([&] {
    oneapi::tbb::parallel_for(
        std::size_t{0}, threads,
        [&](std::size_t i) {
          const int place = oneapi::tbb::this_task_arena::current_thread_index();
          work.help(place >= 0 ? static_cast<std::size_t>(place) : i);
        },
        oneapi::tbb::simple_partitioner());
  });
}

/// Blocks of a graph. Each core has several, so that cores overlap. They have few enough columns
/// that values that are handed over stay in the outer caches, and enough to take microseconds.
constexpr std::size_t kBlocksPerStripe = 8;
constexpr std::size_t kMostBlockColumns = 2048;

/// Number of blocks if few suffice: a thread that comes late finds some left.
constexpr std::size_t kFewBlocks = 2;

/// Head start of the caller over threads that are awake, in cost × columns: its work before a
/// thread begins, and while it learns that the thread is done. Some 0.2 µs. With twice this head
/// start, two threads were measured to be slower on 160 KiB.
constexpr std::size_t kCostAhead = kWorkWorthSharing / 64;

/// Runs `run` on threads that are awake, any of which can finish it alone. False: no team is free.
template <typename Run>
bool help_awake(Run& run, const Execution& execution, std::size_t threads) {
  const auto help = [&](std::size_t thread) noexcept { run.help(thread); };
  return execution.awake.count() != 0 && ThreadTeam::shared().run(threads, execution.awake, help);
}

/// A run that does not wait for its threads once all is done. They may come when the call is over.
/// A thread that has stopped between two blocks may come back when the plan is gone.
class ApartRun {
 public:
  /// Errors: throws std::bad_alloc.
  explicit ApartRun(SpareRuns& runs) : graph_(runs.shared_graph()), run_(runs.take<GraphRun>()) {}

  GraphRun& run() { return *run_; }

  /// Works as thread number `thread`, unless the call is over.
  void help(std::size_t thread) noexcept {
    for (std::uint32_t now = inside_.load(std::memory_order_relaxed); now < kOver;) {
      if (!inside_.compare_exchange_weak(now, now + 1, std::memory_order_acquire)) continue;
      run_->help(thread);
      inside_.fetch_sub(1, std::memory_order_release);
      return;
    }
  }

  /// Ends the call. Returns the run if all threads leave it soon; else null, and they keep it.
  std::unique_ptr<GraphRun> end() noexcept {
    constexpr std::uint32_t kSoon = 1000;  // rounds
    inside_.fetch_add(kOver, std::memory_order_relaxed);
    for (std::uint32_t rounds = 0; inside_.load(std::memory_order_acquire) != kOver; ++rounds) {
      if (rounds == kSoon) return nullptr;
      wait_a_little(rounds);
    }
    return std::move(run_);
  }

 private:
  static constexpr std::uint32_t kOver = 1U << 31U;

  std::shared_ptr<const TaskGraph> graph_;
  std::unique_ptr<GraphRun> run_;
  std::atomic<std::uint32_t> inside_{0};  ///< threads in help(); kOver more when the call is over
};

std::size_t place_in_arena() noexcept {
  const int place = oneapi::tbb::this_task_arena::current_thread_index();
  return place >= 0 ? static_cast<std::size_t>(place) : 0;
}

/// Tasks that no thread of TBB has begun yet. If threads are stopped, calls add no more than these.
constexpr int kMostWaiting = 1024;
std::atomic<int> waiting_tasks = 0;

/// As help_on_tbb, but a thread that stops between two blocks holds nobody up. If memory runs out,
/// the threads that have begun do the work.
void help_apart(const std::shared_ptr<ApartRun>& apart, std::size_t threads) noexcept {
  for (std::size_t i = 1; i < usable_threads(threads); ++i) {
    if (waiting_tasks.fetch_add(1, std::memory_order_relaxed) >= kMostWaiting) {
      waiting_tasks.fetch_sub(1, std::memory_order_relaxed);
      break;
    }
    try {
      oneapi::tbb::this_task_arena::enqueue([apart]() noexcept {
        waiting_tasks.fetch_sub(1, std::memory_order_relaxed);
        apart->help(place_in_arena());
      });
    } catch (...) {
      waiting_tasks.fetch_sub(1, std::memory_order_relaxed);
      break;
    }
  }
  apart->run().help(place_in_arena());
}

/// Errors: throws if memory runs out, with nothing done.
void run_groups(SpareRuns& runs, const Execution& execution, const Stripe& stripe,
                std::size_t threads, std::size_t block_columns) {
  const auto apart = std::make_shared<ApartRun>(runs);
  apart->run().begin(stripe.chunks, stripe.chunk_bytes, block_columns, threads, stripe.stores);
  if (!help_awake(apart->run(), execution, threads)) help_apart(apart, threads);
  if (std::unique_ptr<GraphRun> run = apart->end()) runs.give_back(std::move(run));
}

/// Errors: throws if memory runs out, with the work done or not.
void run_blocks(SpareRuns& runs, const Execution& execution, const Stripe& stripe,
                std::size_t threads, std::size_t block_columns) {
  std::unique_ptr<BlockRun> run = runs.take<BlockRun>();
  run->begin(stripe.chunks, stripe.chunk_bytes, block_columns, threads, stripe.stores);
  if (!help_awake(*run, execution, threads)) help_on_tbb(*run, threads);
  runs.give_back(std::move(run));
}

/// Errors: as run_blocks.
void run_ranges(const Computation& computation, const Execution& execution, const Stripe& stripe,
                std::size_t threads) {
  if (execution.awake.count() != 0) {
    RangeRun run(computation, stripe.chunks, stripe.chunk_bytes, threads, kCostAhead, stripe.stores,
                 RangeRun::First::kCaller);
    const auto help = [&](std::size_t thread) noexcept {
      if (thread == 0) run.run_first();
      run.help(thread);
    };
    if (run.pieces() == 1) return run.run_first();
    if (ThreadTeam::shared().run(threads, execution.awake, help)) return;
  }
  RangeRun run(computation, stripe.chunks, stripe.chunk_bytes, threads, 0, stripe.stores);
  help_on_tbb(run, threads);
}

/// False if the work was not done, or not all of it.
bool run_in_parallel(const Computation& computation, SpareRuns* graph_runs,
                     const Execution& execution, const Stripe& stripe) noexcept try {
  if (!is_tbb_ready()) return false;
  const std::size_t threads =
      execution.threads != 0
          ? execution.threads
          : static_cast<std::size_t>(oneapi::tbb::this_task_arena::max_concurrency());
  if (threads == 1) return false;
  const bool runs_graph =
      graph_runs != nullptr && (runs_a_graph(execution.executor) ||
                                is_plan_faster(graph_runs->graph(), stripe.columns, threads));
  const bool may_be_near = runs_graph && execution.executor == Executor::kGraph;
  const std::size_t block =
      may_be_near ? near_block_columns(graph_runs->graph().near_blocks(this_machine().caches),
                                       stripe.columns, threads, stripe.stores)
                  : 0;
  if (block != 0) {
    run_blocks(*graph_runs, execution, stripe, threads, block);
  } else if (runs_graph) {
    const bool hands_over = graph_runs->graph().value_locations() != 0;
    run_groups(*graph_runs, execution, stripe, threads,
               wanted_block_columns(stripe.columns, hands_over));
  } else {
    run_ranges(computation, execution, stripe, threads);
  }
  return true;
} catch (...) {
  return false;
}

}  // namespace

std::size_t near_block_columns(const NearBlocks& blocks, std::size_t columns, std::size_t threads,
                               Stores stores) {
  const std::size_t share = columns / std::max<std::size_t>(1, threads) / kFewBlocks;
  // Past the caches, a core waits at the end of a block until all is stored.
  const std::size_t most = stores == Stores::kNonTemporal ? blocks.far : blocks.columns;
  return share < blocks.least ? 0 : std::min(most, share);
}

std::size_t wanted_block_columns(std::size_t columns, bool hands_over) {
  if (!hands_over) return columns / kFewBlocks;
  return std::min(columns / kBlocksPerStripe, kMostBlockColumns);
}

void prepare(const Execution& execution) noexcept {
  if (execution.threads == 1) return;
  is_tbb_ready();
  if (execution.awake.count() != 0 && !are_threads_scarce()) {
    ThreadTeam::shared().grow(execution.threads != 0 ? execution.threads : this_machine().cores);
  }
}

void execute(const Computation& computation, SpareRuns* graph_runs, const Execution& execution,
             std::uint8_t* const* chunks, std::size_t chunk_bytes, Stores stores) noexcept {
  const std::size_t columns = computation.columns(chunk_bytes);
  const bool is_shared = execution.threads != 1 && columns != 0 && computation.cost() != 0 &&
                         (execution.executor != Executor::kAuto ||
                          columns >= columns_worth_sharing(execution, computation.cost()));
  if (is_shared && run_in_parallel(computation, graph_runs, execution,
                                   Stripe{chunks, chunk_bytes, columns, stores})) {
    return;
  }
  computation.run(chunks, chunk_bytes, 0, columns, stores);
}

}  // namespace xorloom
