#include "runtime/plans/plan_graph.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "equations/build/direct.hpp"
#include "equations/cores/spread.hpp"
#include "runtime/engine/accept.hpp"
#include "runtime/engine/cost_model.hpp"
#include "runtime/engine/program_code.hpp"
#include "runtime/plans/plan.hpp"
#include "runtime/plans/tuned_program.hpp"

namespace xorloom {
namespace {

ProgramParts parts_of(const Code& code, const LinearMap& map, const Program& program,
                      const CoreSchedule* on_cores, const PlanOptions& options) {
  const std::size_t per_location = values_per_location(code);
  const bool is_plan = options.execution.executor != Executor::kGraph;
  if (is_plan && on_cores != nullptr) return parts_on_cores(program, *on_cores, per_location);
  const std::size_t asked = options.execution.threads;
  const std::size_t cores = std::min(asked != 0 ? asked : this_machine().cores, kMaxCores);
  const SpreadGoal goal = is_plan ? SpreadGoal::kLatency : SpreadGoal::kThroughput;
  std::function<Program(const Program&)> share;
  if (program.is_xor() &&
      form_for(options.style, direct_xors(code, map)) == EquationForm::kIterative) {
    share = [&](const Program& part) { return shared_in_bands(code, part, options); };
  }
  return parts_on_cores(spread_over_cores(program, cores, {}, goal, share), per_location);
}

bool runs_graph(const Code& code, const Computation& computation, const PlanOptions& options) {
  if (options.execution.threads == 1) return false;
  if (runs_a_graph(options.execution.executor)) return true;
  return code.arrangement == Arrangement::kPacket &&
         is_worth_a_plan(computation, options.execution,
                         options.engine != Engine::kKernels && vector_machine(options.isa));
}

}  // namespace

std::optional<TaskGraph> task_graph_of(const Code& code, const LinearMap& map,
                                       const Program& program, const Computation& computation,
                                       const CoreSchedule* on_cores, const PlanOptions& options) {
  if (!runs_graph(code, computation, options)) return {};
  const ProgramParts parts = parts_of(code, map, program, on_cores, options);
  if (parts.parts.size() < 2) return {};
  return TaskGraph(code, parts, options);
}

std::unique_ptr<SpareRuns> accepted_graph(const Code& code, const LinearMap& map,
                                          const Program& program, const Computation& computation,
                                          const CoreSchedule* on_cores,
                                          const PlanOptions& options) {
  if (!runs_graph(code, computation, options)) return nullptr;
  const ProgramParts parts = parts_of(code, map, program, on_cores, options);
  if (parts.parts.size() < 2) return nullptr;
  TaskGraph graph(code, parts, options);
  // Packets that are wider have no machine code, and kernels only scale their offsets.
  constexpr std::size_t kWidestTried = 4096;
  Code tried = code;
  tried.packet_bytes = std::min(code.packet_bytes, kWidestTried);
  if (tried.packet_bytes == code.packet_bytes) {
    accept(code, map, graph);
  } else {
    PlanOptions by_kernels = options;
    by_kernels.engine = Engine::kKernels;
    accept(tried, map, TaskGraph(tried, parts, by_kernels));
  }
  return std::make_unique<SpareRuns>(std::move(graph));
}

}  // namespace xorloom
