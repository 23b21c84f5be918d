#include "runtime/plans/plan_explanation.hpp"

#include <fmt/format.h>

#include "equations/build/direct.hpp"
#include "equations/ir/cost.hpp"
#include "runtime/engine/cost_model.hpp"
#include "runtime/engine/program_code.hpp"
#include "runtime/plans/plan.hpp"

namespace xorloom {
namespace {

/// Explains a computation and, if there is one, its task graph.
void describe(PlanExplanation& explanation, const Code& code, const LinearMap& map,
              const Computation& computation, const Program& program, const CoreSchedule* on_cores,
              const PlanOptions& options) {
  check_engine(code, program, computation, options);
  explanation.engine = computation.has_code() ? Engine::kCode : Engine::kKernels;
  explanation.code_memory = computation.facts().code_memory;
  if (!computation.has_code()) explanation.why_kernels = why_kernels(code, program, options);
  explanation.cost = computation.cost();
  explanation.work = plan_work(code, program, computation, options);
  if (const auto graph = task_graph_of(code, map, program, computation, on_cores, options, false)) {
    explanation.cores = work_on_cores(*graph);
    explanation.near_blocks = graph->near_blocks(this_machine().caches);
  }
}

PlanExplanation explain_with(const Code& code, const LinearMap& map, const PlanOptions& options) {
  const auto [computation, program] = proved_computation(code, map, options);
  PlanExplanation explanation;
  if (code.arrangement == Arrangement::kPacket) {
    explanation.direct_xors = direct_xors(code, map);
    if (explanation.direct_xors <= kMaxDirectXors) {
      explanation.effort = program.effort;
      explanation.is_known = program.is_known;
      explanation.style = form_for(options.style, explanation.direct_xors);
    }
    if (explanation.style == EquationForm::kIterative) {
      explanation.shared_xors = xors(program.equations);
    }
  }
  describe(explanation, code, map, *computation, program.equations, nullptr, options);
  return explanation;
}

}  // namespace

PlanWork work_of_program(const Code& code, const Program& program, const PlanOptions& options) {
  return with_code_or_kernels(options, [&](const PlanOptions& how) {
    return plan_work(code, program, *make_computation(code, program, how), how);
  });
}

PlanExplanation explanation_of(const Code& code, const LinearMap& map, const Program& program,
                               const CoreSchedule* on_cores, const PlanOptions& options) {
  return with_code_or_kernels(options, [&](const PlanOptions& how) {
    PlanExplanation explanation;
    const auto computation = make_computation(code, program, how);
    describe(explanation, code, map, *computation, program, on_cores, how);
    return explanation;
  });
}

PlanExplanation explanation_of(const Code& code, const LinearMap& map, const PlanOptions& options) {
  std::string refused;
  PlanExplanation explanation = with_code_or_kernels(
      options, [&](const PlanOptions& how) { return explain_with(code, map, how); }, &refused);
  if (!refused.empty())
    explanation.why_kernels = fmt::format("machine code was refused: {}", refused);
  return explanation;
}

}  // namespace xorloom
