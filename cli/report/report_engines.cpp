#include "cli/report/report_engines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "cli/report/report.hpp"
#include "cli/report/yosys.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/progress.hpp"
#include "codes/families/families.hpp"
#include "codes/text/error.hpp"
#include "gen/verilog/engine.hpp"
#include "runtime/machine/threads.hpp"

namespace xorloom::cli {
namespace {

constexpr const char* kName = "report";

/// The engines of a set: with tables of 4 and of 6 inputs, each at all ranks. A set whose search
/// minimised one kind of table has engines of that kind only.
std::vector<EngineCost> engines_of(const ReportSet& set) {
  std::vector<EngineCost> engines;
  for (const std::size_t inputs : {std::size_t{4}, std::size_t{6}}) {
    if (set.gate_inputs != 0 && set.gate_inputs != inputs) continue;
    for (std::size_t ranks = 0; ranks <= kMostReportRanks; ++ranks) {
      const EngineSize size = engine_size(engine_of(set.file.program, ranks, inputs));
      engines.push_back({inputs, ranks, size.gates, size.depth, size.stage_depth, size.registers});
    }
  }
  return engines;
}

/// Synthesises an engine with yosys: from lookup tables if the search minimised tables, else from
/// the XOR equations.
std::optional<Synthesis> synthesised(const ReportSet& set, const EngineCost& engine) {
  const Code code = make_code(set.code().spec, {.packet_bytes = 0, .allow_non_mds = true});
  const EngineRequest request{.code = code,
                              .programs = {{"engine", set.file.program}},
                              .ranks = engine.ranks,
                              .gate_inputs = set.gate_inputs,
                              .name = kName};
  return synthesise(write_engines(request).design, fmt::format("xl_{}_engine", kName),
                    engine.gate_inputs == 4 ? YosysFlow::kIce40 : YosysFlow::kLut6);
}

}  // namespace

void check_engine_set(const ReportSet& set) {
  if (!set.file.program.is_xor()) {
    fail(Status::kInvalidArgument,
         fmt::format("{} has equations over symbols, and hardware takes those over bits",
                     set.source));
  }
  if (set.cost.xors <= kMostEngineXors) return;
  fail(Status::kUnsupported,
       fmt::format("{} has {} XORs, and an engine has at most {}",
                   set.is_direct ? set.code().spec : set.source, set.cost.xors, kMostEngineXors));
}

void add_engines(Report& report) {
  report.has_engines = true;
  struct Job {
    const ReportSet* set;
    EngineCost* engine;
  };
  std::vector<Job> jobs;
  std::vector<std::size_t> too_large;
  for (ReportSet& set : report.sets) {
    set.engines = engines_of(set);
    if (set.cost.xors > kMostYosysXors) {
      too_large.push_back(number_of(report, set));
      continue;
    }
    for (EngineCost& engine : set.engines) {
      if (engine.gate_inputs == 4 || engine.ranks == 0) jobs.push_back({&set, &engine});
    }
  }
  if (!has_yosys()) {
    report.left_out.emplace_back("what yosys counts, which is not installed");
    return;
  }
  if (!too_large.empty()) {
    report.left_out.push_back(fmt::format("what yosys counts for {}, of more than {} XORs",
                                          named_list("set", too_large), kMostYosysXors));
  }
  std::atomic<std::size_t> done = 0;
  {
    const ProgressLine line([&](std::size_t columns) {
      return fmt::format("yosys: {} of {} designs", done.load(), jobs.size()).substr(0, columns);
    });
    run_jobs(machine_threads(), jobs.size(), [&](std::size_t i) {
      jobs[i].engine->yosys = synthesised(*jobs[i].set, *jobs[i].engine);
      ++done;
    });
  }
  const auto failed =
      std::ranges::count_if(jobs, [](const Job& job) { return !job.engine->yosys; });
  if (failed != 0) {
    report.left_out.push_back(
        fmt::format("what yosys counts for {} of {} engines: it failed", failed, jobs.size()));
  }
}

const EngineCost* engine_cost(const ReportSet& set, std::size_t gate_inputs, std::size_t ranks) {
  const auto found = std::ranges::find_if(set.engines, [&](const EngineCost& engine) {
    return engine.gate_inputs == gate_inputs && engine.ranks == ranks;
  });
  return found == set.engines.end() ? nullptr : &*found;
}

EngineStages drawn_engine(const ReportSet& set, std::size_t ranks) {
  return engine_of(set.file.program, ranks,
                   set.gate_inputs == 0 ? kUsualGateInputs : set.gate_inputs);
}

}  // namespace xorloom::cli
