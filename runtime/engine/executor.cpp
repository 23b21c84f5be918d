#include "runtime/engine/executor.hpp"

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>

#include "runtime/engine/column_blocks.hpp"
#include "runtime/engine/cost_model.hpp"
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

/// Rounded up.
std::size_t share(std::size_t columns, std::size_t parts) {
  return columns / parts + (columns % parts != 0 ? 1 : 0);
}

/// Columns in pieces, and which of them a thread has taken. Each thread begins with some that are
/// its own: the same in every call, so that a stripe that is used again is still in its core's
/// cache. Then it takes those that nobody has begun.
///
/// All of it lies in a cache line or two: a line that goes from core to core takes as long as some
/// tiles.
class alignas(64) Ranges {
 public:
  Ranges(const Computation& computation, const Stripe& stripe, const Execution& execution,
         std::size_t threads)
      : computation_(computation), stripe_(stripe) {
    const bool is_long = stripe.columns * computation.cost() >= kWorkWorthCutting;
    if (!is_long && execution.awake.count() != 0) {
      const std::size_t ahead = std::min(kWorkAhead / computation.cost(), stripe.columns / 2);
      head_ = std::min(stripe.columns, block_columns(ahead, computation.column_multiple()));
    }
    const std::size_t wanted = std::min(kMostPieces, threads * (is_long ? kPiecesPerThread : 1));
    const std::size_t rest = stripe.columns - head_;
    width_ = block_columns(share(rest, wanted), computation.column_multiple());
    count_ = std::max<std::size_t>(1, share(rest, width_));
    own_ = std::max<std::size_t>(1, share(count_, threads));
  }

  void help(std::size_t thread) noexcept {
    for (std::size_t i = 0; i < count_; ++i) {
      const std::size_t piece = (thread * own_ + i) % count_;
      std::atomic<std::uint64_t>& taken = taken_[piece / 64];
      const std::uint64_t bit = std::uint64_t{1} << piece % 64;
      if ((taken.load(std::memory_order_relaxed) & bit) != 0) continue;
      // Pieces are independent, so that taking one orders nothing.
      if ((taken.fetch_or(bit, std::memory_order_relaxed) & bit) != 0) continue;
      const std::size_t begin = piece == 0 ? 0 : head_ + piece * width_;
      const std::size_t end = std::min(stripe_.columns, head_ + (piece + 1) * width_);
      computation_.run(stripe_.chunks, stripe_.chunk_bytes, begin, end, stripe_.stores);
    }
  }

 private:
  /// Work of a quarter of a millisecond: from there on, a thread that is held up costs more than
  /// pieces that go from one core to another.
  static constexpr std::size_t kWorkWorthCutting = 16 * kWorkWorthSharing;
  static constexpr std::size_t kPiecesPerThread = 4;
  /// What the caller computes before another thread has begun, and while it learns that this one is
  /// done: a third of a microsecond.
  static constexpr std::size_t kWorkAhead = kWorkWorthSharing / 40;
  static constexpr std::size_t kMostPieces = 256;

  const Computation& computation_;
  const Stripe stripe_;
  std::size_t head_ = 0;  ///< of piece 0, before its width
  std::size_t width_ = 0;
  std::size_t count_ = 0;
  std::size_t own_ = 1;
  std::array<std::atomic<std::uint64_t>, kMostPieces / 64> taken_{};
};

/// Runs work.help(thread) on that many threads, of which the caller is one. Any of them alone
/// finishes the work. Errors: throws where TBB has no memory, with the work done or not.
template <typename Work>
void help_on_threads(Work& work, const Execution& execution, std::size_t threads) {
  if (execution.awake.count() != 0 &&
      ThreadTeam::shared().run(threads, execution.awake,
                               [&](std::size_t thread) noexcept { work.help(thread); })) {
    return;
  }
  // As many tasks as threads, in the caller's arena: one of its own would cost more than a stripe
  // that fits a cache takes. Isolated, so that the caller takes up none of its other tasks here.
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

/// Blocks of a graph. Some to each core at least, so that cores overlap; few enough columns that
/// what is handed over stays in the outer caches; many enough that a block takes microseconds.
constexpr std::size_t kBlocksPerStripe = 8;
constexpr std::size_t kMostBlockColumns = 2048;

void run_graph(SpareRuns& runs, const Execution& execution, const Stripe& stripe,
               std::size_t threads) {
  std::unique_ptr<GraphRun> run = runs.take();
  const std::size_t wanted = std::min(share(stripe.columns, kBlocksPerStripe), kMostBlockColumns);
  run->begin(stripe.chunks, stripe.chunk_bytes, wanted, stripe.stores);
  help_on_threads(*run, execution, threads);
  runs.give_back(std::move(run));
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
  if (graph_runs != nullptr && runs_a_graph(execution.executor)) {
    run_graph(*graph_runs, execution, stripe, threads);
  } else {
    Ranges ranges(computation, stripe, execution, threads);
    help_on_threads(ranges, execution, threads);
  }
  return true;
} catch (...) {
  return false;
}

}  // namespace

void prepare(const Execution& execution) noexcept {
  if (execution.threads == 1) return;
  is_tbb_ready();
  if (execution.awake.count() != 0) {
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
