#include "cli/report/report_sets.hpp"

#include <algorithm>
#include <utility>

#include "codes/text/error.hpp"
#include "equations/cores/list_schedule.hpp"
#include "equations/ir/circuit.hpp"
#include "equations/ir/core_schedule.hpp"
#include "equations/ir/proof.hpp"
#include "runtime/plans/repair_plan.hpp"

namespace xorloom::cli {
namespace {

CoresCost on_cores(const Program& program, const std::optional<CoreSchedule>& made,
                   std::size_t direct_xors, std::size_t cores) {
  const CoreSchedule plan =
      made && made->cores == cores ? *made : schedule_on_cores(program, cores);
  CoresCost on{cores, makespan(plan),      {}, {}, atomic_makespan(program, cores), {},
               {},    moves(program, plan)};
  const auto compare = [&](std::size_t steps, std::optional<double>& speedup,
                           std::optional<double>& efficiency) {
    if (steps == 0) return;
    speedup = static_cast<double>(direct_xors) / static_cast<double>(steps);
    efficiency = *speedup / static_cast<double>(cores);
  };
  compare(on.makespan, on.speedup, on.efficiency);
  compare(on.atomic_makespan, on.atomic_speedup, on.atomic_efficiency);
  return on;
}

/// Work per tile on `isa`. On words, the direct XOR equations stand for what a codec multiplies.
/// nullopt if no codec runs these equations.
std::optional<PlanWork> work_on(Isa isa, const Code& code, const Request& request,
                                const EquationFile& file) {
  PlanOptions options;
  options.isa = isa;
  if (!file.program.virtuals.empty()) return std::nullopt;
  const bool is_xor = file.program.is_xor();
  if ((code.arrangement == Arrangement::kPacket) == is_xor) {
    return work_of_program(code, file.program, options);
  }
  if (!is_xor || file.style != "direct") return std::nullopt;
  return explanation_of(code, request_map(code, request), options).work;
}

/// The run on the best instruction set of each vector width, widest first.
///
/// Errors: throws kUnsupported if machine code refuses the equations.
std::vector<IsaRun> runs_of(const Code& code, const Request& request, const EquationFile& file) {
  constexpr std::size_t kNarrow = 16;  // bytes; left out: portable code is as fast
  std::vector<IsaRun> runs;
  std::vector<Isa> isas = machine_isas();
  std::ranges::reverse(isas);
  for (const Isa isa : isas) {
    const bool is_new = runs.empty() || vector_bytes(runs.back().isa) != vector_bytes(isa);
    if (!is_new || vector_bytes(isa) == kNarrow) continue;
    if (const auto work = work_on(isa, code, request, file)) runs.push_back({isa, *work, {}, {}});
  }
  return runs;
}

}  // namespace

bool has_steps(const ReportSet& set) {
  return std::ranges::any_of(set.on_cores, [](const CoresCost& on) { return on.cores > 1; });
}

LinearMap request_map(const Code& code, const Request& request) {
  return request.erased.empty() ? encoding_map(code)
                                : in_memory_map(code, request.erased, request.wanted);
}

std::optional<std::size_t> asked_instead(const Code& code, const Request& request,
                                         const Program& program) {
  std::vector<Element> computed = program.outputs;
  std::vector<Element> asked = direct_program(code, request).outputs;
  std::ranges::sort(computed);
  std::ranges::sort(asked);
  if (computed == asked) return std::nullopt;
  return asked.size();
}

ReportSet report_set(std::string source, EquationFile file, const Code& code,
                     const Request& request, const std::vector<std::size_t>& cores) {
  const Program& program = file.program;
  Request task = request;  // the baseline does not depend on the reads
  task.reads_least = false;
  const std::size_t direct = xors(direct_program(code, task));
  std::optional<std::size_t> bound;
  if (program.is_xor()) bound = lower_bound(evaluate_symbolically(program));
  const Cost costs = cost(program);
  const std::size_t elements = program.outputs.size();
  const std::size_t bits = elements * program.field.w();
  const double per_bit = static_cast<double>(costs.xors) / static_cast<double>(elements);
  ReportSet set{std::move(source),
                std::move(file),
                request,
                code.arrangement,
                bits,
                direct,
                bound,
                costs,
                per_bit,
                0,
                0,
                {}};
  set.factor = cost_factor(costs.xors, elements, set.code().k);
  set.peak_live = peak_live(set.file.program);
  for (const std::size_t count : set.file.program.is_xor() ? cores : std::vector<std::size_t>{}) {
    set.on_cores.push_back(on_cores(set.file.program, set.file.plan, direct, count));
  }
  if (!request.erased.empty()) set.reads = repair_reads(code, request, set.file.program);
  try {
    set.runs = runs_of(code, request, set.file);
  } catch (const Error& error) {
    if (error.kind() != Status::kUnsupported) throw;
    set.why_no_runs = error.what();
  }
  return set;
}

std::string yosys_version(const std::vector<ReportSet>& sets) {
  for (const ReportSet& set : sets) {
    for (const EngineCost& engine : set.engines) {
      if (engine.yosys) return engine.yosys->version;
    }
  }
  return "";
}

}  // namespace xorloom::cli
