#include "runtime/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>

#include "codes/error.hpp"
#include "equations/cost.hpp"
#include "equations/direct.hpp"
#include "equations/optimize.hpp"
#include "equations/proof.hpp"
#include "equations/sparse_sums.hpp"
#include "runtime/accept.hpp"
#include "runtime/cost_model.hpp"
#include "runtime/group_kernels.hpp"
#include "runtime/last_error.hpp"

namespace xorloom {
namespace {

/// Moves spent on the order of instructions where the effort is normal: seconds for 10 + 4.
constexpr std::uint64_t kNormalMoves = 500'000;

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

std::vector<std::size_t> locations_of(const Code& code, const std::vector<Cell>& cells) {
  std::vector<std::size_t> locations;
  for (const Cell cell : cells) locations.push_back(code.location_of_cell(cell));
  std::ranges::sort(locations);
  locations.erase(std::unique(locations.begin(), locations.end()), locations.end());
  return locations;
}

/// The units of each location of `reads` that a computation reads; `cells` are numbered by location, so
/// many to each.
std::vector<std::vector<std::uint32_t>> units_of(const std::vector<std::size_t>& reads,
                                                 std::vector<std::uint32_t> cells,
                                                 std::size_t cells_of_location) {
  std::ranges::sort(cells);
  std::vector<std::vector<std::uint32_t>> units(reads.size());
  for (const std::uint32_t cell : cells) {
    const auto place = std::ranges::lower_bound(reads, cell / cells_of_location);
    auto& those = units[static_cast<std::size_t>(place - reads.begin())];
    const auto unit = static_cast<std::uint32_t>(cell % cells_of_location);
    if (those.empty() || those.back() != unit) those.push_back(unit);
  }
  return units;
}

Program proved_program(const Code& code, const LinearMap& map, const PlanOptions& options) {
  Program program = direct_program(code, map);
  if (style_for(options.style, xors(program)) == Style::kIterative) {
    program = shared_program(program, options);
  }
  prove(program, code);
  return program;
}

/// The cells of the array that equations read.
std::vector<std::uint32_t> cells_read(const Program& program) {
  const std::vector<std::size_t> equation_of = equation_of_element(program);
  std::vector<std::uint32_t> cells;
  for (const Equation& equation : program.equations) {
    for (const Element operand : equation.operands) {
      if (operand < program.num_cells() && equation_of[operand] == kNone) cells.push_back(operand);
    }
  }
  return cells;
}

/// What a plan runs, accepted, and the rows or sub-chunks it reads, numbered over all locations.
struct Made {
  Computation computation;
  Grouping grouping;
  std::vector<std::uint32_t> cells;
};

/// What was asked for and is missing is an error.
void check_engine(const Code& code, const Computation& computation, const PlanOptions& options) {
  if (options.engine != Engine::kCode || computation.has_code()) return;
  fail(Status::kUnsupported,
       fmt::format("engine = code, but there is no machine code for this computation of {} on {}",
                   code.name(), to_string(options.isa)));
}

Made make(const Code& code, const LinearMap& map, const PlanOptions& options, std::size_t cores) {
  prove_map(map, code);
  const CodeMaking making = making_of(options);
  std::optional<Program> program;
  if (code.arrangement == Arrangement::kPacket) program = proved_program(code, map, options);
  Computation computation = program ? Computation(code, *program, options.isa, making)
                                    : word_computation(code, map, options).computation;
  check_engine(code, computation, options);
  accept(code, map, computation);
  Grouping grouping = group_for_cores(computation, cores);
  if (program && options.execution.kind == ExecutorKind::kGraph) {
    add_kernels(grouping, code, *program, options.isa, making);
    accept_groups(code, map, computation, grouping);
  }
  return {std::move(computation), std::move(grouping), program ? cells_read(*program) : map.inputs};
}

bool overlap(const std::uint8_t* a, const std::uint8_t* b, std::size_t bytes) {
  const auto x = reinterpret_cast<std::uintptr_t>(a);
  const auto y = reinterpret_cast<std::uintptr_t>(b);
  return (x < y ? y - x : x - y) < bytes;
}

Status check_buffers(const Plan::Impl& plan, std::uint8_t* const* chunks, std::size_t chunk_bytes) {
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

}  // namespace

Program shared_program(const Program& direct, const PlanOptions& options) {
  Search search;
  search.effort = options.effort;
  search.is_over = options.is_over;
  return optimize(direct, search);
}

CodeMaking making_of(const PlanOptions& options) {
  CodeMaking making;
  making.is_wanted = options.engine != Engine::kKernels;
  if (options.effort != Effort::kFast) making.moves = kNormalMoves;
  making.is_over = options.is_over;
  return making;
}

WordComputation word_computation(const Code& code, const LinearMap& map,
                                 const PlanOptions& options) {
  const auto by_map = [&] {
    return WordComputation{rows_of(map), Computation(code, map, options.isa, making_of(options))};
  };
  std::optional<SparseSums> sparse = sparse_sums(code, map);
  if (!sparse) return by_map();
  if (options.engine == Engine::kCode || sparse->work_of_rows <= 2 * sparse->work) {
    WordComputation made = by_map();
    if (made.computation.has_code()) return made;
  }
  prove_sums(code, map, sparse->sums);
  try {
    Computation by_sums(code, sparse->sums, options.isa);
    return {std::move(sparse->sums), std::move(by_sums)};
  } catch (const Error& error) {
    if (error.kind() != Status::kUnsupported) throw;
    return by_map();
  }
}

Plan make_plan(const Code& code, const LinearMap& map, const PlanOptions& options) {
  const Execution& execution = options.execution;
  prepare(execution);
  const Machine& machine = this_machine();  // found out now, not in a run
  const std::size_t cores = execution.threads != 0 ? execution.threads : machine.cores;
  Made made = make(code, map, options, cores);
  std::vector<std::size_t> reads = locations_of(code, map.inputs);
  std::vector<std::size_t> writes = locations_of(code, map.outputs);
  const bool is_packets = code.arrangement == Arrangement::kPacket;
  auto units = units_of(reads, std::move(made.cells), is_packets ? code.rows() : code.subchunks);
  std::vector<std::size_t> needed;
  std::ranges::set_union(reads, writes, std::back_inserter(needed));
  return Plan(std::make_shared<const Plan::Impl>(Plan::Impl{
      std::move(made.computation), std::move(made.grouping), execution, chunk_multiple(code),
      std::move(reads), std::move(writes), std::move(needed), std::move(units)}));
}

std::size_t memory_bytes(const Plan& plan) {
  const Plan::Impl& impl = plan.impl();
  const std::size_t locations = impl.reads.size() + impl.writes.size() + impl.needed.size();
  std::size_t unit_bytes = 0;
  for (const auto& of_location : impl.units)
    unit_bytes += sizeof of_location + of_location.size() * 4;
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
  return Status::kOk;
}

const std::vector<std::size_t>& Plan::reads() const noexcept { return impl_->reads; }

const std::vector<std::size_t>& Plan::writes() const noexcept { return impl_->writes; }

std::span<const std::uint32_t> Plan::units_read(std::size_t location) const noexcept {
  const auto place = std::ranges::lower_bound(impl_->reads, location);
  if (place == impl_->reads.end() || *place != location) return {};
  return impl_->units[static_cast<std::size_t>(place - impl_->reads.begin())];
}

}  // namespace xorloom
