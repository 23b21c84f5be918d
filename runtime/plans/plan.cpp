#include "runtime/plans/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include "codes/bits.hpp"
#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"
#include "equations/search/optimize.hpp"
#include "runtime/engine/accept.hpp"
#include "runtime/engine/cost_model.hpp"
#include "runtime/engine/plan_options.hpp"
#include "runtime/plans/device_plan.hpp"
#include "runtime/plans/plan_graph.hpp"
#include "runtime/plans/plan_proof.hpp"
#include "runtime/plans/transform_choice.hpp"
#include "runtime/plans/tuned_program.hpp"
#include "runtime/plans/word_choice.hpp"

namespace xorloom {
namespace {

using Units = std::vector<std::uint32_t>;

std::vector<std::size_t> locations_of(const Code& code, const std::vector<Cell>& cells) {
  std::vector<std::size_t> locations;
  for (const Cell cell : cells) locations.push_back(code.location_of_cell(cell));
  std::ranges::sort(locations);
  locations.erase(std::unique(locations.begin(), locations.end()), locations.end());
  return locations;
}

/// Of each of some locations the units among `units`, which are numbered by location, that many to
/// each.
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

/// Those of a chunk that are not among some, which ascend.
Units units_without(const Units& units, std::size_t units_of_chunk) {
  Units others;
  for (std::uint32_t unit = 0; unit < units_of_chunk; ++unit) {
    if (!std::ranges::binary_search(units, unit)) others.push_back(unit);
  }
  return others;
}

/// The cells of the array that equations read.
Units cells_read(const Program& program) {
  const std::vector<std::size_t> equation_of = equation_of_element(program);
  Units cells;
  for (const Equation& equation : program.equations) {
    for (const Element operand : equation.operands) {
      if (operand < program.num_cells() && equation_of[operand] == kNone) cells.push_back(operand);
    }
  }
  return cells;
}

/// What a plan runs, proved; not accepted yet.
struct Proved {
  Program program;
  std::unique_ptr<const Computation> computation;
};

/// What was asked for and is missing is an error.
void check_engine(const Code& code, const Computation& computation, const PlanOptions& options) {
  if (options.engine != Engine::kCode || computation.has_code()) return;
  fail(Status::kUnsupported,
       fmt::format("engine = code, but there is no machine code for this computation of {} on {}",
                   code.name(), to_string(options.isa)));
}

Proved with_computation(const Code& code, TunedProgram tuned, const PlanOptions& options) {
  JitOptions making = jit_options(options);
  making.orders = std::move(tuned.orders);
  auto computation = make_computation(code, tuned.program, options.isa, making);
  return {std::move(tuned.program), std::move(computation)};
}

Proved proved_map(const Code& code, const LinearMap& map, const PlanOptions& options) {
  prove_map(map, code);
  if (code.arrangement == Arrangement::kWord) {
    WordComputation words = word_computation(code, map, options);
    return {std::move(words.program), std::move(words.computation)};
  }
  TunedProgram tuned = tuned_program(code, map, options);
  prove(tuned.program, code);
  return with_computation(code, std::move(tuned), options);
}

/// The code's sums say nothing of a part, so that on words its rows are run.
Proved proved_part(const Code& code, const LinearMap& part, const PlanOptions& options) {
  if (code.arrangement == Arrangement::kWord) {
    Program rows = direct_symbols(code, part);
    auto computation = make_computation(code, rows, options.isa, jit_options(options));
    return {std::move(rows), std::move(computation)};
  }
  TunedProgram tuned = tuned_program(code, part, options);
  prove_part(code, part, tuned.program);
  return with_computation(code, std::move(tuned), options);
}

/// A plan on the processor, and the program that it runs.
struct Accepted {
  PlanAccess::Impl plan;
  Program program;
};

Accepted accepted_plan(const Code& code, const LinearMap& map, const PlanOptions& options,
                       Proved proved, bool clears, const CoreSchedule* on_cores = nullptr) {
  const Execution& execution = options.execution;
  prepare(execution);
  this_machine();  // found out now, not in a run
  const Computation& computation = *proved.computation;
  check_engine(code, computation, options);
  accept(code, map, computation);
  auto graph_runs = accepted_graph(code, map, proved.program, computation, on_cores, options);
  std::vector<std::size_t> reads = locations_of(code, map.inputs);
  std::vector<std::size_t> writes = locations_of(code, map.outputs);
  const bool is_packets = code.arrangement == Arrangement::kPacket;
  const std::size_t chunk_units = units_of_chunk(code);
  auto units = units_of(reads, is_packets ? cells_read(proved.program) : map.inputs, chunk_units);
  auto written =
      units_of(writes, is_packets ? elements_of(code, map.outputs) : map.outputs, chunk_units);
  std::vector<Units> cleared(writes.size());
  for (std::size_t i = 0; clears && i < writes.size(); ++i) {
    cleared[i] = units_without(written[i], chunk_units);
  }
  std::vector<std::size_t> needed;
  std::ranges::set_union(reads, writes, std::back_inserter(needed));
  return {{std::move(proved.computation), std::move(graph_runs), execution, chunk_multiple(code),
           std::move(reads), std::move(writes), std::move(needed), std::move(units),
           std::move(written), std::move(cleared), chunk_units, code.packet_bytes, code.locations},
          std::move(proved.program)};
}

/// The plan that `make` makes with code or kernels, on devices if the options ask for them.
template <typename Make>
Plan made_plan(const Code& code, const LinearMap& map, const PlanOptions& options,
               const Make& make) {
  Accepted accepted = with_code_or_kernels(options, make);
  use_devices(code, map, accepted.program, options, accepted.plan);
  return PlanAccess::plan_of(std::move(accepted.plan));
}

}  // namespace

Search search_options(const PlanOptions& options) {
  Search search;
  search.effort = options.effort == Effort::kMax ? Effort::kNormal : options.effort;
  search.stop_requested = options.stop_requested;
  return search;
}

Program shared_program(const Program& direct, const PlanOptions& options) {
  return optimize(direct, search_options(options));
}

JitOptions jit_options(const PlanOptions& options) {
  JitOptions making = jit_options(options.effort);
  making.is_wanted = options.engine != Engine::kKernels;
  making.stop_requested = options.stop_requested;
  return making;
}

WordComputation word_computation(const Code& code, const LinearMap& map,
                                 const PlanOptions& options) {
  if (auto transforms = transform_computation(code, map, options)) {
    return {program_over_symbols(code, map), std::move(transforms)};
  }
  const auto computation_of = [&](Program program) {
    prove(program, map.coefficients);
    auto computation = make_computation(code, program, options.isa, jit_options(options));
    return WordComputation{std::move(program), std::move(computation)};
  };
  const auto work_of = [](const WordComputation& made) {
    const Computation& computation = *made.computation;
    return computation.has_code() ? std::optional(work_per_vector(computation.counts()))
                                  : std::nullopt;
  };
  return word_choice(code, map, sparse_sums(code, map), options.engine == Engine::kCode,
                     computation_of, work_of);
}

Plan make_plan(const Code& code, const LinearMap& map, const PlanOptions& options) {
  return made_plan(code, map, options, [&](const PlanOptions& how) {
    return accepted_plan(code, map, how, proved_map(code, map, how), false);
  });
}

Plan make_plan(const Code& code, const Program& program, const GivenOrders& orders,
               const PlanOptions& options) {
  check_program(program);
  if (orders.on_cores != nullptr) check_core_schedule(program, *orders.on_cores);
  if (program.is_xor()) prove(program, code);
  const LinearMap map = map_of(code, program);
  prove_map(map, code);
  return made_plan(code, map, options, [&](const PlanOptions& how) {
    JitOptions making = jit_options(how);
    making.orders = orders.of_instructions;
    Proved proved{program, make_computation(code, program, how.isa, making)};
    return accepted_plan(code, map, how, std::move(proved), false, orders.on_cores);
  });
}

std::vector<Plan> make_part_plans(const Code& code, const LinearMap& whole,
                                  const std::vector<LinearMap>& parts, const PlanOptions& options,
                                  std::size_t count) {
  prove_map(whole, code);
  prove_sum(code, whole, parts);
  std::vector<Plan> plans;
  for (const LinearMap& part : std::span(parts).first(std::min(count, parts.size()))) {
    plans.push_back(made_plan(code, part, options, [&](const PlanOptions& how) {
      return accepted_plan(code, part, how, proved_part(code, part, how), true);
    }));
  }
  return plans;
}

}  // namespace xorloom
