#include "cli/measuring/thread_costs.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include "cli/measuring/rounds.hpp"
#include "cli/shell/running.hpp"
#include "codes/bits.hpp"
#include "codes/families/families.hpp"
#include "codes/linear_map.hpp"
#include "runtime/engine/tile_counts.hpp"
#include "runtime/machine/cache_sizes.hpp"
#include "runtime/machine/thread_team.hpp"
#include "runtime/plans/codec_access.hpp"
#include "runtime/plans/plan_explanation.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::microseconds kAwake(500);
constexpr int kCalls = 200;
constexpr std::size_t kLines = 1024;  ///< 64 KiB: fits a core's own caches

/// Costs on a server of 2023.
constexpr ThreadCosts kUsual{0.6e-6, 7e-9, 60e-9, 50e-9, 1, false};

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

/// Seconds of a call in which all threads only report and wait for each other: its least duration.
double start_seconds(ThreadTeam& team, std::size_t threads) {
  std::vector<double> times;
  for (int call = 0; call < kCalls; ++call) {
    std::atomic<std::size_t> there{0};
    std::atomic<bool> saw_all{true};
    const Clock::time_point begin = Clock::now();
    team.run(threads, kAwake, [&](std::size_t) noexcept {
      ++there;
      // A thread that waits too long gives up, and the call does not count.
      for (int i = 0; i < 2000 && there != threads; ++i) pause_thread();
      if (there != threads) saw_all = false;
    });
    if (saw_all && there == threads) times.push_back(seconds_since(begin));
  }
  return times.size() < kCalls / 4 ? kUsual.start : median(times);
}

/// Seconds to fetch a line: one thread writes lines, then the other reads them.
double line_seconds(ThreadTeam& team) {
  struct alignas(64) Line {
    std::uint64_t value;
  };
  std::vector<Line> lines(kLines);
  std::vector<double> times;
  std::atomic<std::uint64_t> sum{0};
  for (int call = 0; call < kCalls; ++call) {
    std::atomic<bool> is_written{false};
    double seconds = 0;
    team.run(2, kAwake, [&](std::size_t thread) noexcept {
      if (thread == 1) {
        for (Line& line : lines) line.value += 1;
        is_written = true;
        return;
      }
      for (int i = 0; i < 20'000 && !is_written; ++i) pause_thread();
      if (!is_written) return;
      const Clock::time_point begin = Clock::now();
      std::uint64_t read = 0;
      for (const Line& line : lines) read += line.value;
      sum += read;
      seconds = seconds_since(begin);
    });
    if (seconds > 0) times.push_back(seconds / kLines);
  }
  return times.size() < kCalls / 4 ? kUsual.line : median(times);
}

/// Seconds of encoding little data, which is nearly all overhead: of the call and, for a graph, of
/// its blocks.
double call_seconds(Executor executor, std::size_t columns) {
  constexpr std::size_t kRounds = 15;
  constexpr std::size_t kRows = 2;
  Options options;
  options.executor = executor;
  options.threads = executor == Executor::kRanges ? 1 : 2;
  options.awake_microseconds = static_cast<std::uint32_t>(kAwake.count());
  const Codec codec("cauchy-good:k=2,m=2,w=2", options);
  const std::size_t chunk_bytes = codec.round_up(columns * kRows);
  const Chunks chunks(codec, chunk_bytes);
  return timed_alone(
      [&](std::size_t calls) {
        for (std::size_t i = 0; i < calls; ++i) check(codec.encode(chunks.data(), chunk_bytes));
      },
      false, kRounds, static_cast<std::size_t>(options.threads));
}

double block_seconds() {
  constexpr std::size_t kColumns = 64;  // the smallest block
  constexpr std::size_t kBlocks = 8;
  const double many = call_seconds(Executor::kPlan, kBlocks * kColumns);
  const double one = call_seconds(Executor::kPlan, kColumns);
  return many > one ? (many - one) / (kBlocks - 1) : kUsual.block;
}

double far_share(std::size_t threads) {
  constexpr std::size_t kRounds = 9;
  constexpr std::size_t kMostBytes = std::size_t{128} << 20;
  const std::size_t stripe_bytes = std::min(4 * cache_sizes().l2 * threads, kMostBytes);
  const auto seconds = [&](std::size_t count) {
    Options options;
    options.executor = Executor::kRanges;
    options.threads = static_cast<int>(count);
    options.awake_microseconds = static_cast<std::uint32_t>(kAwake.count());
    const Codec codec("parity:k=10", options);
    const std::size_t chunk_bytes = codec.round_up(stripe_bytes / 11);
    const Chunks chunks(codec, chunk_bytes);
    return timed_alone(
        [&](std::size_t calls) {
          for (std::size_t i = 0; i < calls; ++i) check(codec.encode(chunks.data(), chunk_bytes));
        },
        false, kRounds, count);
  };
  return static_cast<double>(threads) * seconds(threads) / seconds(1);
}

/// Work and time of encoding 64 columns in a core's own caches.
struct Work {
  double xors;   ///< XORs of lines
  double lines;  ///< lines read and written
  double seconds;
};

Work measured_work(const char* spec) {
  constexpr std::size_t kChunkBytes = std::size_t{16} << 10;
  constexpr std::size_t kRounds = 9;
  const Code code = make_code(spec);
  Options options;
  options.executor = Executor::kRanges;  // no device
  const PlanExplanation plan =
      explanation_of(code, encoding_map(code), for_encoding(plan_options(options)));
  const Codec codec = CodecAccess::codec_of(code, options);
  const std::size_t chunk_bytes = codec.round_up(kChunkBytes);
  const Chunks chunks(codec, chunk_bytes);
  const auto encode = [&](std::size_t calls) {
    for (std::size_t i = 0; i < calls; ++i) {
      check(codec.encode(chunks.data(), chunk_bytes));
    }
  };
  const double seconds = timed_alone(encode, false, kRounds);
  const auto columns = static_cast<double>(chunk_bytes) / static_cast<double>(units_of_chunk(code));
  return {
      static_cast<double>(plan.shared_xors.value_or(plan.direct_xors)),
      static_cast<double>(bytes_of(plan.work.tile)) / static_cast<double>(plan.work.tile_columns),
      seconds * 64 / columns};
}

double line_now() {
  if (std::thread::hardware_concurrency() < 2) return kUsual.line;
  ThreadTeam team;
  team.grow(2);
  return line_seconds(team);
}

}  // namespace

ThreadCosts measured_thread_costs(std::size_t threads) {
  if (std::thread::hardware_concurrency() < 2 || threads < 2 ||
      threads > std::thread::hardware_concurrency()) {
    return kUsual;
  }
  ThreadTeam team;
  team.grow(threads);
  return {start_seconds(team, threads),
          line_seconds(team),
          call_seconds(Executor::kRanges, 64),
          block_seconds(),
          far_share(threads),
          true};
}

CorePrices core_prices() {
  // Two codes that differ in their XORs per line that is read or written.
  const Work much = measured_work("cauchy-good:k=10,m=4,w=8");
  const Work little = measured_work("parity:k=10");
  const double determinant = much.xors * little.lines - little.xors * much.lines;
  const double xor_seconds =
      (much.seconds * little.lines - little.seconds * much.lines) / determinant;
  const double load_seconds =
      (much.xors * little.seconds - little.xors * much.seconds) / determinant;
  if (!(xor_seconds > 0)) return {};
  return {std::max(0.0, load_seconds / xor_seconds), line_now() / xor_seconds};
}

}  // namespace xorloom::cli
