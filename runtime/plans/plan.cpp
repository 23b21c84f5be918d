#include "runtime/plans/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <optional>
#include <utility>

#include "codes/bits.hpp"
#include "codes/field/bitmatrix.hpp"
#include "codes/text/error.hpp"
#include "equations/build/direct.hpp"
#include "equations/build/sparse_sums.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"
#include "equations/search/optimize.hpp"
#include "runtime/engine/accept.hpp"
#include "runtime/engine/cost_model.hpp"
#include "runtime/engine/group_kernels.hpp"
#include "runtime/engine/refused_code.hpp"
#include "runtime/machine/last_error.hpp"
#include "runtime/machine/overlap.hpp"

namespace xorloom {
namespace {

/// Compares each output of a map with the data the code says it holds, trusting no inverted matrix:
/// the output's own cell and the inputs that make it up have to add up to zero.
void prove_map(const LinearMap& map, const Code& code) {
  std::vector<std::size_t> data_column(code.locations * code.subchunks, kNone);
  std::vector<std::size_t> parity_row(code.locations * code.subchunks, kNone);
  for (std::size_t c = 0; c < code.data.size(); ++c) data_column[code.data[c]] = c;
  for (std::size_t r = 0; r < code.redundant.size(); ++r) parity_row[code.redundant[r]] = r;

  std::vector<Field::Symbol> sum(code.data.size());
  const auto add = [&](Cell cell, Field::Symbol factor) {
    if (factor == 0) return;
    if (data_column[cell] != kNone) {
      sum[data_column[cell]] ^= factor;
    } else {
      add_scaled(code.field, sum, factor, code.parity.row(parity_row[cell]));
    }
  };
  for (std::size_t o = 0; o < map.outputs.size(); ++o) {
    std::ranges::fill(sum, 0);
    add(map.outputs[o], 1);
    for (std::size_t i = 0; i < map.inputs.size(); ++i) add(map.inputs[i], map.coefficients(o, i));
    if (std::ranges::any_of(sum, [](auto symbol) { return symbol != 0; })) {
      fail(Status::kInternal, fmt::format("cell {} comes out different from what {} says it holds",
                                          map.outputs[o], code.name()));
    }
  }
}

using Units = std::vector<std::uint32_t>;

std::vector<std::size_t> locations_of(const Code& code, const std::vector<Cell>& cells) {
  std::vector<std::size_t> locations;
  for (const Cell cell : cells) locations.push_back(code.location_of_cell(cell));
  std::ranges::sort(locations);
  locations.erase(std::unique(locations.begin(), locations.end()), locations.end());
  return locations;
}

/// Of each of some locations the units among `units`, which are numbered by location, so many to each.
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

Program program_of(const Code& code, const LinearMap& map, const PlanOptions& options) {
  Program program = direct_program(code, map);
  if (form_for(options.style, xors(program)) == EquationForm::kIterative) {
    program = shared_program(program, options);
  }
  return program;
}

/// The whole cells that elements are, in their order.
std::vector<Cell> cells_of(const Code& code, const std::vector<Element>& elements) {
  const std::size_t w = code.field.w();
  std::vector<Cell> cells;
  for (std::size_t i = 0; i < elements.size(); i += w) {
    cells.push_back(static_cast<Cell>(elements[i] / w));
  }
  if (elements_of(code, cells) != elements) {
    fail(Status::kDamaged,
         fmt::format("a program does not compute whole cells of {}", code.name()));
  }
  return cells;
}

/// The map that a program computes, which is one over the field, though not one of the code.
LinearMap map_of(const Code& code, const Program& program) {
  LinearMap map{cells_of(code, program.inputs), cells_of(code, program.outputs), {}};
  map.coefficients = Matrix(map.outputs.size(), map.inputs.size());
  const BitMatrix bits = evaluate_symbolically(program);
  const std::size_t w = code.field.w();
  // The first column of a symbol's block is the symbol.
  for (std::size_t row = 0; row < bits.rows(); ++row) {
    for (std::size_t i = 0; i < map.inputs.size(); ++i) {
      if (bits.get(row, i * w)) {
        map.coefficients(row / w, i) |= static_cast<Field::Symbol>(1U << row % w);
      }
    }
  }
  prove(program, expand(code.field, map.coefficients));
  return map;
}

/// Compares a program with a map that need not be one of the code.
void prove_part(const Code& code, const LinearMap& part, const Program& program) {
  if (program.locations != code.locations || program.rows != code.rows() ||
      program.inputs != elements_of(code, part.inputs) ||
      program.outputs != elements_of(code, part.outputs)) {
    fail(Status::kInternal, fmt::format("equations of {} have other inputs or outputs than the "
                                        "part of a repair that they should compute",
                                        code.name()));
  }
  check_program(program);
  prove(program, expand(code.field, part.coefficients));
}

/// Adds parts up, none of which may name a cell twice, and compares the sum with a map.
void prove_sum(const Code& code, const LinearMap& whole, const std::vector<LinearMap>& parts) {
  const auto wrong = [&] {
    fail(Status::kInternal,
         fmt::format("the parts of a repair of {} do not add up to it", code.name()));
  };
  const auto places = [&](const std::vector<Cell>& among, const std::vector<Cell>& cells) {
    std::vector<std::size_t> result;
    for (const Cell cell : cells) {
      const auto place = std::ranges::find(among, cell);
      if (place == among.end()) wrong();
      result.push_back(static_cast<std::size_t>(place - among.begin()));
      if (std::ranges::count(cells, cell) != 1) wrong();
    }
    return result;
  };
  Matrix sum(whole.outputs.size(), whole.inputs.size());
  for (const LinearMap& part : parts) {
    const std::vector<std::size_t> columns = places(whole.inputs, part.inputs);
    const std::vector<std::size_t> rows = places(whole.outputs, part.outputs);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      for (std::size_t c = 0; c < columns.size(); ++c) {
        sum(rows[r], columns[c]) ^= part.coefficients(r, c);
      }
    }
  }
  if (sum != whole.coefficients) wrong();
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

/// What a plan runs, proved; not accepted yet. The program is there for packets.
struct Proved {
  std::optional<Program> program;
  Computation computation;
};

/// What was asked for and is missing is an error.
void check_engine(const Code& code, const Computation& computation, const PlanOptions& options) {
  if (options.engine != Engine::kCode || computation.has_code()) return;
  fail(Status::kUnsupported,
       fmt::format("engine = code, but there is no machine code for this computation of {} on {}",
                   code.name(), to_string(options.isa)));
}

Proved proved_map(const Code& code, const LinearMap& map, const PlanOptions& options) {
  prove_map(map, code);
  if (code.arrangement == Arrangement::kWord) {
    return {std::nullopt, word_computation(code, map, options).computation};
  }
  Program program = program_of(code, map, options);
  prove(program, code);
  Computation computation(code, program, options.isa, jit_options(options));
  return {std::move(program), std::move(computation)};
}

/// The code's sums say nothing of a part, so that on words its rows are run.
Proved proved_part(const Code& code, const LinearMap& part, const PlanOptions& options) {
  if (code.arrangement == Arrangement::kWord) {
    return {std::nullopt, Computation(code, part, options.isa, jit_options(options))};
  }
  Program program = program_of(code, part, options);
  prove_part(code, part, program);
  Computation computation(code, program, options.isa, jit_options(options));
  return {std::move(program), std::move(computation)};
}

/// Of the machine code of a computation on words, per vector that is written.
double instructions_per_vector(const Computation& computation) {
  const TileCounts& counts = computation.words()->code()->counts();
  return static_cast<double>(counts.instructions) / static_cast<double>(counts.vectors_written);
}

Plan accepted_plan(const Code& code, const LinearMap& map, const PlanOptions& options,
                   Proved proved, bool clears) {
  const Execution& execution = options.execution;
  prepare(execution);
  const Machine& machine = this_machine();  // found out now, not in a run
  const std::size_t cores = execution.threads != 0 ? execution.threads : machine.cores;
  Computation& computation = proved.computation;
  check_engine(code, computation, options);
  accept(code, map, computation);
  Grouping grouping = group_for_cores(computation, cores);
  if (proved.program && execution.executor == Executor::kGraph) {
    add_kernels(grouping, code, *proved.program, options.isa, jit_options(options));
    accept_groups(code, map, computation, grouping);
  }
  std::vector<std::size_t> reads = locations_of(code, map.inputs);
  std::vector<std::size_t> writes = locations_of(code, map.outputs);
  const bool is_packets = code.arrangement == Arrangement::kPacket;
  const std::size_t chunk_units = units_of_chunk(code);
  auto units =
      units_of(reads, proved.program ? cells_read(*proved.program) : map.inputs, chunk_units);
  auto written =
      units_of(writes, is_packets ? elements_of(code, map.outputs) : map.outputs, chunk_units);
  std::vector<Units> cleared(writes.size());
  for (std::size_t i = 0; clears && i < writes.size(); ++i) {
    cleared[i] = units_without(written[i], chunk_units);
  }
  std::vector<std::size_t> needed;
  std::ranges::set_union(reads, writes, std::back_inserter(needed));
  return PlanAccess::plan_of({std::move(computation), std::move(grouping), execution,
                              chunk_multiple(code), std::move(reads), std::move(writes),
                              std::move(needed), std::move(units), std::move(written),
                              std::move(cleared), chunk_units, code.packet_bytes});
}

/// Sets units that a plan clears to zero.
void clear_units(const PlanAccess::Impl& plan, std::uint8_t* const* chunks,
                 std::size_t chunk_bytes) {
  const std::size_t unit_bytes =
      plan.packet_bytes != 0 ? plan.packet_bytes : chunk_bytes / plan.units_of_chunk;
  const std::size_t block_bytes = unit_bytes * plan.units_of_chunk;
  for (std::size_t i = 0; i < plan.writes.size(); ++i) {
    for (const std::uint32_t unit : plan.cleared[i]) {
      std::uint8_t* const chunk = chunks[plan.writes[i]];
      for (std::size_t block = 0; block < chunk_bytes; block += block_bytes) {
        std::memset(chunk + block + unit * unit_bytes, 0, unit_bytes);
      }
    }
  }
}

Status check_buffers(const PlanAccess::Impl& plan, std::uint8_t* const* chunks,
                     std::size_t chunk_bytes) {
  if (plan.needed.empty()) return Status::kOk;
  if (chunks == nullptr) {
    return report(Status::kInvalidArgument, "the array of chunk pointers is null");
  }
  for (const std::size_t location : plan.needed) {
    if (chunks[location] != nullptr) continue;
    return report(Status::kInvalidArgument, "the pointer to chunk {} is null, and it is {}",
                  location, std::ranges::binary_search(plan.writes, location) ? "written" : "read");
  }
  for (const std::size_t written : plan.writes) {
    for (const std::size_t other : plan.needed) {
      if (other == written || !overlap(chunks[written], chunks[other], chunk_bytes)) continue;
      return report(Status::kInvalidArgument,
                    "chunk {}, which is written, overlaps chunk {} within {} "
                    "bytes",
                    written, other, chunk_bytes);
    }
  }
  return Status::kOk;
}

/// The units of one of some locations, or none.
std::span<const std::uint32_t> of_location(const std::vector<std::size_t>& locations,
                                           const std::vector<Units>& units, std::size_t location) {
  const auto place = std::ranges::lower_bound(locations, location);
  if (place == locations.end() || *place != location) return {};
  return units[static_cast<std::size_t>(place - locations.begin())];
}

}  // namespace

Program shared_program(const Program& direct, const PlanOptions& options) {
  Search search;
  search.effort = options.effort;
  search.stop_requested = options.stop_requested;
  return optimize(direct, search);
}

JitOptions jit_options(const PlanOptions& options) {
  JitOptions making;
  making.is_wanted = options.engine != Engine::kKernels;
  making.iterations = iterations_of(options.effort);
  making.stop_requested = options.stop_requested;
  return making;
}

WordComputation word_computation(const Code& code, const LinearMap& map,
                                 const PlanOptions& options) {
  const auto computation_of = [&](Program program) {
    prove(program, map.coefficients);
    Computation computation(code, program, options.isa, jit_options(options));
    return WordComputation{std::move(program), std::move(computation)};
  };
  const auto by_rows = [&] { return computation_of(direct_symbols(code, map)); };
  std::optional<SparseSums> sparse = sparse_sums(code, map);
  if (!sparse) return by_rows();
  const bool is_much_less = sparse->work_of_rows > 2 * sparse->work;
  std::optional<WordComputation> by_sums;
  try {
    by_sums = computation_of(std::move(sparse->program));
  } catch (const Error& error) {
    if (error.kind() != Status::kUnsupported) throw;
    return by_rows();
  }
  const bool has_code = by_sums->computation.has_code();
  if (is_much_less && (has_code || options.engine != Engine::kCode)) return *std::move(by_sums);
  WordComputation rows = by_rows();
  if (!rows.computation.has_code()) return *std::move(by_sums);
  if (!has_code) return rows;
  return instructions_per_vector(rows.computation) <= instructions_per_vector(by_sums->computation)
             ? std::move(rows)
             : *std::move(by_sums);
}

Plan make_plan(const Code& code, const LinearMap& map, const PlanOptions& options) {
  return with_code_or_kernels(options, [&](const PlanOptions& how) {
    return accepted_plan(code, map, how, proved_map(code, map, how), false);
  });
}

Plan make_plan(const Code& code, const Program& program,
               const std::shared_ptr<const ProgramOrders>& orders, const PlanOptions& options) {
  check_program(program);
  prove(program, code);
  const LinearMap map = map_of(code, program);
  prove_map(map, code);
  return with_code_or_kernels(options, [&](const PlanOptions& how) {
    JitOptions making = jit_options(how);
    making.orders = orders;
    Computation computation(code, program, how.isa, making);
    return accepted_plan(code, map, how, {program, std::move(computation)}, false);
  });
}

std::vector<Plan> make_part_plans(const Code& code, const LinearMap& whole,
                                  const std::vector<LinearMap>& parts, const PlanOptions& options) {
  prove_map(whole, code);
  prove_sum(code, whole, parts);
  std::vector<Plan> plans;
  for (const LinearMap& part : parts) {
    plans.push_back(with_code_or_kernels(options, [&](const PlanOptions& how) {
      return accepted_plan(code, part, how, proved_part(code, part, how), true);
    }));
  }
  return plans;
}

std::size_t memory_bytes(const Plan& plan) {
  const PlanAccess::Impl& impl = PlanAccess::impl_of(plan);
  const std::size_t locations = impl.reads.size() + impl.writes.size() + impl.needed.size();
  std::size_t unit_bytes = 0;
  for (const auto* units : {&impl.units, &impl.written, &impl.cleared}) {
    for (const Units& those : *units) unit_bytes += sizeof(Units) + those.size() * sizeof those[0];
  }
  std::size_t code_bytes = 0;
  for (const PacketCode& kernel : impl.grouping.kernels) code_bytes += kernel.code_bytes();
  return sizeof impl + impl.computation.memory_bytes() + code_bytes +
         locations * sizeof(std::size_t) + unit_bytes +
         impl.grouping.first_step.size() * sizeof(std::size_t) +
         impl.grouping.edges.size() * sizeof impl.grouping.edges[0];
}

Status Plan::run(std::uint8_t* const* chunks, std::size_t chunk_bytes) const noexcept {
  if (chunk_bytes % impl_->chunk_multiple != 0) {
    return report(Status::kInvalidArgument, "chunk_bytes = {} is not a multiple of {}", chunk_bytes,
                  impl_->chunk_multiple);
  }
  if (chunk_bytes == 0) return Status::kOk;
  const Status status = check_buffers(*impl_, chunks, chunk_bytes);
  if (status != Status::kOk) return status;
  const Stores stores = stores_for(this_machine(), impl_->needed.size() * chunk_bytes);
  execute(impl_->computation, impl_->grouping, impl_->execution, chunks, chunk_bytes, stores);
  clear_units(*impl_, chunks, chunk_bytes);
  return Status::kOk;
}

const std::vector<std::size_t>& Plan::reads() const noexcept { return impl_->reads; }

const std::vector<std::size_t>& Plan::writes() const noexcept { return impl_->writes; }

std::span<const std::uint32_t> Plan::units_read(std::size_t location) const noexcept {
  return of_location(impl_->reads, impl_->units, location);
}

std::span<const std::uint32_t> Plan::units_written(std::size_t location) const noexcept {
  return of_location(impl_->writes, impl_->written, location);
}

}  // namespace xorloom
