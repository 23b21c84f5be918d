#include "runtime/plans/plan.hpp"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <utility>

#include "codes/bits.hpp"
#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/cores/spread.hpp"
#include "equations/files/packed_program.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"
#include "equations/search/optimize.hpp"
#include "gen/machines/machines.hpp"
#include "runtime/engine/accept.hpp"
#include "runtime/engine/cost_model.hpp"
#include "runtime/engine/packet_kernels.hpp"
#include "runtime/engine/program_code.hpp"
#include "runtime/engine/word_kernels.hpp"
#include "runtime/plans/device_choice.hpp"
#include "runtime/plans/plan_proof.hpp"
#include "runtime/plans/word_choice.hpp"
#include "runtime/store/store.hpp"

namespace xorloom {
namespace {

using Units = std::vector<std::uint32_t>;

/// Groups the unit numbers in `all` (location · units_of_chunk + unit) by location. Result: one
/// ascending list for each of `locations`.
std::vector<Units> units_of(const std::vector<std::size_t>& locations, Units all,
                            std::size_t units_of_chunk) {
  std::ranges::sort(all);
  std::vector<Units> units(locations.size());
  for (const std::uint32_t number : all) {
    const auto place = std::ranges::lower_bound(locations, number / units_of_chunk);
    Units& those = units[static_cast<std::size_t>(place - locations.begin())];
    const auto unit = static_cast<std::uint32_t>(number % units_of_chunk);
    if (those.empty() || those.back() != unit) those.push_back(unit);
  }
  return units;
}

/// The units of a chunk that are not in `units` (ascending).
Units units_without(const Units& units, std::size_t units_of_chunk) {
  Units others;
  for (std::uint32_t unit = 0; unit < units_of_chunk; ++unit) {
    if (!std::ranges::binary_search(units, unit)) others.push_back(unit);
  }
  return others;
}

/// The cells of the array that equations read: all inputs, if there are no equations.
Units cells_read(const Program& program) {
  if (program.equations.empty()) return {program.inputs.begin(), program.inputs.end()};
  const std::vector<std::size_t> equation_of = equation_of_element(program);
  Units cells;
  for (const Equation& equation : program.equations) {
    for (const Element operand : equation.operands) {
      if (operand < program.num_cells() && equation_of[operand] == kNone) cells.push_back(operand);
    }
  }
  return cells;
}

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

/// An XOR program with its sums shared anew, in the number of bands that makes its machine code
/// cheap. The store is not asked.
///
/// Errors: as optimize.
Program shared_in_bands(const Code& code, const Program& program, const PlanOptions& options) {
  const Program direct = written_out(program);
  const auto machine = vector_machine(options.isa, code.packet_bytes);
  const bool may_be_code = machine && options.engine != Engine::kKernels;
  const std::size_t bands = may_be_code ? usual_bands(direct) : 1;
  return shared_in({bands, 0}, direct, search_of(options.effort, options.stop_requested));
}

/// As proved_computation, in words. sparse_sums() covers whole maps only, so that a part runs as
/// dense rows.
ProvedComputation word_computation(const Code& code, const LinearMap& map,
                                   const PlanOptions& options, bool is_part) {
  const auto computation_of = [&](Program program) -> ProvedComputation {
    prove(program, map.coefficients);
    return {make_computation(code, program, options), {std::move(program)}};
  };
  if (is_part) return computation_of(direct_symbols(code, map));
  if (auto transforms = transform_computation(code, map, options)) {
    return {std::move(transforms), {program_over_symbols(code, map)}};
  }
  const auto work_of = [](const ProvedComputation& made) {
    const Computation& computation = *made.computation;
    return computation.has_code() ? std::optional(work_per_vector(computation.counts()))
                                  : std::nullopt;
  };
  return word_choice(code, map, sparse_sums(code, map), options.engine == Engine::kCode,
                     computation_of, work_of);
}

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

/// A plan whose computation of a map runs on the processor. Its units are not set yet.
PlanAccess::Impl plan_of_map(const Code& code, const LinearMap& map, const Execution& execution,
                             std::unique_ptr<const Computation> computation) {
  PlanAccess::Impl plan{};
  plan.computation = std::move(computation);
  plan.execution = execution;
  plan.chunk_multiple = chunk_multiple(code);
  plan.stripe_multiple = stripe_multiple(code);
  plan.plane_block_bytes = plane_block_bytes(code);
  plan.reads = locations_of(code, map.inputs);
  plan.writes = locations_of(code, map.outputs);
  plan.needed.reserve(plan.reads.size() + plan.writes.size());
  std::ranges::set_union(plan.reads, plan.writes, std::back_inserter(plan.needed));
  plan.units_of_chunk = units_of_chunk(code);
  plan.packet_bytes = code.packet_bytes;
  plan.locations = code.locations;
  return plan;
}

/// The plan of the computation that make(options) returns, with code or with kernels, accepted; on
/// devices if the options ask for them. Executor `plan` follows `on_cores` if it is not null.
template <typename Make>
PlanAccess::Impl made_plan(const Code& code, const LinearMap& map, const PlanOptions& options,
                           const CoreSchedule* on_cores, const Make& make) {
  Program program;
  PlanAccess::Impl plan = with_code_or_kernels(options, [&](const PlanOptions& how) {
    ProvedComputation proved = make(how);
    program = std::move(proved.program.equations);
    prepare(how.execution);
    this_machine();  // set up now, not in a run
    const Computation& computation = *proved.computation;
    check_engine(code, program, computation, how);
    accept(code, map, computation);
    auto graph = task_graph_of(code, map, program, computation, on_cores, how, true);
    PlanAccess::Impl made = plan_of_map(code, map, how.execution, std::move(proved.computation));
    if (graph) made.graph_runs = std::make_unique<SpareRuns>(*std::move(graph));
    return made;
  });
  const bool is_packets = code.arrangement == Arrangement::kPacket;
  plan.units =
      units_of(plan.reads, is_packets ? cells_read(program) : map.inputs, plan.units_of_chunk);
  plan.written = units_of(plan.writes, is_packets ? elements_of(code, map.outputs) : map.outputs,
                          plan.units_of_chunk);
  use_devices(code, map, program, options, plan);
  return plan;
}

}  // namespace

std::optional<TaskGraph> task_graph_of(const Code& code, const LinearMap& map,
                                       const Program& program, const Computation& computation,
                                       const CoreSchedule* on_cores, const PlanOptions& options,
                                       bool is_accepted) {
  if (program.equations.empty() || !runs_graph(code, computation, options)) return std::nullopt;
  const ProgramParts parts = parts_of(code, map, program, on_cores, options);
  if (parts.parts.size() < 2) return std::nullopt;
  TaskGraph graph(code, parts, options);
  if (!is_accepted) return graph;
  // Packets that are wider have no machine code, and kernels only scale their offsets.
  constexpr std::size_t kWidestTried = 4096;
  if (code.packet_bytes <= kWidestTried) {
    accept(code, map, graph);
  } else {
    Code tried = code;
    tried.packet_bytes = kWidestTried;
    PlanOptions by_kernels = options;
    by_kernels.engine = Engine::kKernels;
    accept(tried, map, TaskGraph(tried, parts, by_kernels));
  }
  return graph;
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

void check_engine(const Code& code, const Program& program, const Computation& computation,
                  const PlanOptions& options) {
  if (options.engine != Engine::kCode || computation.has_code()) return;
  fail(Status::kUnsupported,
       "engine = code, but there is no machine code for this computation of {} on {}: {}",
       code.name(), to_string(options.isa), why_kernels(code, program, options));
}

ProvedComputation proved_computation(const Code& code, const LinearMap& map,
                                     const PlanOptions& options, bool is_part) {
  if (code.arrangement == Arrangement::kWord) return word_computation(code, map, options, is_part);
  if (direct_xors(code, map) > kMaxDirectXors) {
    Program rows{code.locations,
                 code.rows(),
                 elements_of(code, map.inputs),
                 elements_of(code, map.outputs),
                 {}};
    return {kernels_of_rows(code, map, options.isa), {std::move(rows)}};
  }
  OrderedProgram tuned = tuned_program(code, map, options);
  is_part ? prove_part(code, map, tuned.equations) : prove(tuned.equations, code);
  auto computation = make_computation(code, tuned.equations, options, tuned.order());
  return {std::move(computation), std::move(tuned)};
}

Plan make_plan(const Code& code, const LinearMap& map, const PlanOptions& options) {
  prove_map(map, code);
  return PlanAccess::plan_of(made_plan(code, map, options, nullptr, [&](const PlanOptions& how) {
    return proved_computation(code, map, how);
  }));
}

std::unique_ptr<const Computation> kernels_of_rows(const Code& code, const LinearMap& map,
                                                   Isa isa) {
  if (code.arrangement == Arrangement::kPacket) {
    return std::make_unique<const PacketKernels>(code, map, isa);
  }
  // Rows with many zeros are grouped by the inputs that they read.
  std::ptrdiff_t zeros = 0;
  for (std::size_t r = 0; r < map.outputs.size(); ++r) {
    zeros += std::ranges::count(map.coefficients.row(r), Field::Symbol{0});
  }
  if (std::cmp_greater(4 * zeros, map.inputs.size() * map.outputs.size())) {
    return std::make_unique<const WordKernels>(code, direct_symbols(code, map), isa);
  }
  return std::make_unique<const WordKernels>(code, map, isa);
}

Plan make_proved_plan(const Code& code, const LinearMap& cells, const PlanOptions& options,
                      std::unique_ptr<const Computation> computation) {
  prepare(options.execution);
  this_machine();  // set up now, not in a run
  return PlanAccess::plan_of(plan_of_map(code, cells, options.execution, std::move(computation)));
}

Plan make_plan(const Code& code, const Program& program, const PlanOptions& options,
               const std::shared_ptr<const Program>& order, const CoreSchedule* on_cores) {
  check_program(program);
  if (on_cores != nullptr) check_core_schedule(program, *on_cores);
  if (program.is_xor()) prove(program, code);
  const LinearMap map = map_of(code, program);
  prove_map(map, code);
  return PlanAccess::plan_of(made_plan(code, map, options, on_cores, [&](const PlanOptions& how) {
    return ProvedComputation{make_computation(code, program, how, order.get()), {program}};
  }));
}

std::vector<Plan> make_part_plans(const Code& code, const LinearMap& whole,
                                  const std::vector<LinearMap>& parts, const PlanOptions& options,
                                  std::size_t count) {
  prove_map(whole, code);
  prove_sum(code, whole, parts);
  std::vector<Plan> plans;
  for (const LinearMap& part : std::span(parts).first(std::min(count, parts.size()))) {
    PlanAccess::Impl plan = made_plan(code, part, options, nullptr, [&](const PlanOptions& how) {
      return proved_computation(code, part, how, true);
    });
    for (const Units& written : plan.written) {
      plan.cleared.push_back(units_without(written, plan.units_of_chunk));
    }
    plans.push_back(PlanAccess::plan_of(std::move(plan)));
  }
  return plans;
}

}  // namespace xorloom
