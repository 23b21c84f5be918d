#include "runtime/plans/tuned_program.hpp"

#include <initializer_list>
#include <optional>
#include <utility>

#include "equations/build/direct.hpp"
#include "equations/files/packed_program.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"
#include "equations/search/optimize.hpp"
#include "gen/machines/machines.hpp"
#include "runtime/engine/cost_model.hpp"
#include "runtime/engine/program_code.hpp"
#include "runtime/plans/plan.hpp"
#include "runtime/store/store.hpp"

namespace xorloom {
namespace {

/// True if each of `programs` computes the same as `direct`, which has no places.
bool hold(std::initializer_list<const Program*> programs, const Program& direct) try {
  const BitMatrix matrix = evaluate_symbolically(direct);
  for (const Program* program : programs) {
    if (program->inputs != direct.inputs || program->outputs != direct.outputs) return false;
    prove(*program, matrix);
  }
  return true;
} catch (const Error&) {
  return false;
}

/// The store's equations of few XORs for the direct equations `bare`, which have no places; proved.
/// nullopt if the store has none, or if they do not hold: then it forgets them.
std::optional<FewXors> few_xors_in(const Store& store, std::uint64_t map, const Program& bare) {
  const ProgramKey key{map, kFewXors};
  std::optional<FewXors> best = store.shipped_few_xors(key);
  std::optional<FewXors> own = store.own_few_xors(key);
  if (own && (!best || xors(own->program) < xors(best->program))) best = std::move(own);
  if (!best || hold({&best->program}, bare)) return best;
  store.forget(key);
  return std::nullopt;
}

/// Chooses the equations with the fewest XORs, which are best for kernels. `known` was made for
/// machine code, in windows, and may have more XORs than a search without windows finds.
OrderedProgram for_kernels(OrderedProgram known, const Program& direct) {
  known.ordered.reset();
  Program whole = shared_in({}, direct, search_of(Effort::kFast));
  if (xors(whole) < xors(known.equations)) return {std::move(whole)};
  return known;
}

}  // namespace

Program shared_in_bands(const Code& code, const Program& program, const PlanOptions& options) {
  const Program direct = written_out(program);
  const auto machine = vector_machine(options.isa, code.packet_bytes);
  const bool may_be_code = machine && options.engine != Engine::kKernels;
  const std::size_t bands = may_be_code ? usual_bands(direct) : 1;
  return shared_in({bands, 0}, direct, search_of(options.effort, options.stop_requested));
}

OrderedProgram tuned_program(const Code& code, const LinearMap& map, const PlanOptions& options) {
  Program direct = direct_program(code, map);
  if (form_for(options.style, xors(direct)) != EquationForm::kIterative) return {std::move(direct)};
  // Equations that were found for machine code serve kernels, too, if they have fewer XORs.
  const auto machine = vector_machine(options.isa, code.packet_bytes);
  const bool may_be_code = machine && options.engine != Engine::kKernels;
  const Program bare = without_places(direct);
  const MachineFacts facts = machine.value_or(kTwoWayMachine);
  const Store store(options.wisdom);
  const ProgramKey key = store.is_on()
                             ? program_key(direct, static_cast<std::uint32_t>(facts.xor_operands))
                             : ProgramKey{};
  const bool is_long = is_more(options.effort, Effort::kFast);
  const Budget budget = budget_of(options.effort, options.stop_requested);
  std::optional<OrderedProgram> found = store.find(key, options.effort);
  if (found && !hold({&found->equations, found->order()}, bare)) {
    store.forget(key);
    found.reset();
  }
  if (found) found->is_known = true;
  if (!found && may_be_code) {
    const std::optional<FewXors> few =
        is_long ? few_xors_in(store, key.map, bare) : std::optional<FewXors>();
    found = machine_program(bare, code.rows(), facts, budget, few ? &few->program : nullptr);
    go_on(options.stop_requested);  // a search that was cut short is not kept
    if (is_long) store.keep(key, *found);
  }
  if (found) {
    found->equations = placed_like(std::move(found->equations), direct);
    found->ordered = placed_like(*std::move(found->ordered), direct);
  }
  if (may_be_code) return *std::move(found);

  if (found) {
    found = for_kernels(*std::move(found), direct);
  } else {
    found = OrderedProgram{shared_in({}, direct, search_of(options.effort, options.stop_requested)),
                           {},
                           is_long ? options.effort : Effort::kFast};
  }
  std::optional<FewXors> few = few_xors_in(store, key.map, bare);
  if (few && xors(few->program) < xors(found->equations)) {
    found->equations = placed_like(std::move(few->program), direct);
    found->is_known = true;
  }
  return *std::move(found);
}

}  // namespace xorloom
