#include "gen/vector/lower.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "codes/text/error.hpp"
#include "equations/ir/proof.hpp"
#include "equations/passes/fuse.hpp"
#include "gen/vector/annealing.hpp"
#include "gen/vector/greedy_steps.hpp"
#include "gen/vector/tile_proof.hpp"
#include "gen/vector/word_tile.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kAlignment = 64;

/// An instruction takes four bytes at the least.
constexpr std::size_t kMostEquations = kMostCodeBytes / 4;

/// Of a quick search, the percentage of time for greedy starts. A start takes as long as that many
/// iterations of annealing.
constexpr std::uint64_t kGreedyShare = 60;
constexpr std::uint64_t kGreedyPrice = 80;
constexpr std::uint64_t kEnough = 40;  ///< iterations for each instruction

/// About the instructions that a tile takes.
std::uint64_t num_instructions(const TileProgram& tile) {
  std::uint64_t number = 1;
  for (const TileProgram::Equation& equation : tile.equations) {
    number += three_way_instructions(equation.terms.size());
  }
  return number;
}

/// The program with its temporaries as the machine's instructions want them.
Program fused(const Program& program, const VectorMachine& machine) {
  return machine.has_three_way_xor ? fuse_three_way(program) : fuse_single_use(program);
}

/// Whether equations read inputs alone.
bool is_direct(const Program& program) {
  const std::vector<std::size_t> made_by = equation_of_element(program);
  return std::ranges::all_of(program.equations, [&](const Equation& equation) {
    return std::ranges::all_of(equation.operands,
                               [&](Element operand) { return made_by[operand] == kNone; });
  });
}

/// The rows of a direct program by their dyadic blocks; sums of sums as they come.
TileProgram tile_of_symbols(const Program& program, const VectorMachine& machine) {
  if (!is_direct(program)) return tile_of(program);
  return tile_of(program.field, {program.inputs, program.outputs, coefficients_of(program)},
                 machine);
}

/// Registers, then instructions, for one way of storing. No bytes if they are too many.
std::vector<std::uint8_t> kernel(const TileProgram& tile, const TilePlaces& places,
                                 const VectorMachine& machine, const MachineCodeOptions& options,
                                 InstructionSchedule& schedule) {
  schedule = assign_registers(tile, machine, !options.non_temporal);
  if (const auto wrong = find_disagreement(schedule, tile, machine)) {
    fail(Status::kInternal, fmt::format("a schedule was not proved: {}", *wrong));
  }
  return machine_code(places, schedule, machine, options);
}

std::optional<LoweredKernels> kernels(TileProgram tile, TilePlaces places,
                                      const VectorMachine& machine, MachineCodeOptions options) {
  if (tile.equations.size() > kMostEquations) return std::nullopt;
  LoweredKernels result;
  options.non_temporal = false;
  result.bytes = kernel(tile, places, machine, options, result.schedule);
  if (result.bytes.empty()) return std::nullopt;
  result.code_bytes = result.bytes.size();
  result.bytes.resize((result.bytes.size() + kAlignment - 1) / kAlignment * kAlignment, 0xcc);
  result.non_temporal_at = result.bytes.size();
  InstructionSchedule past_caches;
  options.non_temporal = true;
  const std::vector<std::uint8_t> second = kernel(tile, places, machine, options, past_caches);
  if (second.empty()) return std::nullopt;
  result.bytes.insert(result.bytes.end(), second.begin(), second.end());
  result.tile = std::move(tile);
  result.places = std::move(places);
  return result;
}

}  // namespace

const Program& proved_order(const Program& program, const ProgramOrders* orders,
                            const VectorMachine& machine) {
  if (orders == nullptr) return program;
  const Program& ordered = machine.has_three_way_xor ? orders->three_way : orders->two_way;
  if (ordered == program) return ordered;
  if (ordered.inputs != program.inputs || ordered.outputs != program.outputs) {
    fail(Status::kDamaged, "a reordered program has other cells than the program");
  }
  // Over symbols a proof takes memory for every equation.
  if (!ordered.is_xor() && ordered.equations.size() > kMostEquations) {
    fail(Status::kDamaged, "a reordered program is too long for machine code");
  }
  try {
    check_program(ordered);
    prove(ordered, program);
  } catch (const Error& error) {
    fail(Status::kDamaged, fmt::format("a reordered program does not hold: {}", error.what()));
  }
  return ordered;
}

TileProgram ordered_tile(const Program& program, const VectorMachine& machine,
                         const JitOptions& options) {
  const TileProgram whole = tile_of(fused(program, machine));
  if (whole.equations.size() > kMostEquations) return whole;  // none will run
  std::uint64_t iterations = options.iterations;
  std::uint64_t starts = 1;
  if (options.quick_instructions != 0) {
    const std::uint64_t number = num_instructions(whole);
    const std::uint64_t orders = options.quick_instructions / number;
    // Short tiles are done with sooner.
    starts += std::min(number, orders * kGreedyShare / 100 / kGreedyPrice);
    iterations = std::min(number * kEnough, orders * (100 - kGreedyShare) / 100);
  }
  const SteppedTile steps = greedy_steps(whole, machine, starts);
  TileProgram tile = iterations == 0
                         ? steps.tile
                         : annealed(steps, machine, {1, iterations, options.stop_requested});
  prove_tile(tile, program, 1);
  return tile;
}

std::size_t greedy_price(const Program& program, const VectorMachine& machine) {
  return schedule_price(greedy_steps(tile_of(fused(program, machine)), machine).tile, machine);
}

std::optional<LoweredKernels> lower_packets(const Program& program, const PacketTiles& tiles,
                                            const VectorMachine& machine,
                                            const JitOptions& options) {
  const std::size_t vectors = tiles.tile_bytes / machine.vector_bytes;
  TileProgram tile = options.orders ? tile_of(proved_order(program, options.orders.get(), machine))
                                    : ordered_tile(program, machine, options);
  if (tile.equations.size() > kMostEquations) return std::nullopt;
  tile = unrolled(tile, vectors);
  prove_tile(tile, program, vectors);
  const PacketDistances distances{program.rows, tiles.packet_bytes, machine.vector_bytes};
  TilePlaces places = packet_places(tile, distances);
  prove_packets(places, program, vectors, distances);
  return kernels(std::move(tile), std::move(places), machine, {tiles.stride, tiles.prefetch_bytes});
}

TileProgram symbols_tile(const Program& program, std::size_t vectors,
                         const VectorMachine& machine) {
  TileProgram tile = unrolled(tile_of_symbols(program, machine), vectors);
  prove_tile(tile, program, vectors);
  return tile;
}

std::optional<LoweredKernels> lower_symbols(
    const Program& program, std::size_t vectors, std::size_t prefetch_bytes,
    const VectorMachine& machine, const std::function<std::uint64_t(Field::Symbol)>& matrix_of) {
  TileProgram tile = symbols_tile(program, vectors, machine);
  TilePlaces places = word_places(tile, vectors, machine.vector_bytes);
  prove_words(places, program, vectors, machine.vector_bytes);
  MachineCodeOptions options{vectors * machine.vector_bytes, prefetch_bytes};
  for (const TileProgram::Equation& equation : tile.equations) {
    for (const auto& [value, coefficient] : equation.terms) {
      if (coefficient == 1 || options.products.contains(coefficient)) continue;
      options.products[coefficient] = matrix_of(coefficient);
    }
  }
  return kernels(std::move(tile), std::move(places), machine, std::move(options));
}

}  // namespace xorloom
