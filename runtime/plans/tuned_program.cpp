#include "runtime/plans/tuned_program.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/files/packed_program.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"
#include "equations/search/optimize.hpp"
#include "gen/machines/machines.hpp"
#include "gen/vector/cuts.hpp"
#include "gen/vector/machine_program.hpp"
#include "runtime/engine/cost_model.hpp"
#include "runtime/engine/program_code.hpp"
#include "runtime/plans/plan.hpp"
#include "runtime/store/store.hpp"

namespace xorloom {
namespace {

/// Whether both programs compute direct equations without places.
bool holds(const OrderedProgram& found, const Program& direct) try {
  const BitMatrix matrix = evaluate_symbolically(direct);
  for (const Program* program : {&found.equations, &found.ordered}) {
    if (program->inputs != direct.inputs || program->outputs != direct.outputs) return false;
    prove(*program, matrix);
  }
  return true;
} catch (const Error&) {
  return false;
}

/// What was found without places, in those of direct equations.
TunedProgram in_place(OrderedProgram found, const Program& direct) {
  return {direct, placed_like(std::move(found.equations), direct),
          std::make_shared<const Program>(placed_like(std::move(found.ordered), direct)),
          found.effort, false};
}

/// For kernels the fewest XORs are best. What is known was made for machine code, in windows, and
/// may have more than a search without windows finds.
TunedProgram for_kernels(TunedProgram known) {
  known.order = nullptr;
  Search fast;
  fast.effort = Effort::kFast;
  Program whole = shared_in({}, known.direct, fast);
  if (xors(whole) < xors(known.program)) {
    known.program = std::move(whole);
    known.effort = Effort::kFast;
    known.is_known = false;
  }
  return known;
}

/// Equations of few XORs that the store has for direct equations without places, proved.
std::optional<FewXors> few_xors_in(const Store& store, std::uint64_t map, const Program& bare) {
  const ProgramKey key{map, kFewXors};
  std::optional<FewXors> best = store.shipped_few_xors(key);
  std::optional<FewXors> own = store.own_few_xors(key);
  if (own && (!best || xors(own->program) < xors(best->program))) best = std::move(own);
  if (!best || holds({best->program, best->program}, bare)) return best;
  store.forget(key);
  return std::nullopt;
}

/// The same in place of a program for kernels that has more XORs.
void take_fewer(TunedProgram& program, std::optional<FewXors> few) {
  if (!few || xors(few->program) >= xors(program.program)) return;
  program.program = placed_like(std::move(few->program), program.direct);
  program.is_known = true;
}

}  // namespace

Program shared_in_bands(const Code& code, const Program& program, const PlanOptions& options) {
  const Program direct = written_out(program);
  const auto machine = ProgramCode::machine(code, options.isa);
  const bool may_be_code = machine && options.engine != Engine::kKernels;
  const std::size_t bands = may_be_code ? usual_bands(direct) : 1;
  return shared_in({bands, 0}, direct, search_of(budget_of(options)));
}

TunedProgram tuned_program(const Code& code, const LinearMap& map, const PlanOptions& options) {
  TunedProgram result{direct_program(code, map), {}, {}, Effort::kFast, false};
  // Kernels gain from what was found for machine code, where its equations have fewer XORs, too.
  const auto machine = ProgramCode::machine(code, options.isa);
  const bool may_be_code = machine && options.engine != Engine::kKernels;
  if (form_for(options.style, xors(result.direct)) != EquationForm::kIterative) {
    result.program = result.direct;
    return result;
  }
  if (is_more(options.effort, Effort::kFast)) result.effort = options.effort;
  const Program bare = without_places(result.direct);
  const MachineFacts facts = machine.value_or(kTwoWayMachine);
  const Store store(options.wisdom);
  const ProgramKey key =
      store.is_on() ? program_key(result.direct, static_cast<std::uint32_t>(facts.xor_operands))
                    : ProgramKey{};
  const auto finished = [&](TunedProgram program) {
    if (!may_be_code) take_fewer(program, few_xors_in(store, key.map, bare));
    return program;
  };
  if (std::optional<OrderedProgram> known = store.find(key, options.effort)) {
    if (holds(*known, bare)) {
      TunedProgram found = in_place(*std::move(known), result.direct);
      found.is_known = true;
      return may_be_code ? found : finished(for_kernels(std::move(found)));
    }
    store.forget(key);
  }
  if (!may_be_code) {
    result.program = shared_in({}, result.direct, search_of(budget_of(options)));
    return finished(std::move(result));
  }
  Budget budget = budget_of(options);
  if (is_more(options.effort, Effort::kFast)) {
    if (std::optional<FewXors> few = few_xors_in(store, key.map, bare)) budget.start = few->program;
  }
  OrderedProgram found = machine_program(bare, code.rows(), facts, budget);
  go_on(options.stop_requested);  // what was cut short is not worth that effort
  if (is_more(options.effort, Effort::kFast)) store.keep(key, found);
  return in_place(std::move(found), result.direct);
}

}  // namespace xorloom
