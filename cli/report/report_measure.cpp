#include "cli/report/report_measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <string_view>
#include <vector>

#include "cli/measuring/bench_fixture.hpp"
#include "cli/measuring/bench_sizes.hpp"
#include "cli/measuring/rounds.hpp"
#include "cli/shell/progress.hpp"
#include "cli/shell/running.hpp"
#include "cli/shell/system_description.hpp"
#include "codes/bits.hpp"
#include "codes/text/error.hpp"
#include "runtime/files/user_bytes.hpp"
#include "runtime/plans/plan.hpp"

namespace xorloom::cli {
namespace {

constexpr std::size_t kRounds = 9;
constexpr std::size_t kStep = 4;  ///< from one size to the next, in the chart

/// Equations on packets need be linear over bits alone, and may read single rows: they are run as a
/// code of bits. Those over the symbols of words run as they are.
Plan plan_of(const Code& code, const ReportSet& set, Isa isa) {
  PlanOptions options;
  options.isa = isa;
  const bool is_words = code.arrangement == Arrangement::kWord;
  if (is_words && set.file.program.is_xor()) {
    return make_plan(code, request_map(code, set.request), options);
  }
  return make_plan(is_words ? code : bits_of(code), set.file.program, {}, options);
}

/// Sizes of chunks: one for each level, and more between them.
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
      verify(plan);
      const auto calls_of = [&](std::size_t calls) { call(plan, calls); };
      const double seconds = timed_alone(calls_of, level_ == "DRAM", kRounds);
      const double gigabytes = gigabytes_per_second(data_bytes(), seconds);
      if (is_level) keep(run, gigabytes);
      if (is_best) set.speeds.push_back({stripe_bytes(), gigabytes});
      if (is_best && is_level && level_ == "L2") set.latency = latency_of(calls_of);
    }
  }

 private:
  std::size_t stripe_bytes() const { return fixture_.stripe.chunk_bytes() * code_.locations; }
  std::size_t data_bytes() const { return data_capacity(code_, fixture_.stripe.chunk_bytes()); }

  void call(const Plan& plan, std::size_t calls) const {
    for (std::size_t i = 0; i < calls; ++i) {
      check(plan.run(fixture_.stripe.pointers(), fixture_.stripe.chunk_bytes()));
    }
  }

  void verify(const Plan& plan) const {
    ruin(fixture_, plan.writes());
    call(plan, 1);
    if (const auto wrong = first_difference(fixture_, plan.writes())) {
      fail(Status::kInternal,
           fmt::format("{}: chunk {} comes out wrong; no time is reported", code_.name(), *wrong));
    }
  }

  void keep(IsaRun& run, double gigabytes) const {
    if (level_ == "L1") return;
    if (!run.measured) run.measured.emplace();
    (level_ == "L2"   ? run.measured->l2
     : level_ == "L3" ? run.measured->l3
                      : run.measured->memory) = gigabytes;
  }

  const Code& code_;
  BenchFixture fixture_;
  std::string_view level_;
};

}  // namespace

void measure_sets(const Code& code, std::span<ReportSet> sets) {
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

}  // namespace xorloom::cli
