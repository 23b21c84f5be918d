#include "cli/report/report_measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/measuring/bench_fixture.hpp"
#include "cli/measuring/bench_sizes.hpp"
#include "cli/measuring/rounds.hpp"
#include "cli/measuring/xor_roofline.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/running.hpp"
#include "cli/shell/system_description.hpp"
#include "codes/bits.hpp"
#include "codes/text/error.hpp"
#include "equations/cores/list_schedule.hpp"
#include "runtime/files/user_bytes.hpp"
#include "runtime/plans/plan.hpp"

namespace xorloom::cli {
namespace {

constexpr std::size_t kRounds = 9;
constexpr std::chrono::microseconds kAwake(100);
constexpr std::size_t kStep = 4;  ///< factor between two chunk sizes of the chart

/// The plan of `set` with `isa`. On packets, equations run as a code of bits: they may read single
/// rows, and need not be linear over symbols. On words, equations over symbols run as they are; for
/// XOR equations the code's own plan for the request runs instead.
Plan plan_of(const Code& code, const ReportSet& set, Isa isa) {
  PlanOptions options;
  options.isa = isa;
  const bool is_words = code.arrangement == Arrangement::kWord;
  if (is_words && set.file.program.is_xor()) {
    return make_plan(code, request_map(code, set.request), options);
  }
  return make_plan(is_words ? code : bits_of(code), set.file.program, options);
}

/// Chunk sizes in bytes, ascending: one per memory level, and more between them.
std::vector<std::size_t> sizes_of(const Code& code, const SystemDescription& machine) {
  const std::vector<std::size_t> levels = chunk_sizes(code, machine.caches, machine.memory_bytes);
  std::vector<std::size_t> sizes = levels;
  for (std::size_t bytes = levels.front() * kStep; bytes < levels.back(); bytes *= kStep) {
    const auto near = [bytes](std::size_t size) { return size < 2 * bytes && bytes < 2 * size; };
    if (std::ranges::none_of(levels, near)) sizes.push_back(bytes);
  }
  std::ranges::sort(sizes);
  return sizes;
}

void check_bytes(const Code& code, const BenchFixture& fixture,
                 const std::vector<std::size_t>& locations) {
  if (const auto wrong = first_difference(fixture, locations)) {
    fail(Status::kInternal,
         fmt::format("{}: chunk {} comes out wrong; no time is reported", code.name(), *wrong));
  }
}

class Measuring {
 public:
  Measuring(const Code& code, std::size_t chunk_bytes, const SystemDescription& machine)
      : code_(code),
        fixture_(make_fixture(code, chunk_bytes, Layout::kStaggered, {})),
        level_(level_of(chunk_bytes * code.locations, machine.caches)) {}

  void run(ReportSet& set, bool is_level) {
    for (IsaRun& run : set.runs) {
      const bool is_best = &run == &set.runs.front();
      if (!is_best && !is_level) continue;
      const Plan plan = plan_of(code_, set, run.isa);
      const std::optional<double> limit = is_best ? limit_of(plan) : std::nullopt;
      verify(plan);
      const auto calls_of = [&](std::size_t calls) { call(plan, calls); };
      const double gigabytes = gigabytes_per_second(data_bytes(), seconds_of(calls_of));
      if (is_level) keep(run, gigabytes);
      if (is_best) set.speeds.push_back({fixture_.stripe.chunk_bytes(), gigabytes, limit});
      if (!is_best || !is_level || level_ != "L2") continue;
      set.limit_in_l2 = limit;
      set.latency = latency_of(calls_of);
    }
  }

 private:
  std::size_t data_bytes() const { return data_capacity(code_, fixture_.stripe.chunk_bytes()); }

  void call(const Plan& plan, std::size_t calls) const {
    for (std::size_t i = 0; i < calls; ++i) {
      check(plan.run(fixture_.stripe.pointers(), fixture_.stripe.chunk_bytes()));
    }
  }

  /// Processor time of one call in seconds. Time in which other processes run does not count.
  double seconds_of(const std::function<void(std::size_t calls)>& run) const {
    Contender contender{"", run};
    contender.begins_cold = level_ == "DRAM";
    warm_up(contender);
    const double turn = processor_seconds([&] { run(contender.calls); }, kRounds);
    return turn / static_cast<double>(contender.calls);
  }

  /// GB/s of data if the chunks of `plan` were read and written by the fastest plain XOR. Measured
  /// once per number of chunks. nullopt if `plan` reads nothing, or writes a chunk that it reads.
  std::optional<double> limit_of(const Plan& plan) {
    std::vector<const std::uint8_t*> reads;
    std::vector<std::uint8_t*> writes;
    for (const std::size_t location : plan.reads()) {
      reads.push_back(fixture_.stripe.pointers()[location]);
    }
    for (const std::size_t location : plan.writes()) {
      writes.push_back(fixture_.stripe.pointers()[location]);
    }
    const auto ways = std::pair(reads.size(), writes.size());
    if (reads.empty() || !std::ranges::none_of(writes, [&](const std::uint8_t* chunk) {
          return std::ranges::find(reads, chunk) != reads.end();
        })) {
      return std::nullopt;
    }
    if (const auto known = limits_.find(ways); known != limits_.end()) return known->second;
    const PlainXorStreams streams{reads.data(), reads.size(), writes.data(), writes.size()};
    std::vector<Contender> contenders = limit_contenders(streams, fixture_.stripe.chunk_bytes(), 1);
    for (Contender& contender : contenders) contender.begins_cold = level_ == "DRAM";
    keep_fastest(contenders, 1);
    const double limit = gigabytes_per_second(data_bytes(), seconds_of(contenders.front().run));
    limits_.emplace(ways, limit);
    return limit;
  }

  void verify(const Plan& plan) const {
    ruin(fixture_, plan, code_);
    call(plan, 1);
    check_bytes(code_, fixture_, plan.writes());
  }

  void keep(IsaRun& run, double gigabytes) const {
    if (!run.measured) run.measured.emplace();
    (level_ == "L1"   ? run.measured->l1
     : level_ == "L2" ? run.measured->l2
     : level_ == "L3" ? run.measured->l3
                      : run.measured->memory) = gigabytes;
  }

  const Code& code_;
  BenchFixture fixture_;
  std::string_view level_;
  std::map<std::pair<std::size_t, std::size_t>, double> limits_;  ///< GB/s by (reads, writes)
};

void measure_one_core(const Code& code, std::span<ReportSet> sets) {
  const SystemDescription machine = describe_system();
  const std::vector<std::size_t> levels = chunk_sizes(code, machine.caches, machine.memory_bytes);
  const std::vector<std::size_t> sizes = sizes_of(code, machine);
  std::atomic<std::size_t> done = 0;
  const ProgressLine line([&](std::size_t columns) {
    return fmt::format("measuring {}: {} of {} sizes", code.name(), done.load(), sizes.size())
        .substr(0, columns);
  });
  for (const std::size_t chunk_bytes : sizes) {
    const bool is_level = std::ranges::find(levels, chunk_bytes) != levels.end();
    Measuring measuring(code, chunk_bytes, machine);
    for (ReportSet& set : sets) measuring.run(set, is_level);
    ++done;
  }
}

/// GB/s of data of the plan of `set` for `cores` cores, with one thread per core.
double plan_gigabytes(const Code& code, const ReportSet& set, std::size_t cores,
                      const BenchFixture& fixture) {
  PlanOptions options;
  options.isa = set.runs.front().isa;
  options.execution = {Executor::kPlan, cores, kAwake};
  const CoreSchedule& made = set.file.plan && set.file.plan->cores == cores
                                 ? *set.file.plan
                                 : schedule_on_cores(set.file.program, cores);
  const Plan plan = make_plan(bits_of(code), set.file.program, options, nullptr, &made);
  const std::size_t chunk_bytes = fixture.stripe.chunk_bytes();
  const auto run = [&](std::size_t calls) {
    for (std::size_t i = 0; i < calls; ++i) {
      check(plan.run(fixture.stripe.pointers(), chunk_bytes));
    }
  };
  ruin(fixture, plan, code);
  run(1);
  check_bytes(code, fixture, plan.writes());
  const double seconds = timed_alone(run, false, kRounds, cores);
  check_bytes(code, fixture, plan.writes());
  return gigabytes_per_second(data_capacity(code, chunk_bytes), seconds);
}

/// Sets the measured speeds of `on_cores`. Does nothing on words, which have no plans for cores.
void measure_plans(const Code& code, std::span<ReportSet> sets) {
  if (code.arrangement != Arrangement::kPacket) return;
  const CacheSizes caches = cache_sizes();
  const std::size_t unit = chunk_multiple(code);
  const std::size_t chunk_bytes = std::max(unit, caches.l2 / 2 / code.locations / unit * unit);
  const BenchFixture fixture = make_fixture(code, chunk_bytes, Layout::kStaggered, {});
  const auto can_run = [](const ReportSet& set) {
    return set.file.program.is_xor() && !set.runs.empty();
  };
  const auto is_baseline = [&](const ReportSet& set) {
    return can_run(set) && set.file.style == "direct";
  };
  std::optional<double> direct;
  if (const auto baseline = std::ranges::find_if(sets, is_baseline); baseline != sets.end()) {
    direct = plan_gigabytes(code, *baseline, 1, fixture);
  }
  for (ReportSet& set : sets) {
    if (!can_run(set)) continue;
    for (CoresCost& on : set.on_cores) {
      if (on.cores > machine_threads()) continue;
      on.gigabytes = plan_gigabytes(code, set, on.cores, fixture);
      if (direct) on.measured_speedup = *on.gigabytes / *direct;
    }
  }
}

}  // namespace

double measure_sets(const Code& code, std::span<ReportSet> sets) {
  const Stopwatch watch;
  const double before = thread_seconds();
  measure_one_core(code, sets);
  const double share = (thread_seconds() - before) / watch.seconds();
  measure_plans(code, sets);
  return share;
}

}  // namespace xorloom::cli
