#include "gen/vector/tile_order.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "equations/build/bands.hpp"
#include "equations/ir/cost.hpp"
#include "equations/passes/fuse.hpp"
#include "gen/vector/annealing.hpp"
#include "gen/vector/greedy_steps.hpp"
#include "gen/vector/machine_code.hpp"
#include "gen/vector/tile_proof.hpp"

namespace xorloom {
namespace {

/// Fewer outputs are ordered as one even if they share nothing.
constexpr std::size_t kFewestOfBands = 16;

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

/// A tile that is ordered as one.
TileProgram ordered_band(const Program& band, const VectorMachine& machine,
                         const JitOptions& options) {
  TileProgram whole = tile_of(fused(band, machine));
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
  SteppedTile steps = greedy_steps(whole, machine, starts, options.window);
  TileProgram tile = iterations == 0
                         ? std::move(steps.tile)
                         : annealed(steps, machine, {1, iterations, options.stop_requested});
  prove_tile(tile, band, 1);
  return tile;
}

/// The tile of a program that computes one tile of it after the other.
///
/// Shape: both have the program's inputs, and each some of its outputs.
TileProgram joined(const Program& program, TileProgram first, TileProgram second) {
  TileProgram result;
  result.field = program.field;
  result.inputs = first.inputs;
  result.equations.reserve(first.equations.size() + second.equations.size());
  std::map<TileProgram::Cell, std::uint32_t> index;
  for (const Element output : program.outputs) {
    index[{output}] = static_cast<std::uint32_t>(result.outputs.size());
    result.outputs.push_back({output});
  }
  for (TileProgram* part : {&first, &second}) {
    const std::size_t shift = result.equations.size();
    for (TileProgram::Equation& equation : part->equations) {
      for (TileProgram::Term& term : equation.terms) {
        if (term.value >= part->inputs.size()) {
          term.value += static_cast<TileProgram::Value>(shift);
        }
      }
      if (equation.output != TileProgram::kNoOutput) {
        equation.output = index.at(part->outputs[equation.output]);
      }
      result.equations.push_back(std::move(equation));
    }
  }
  return result;
}

}  // namespace

Program fused(const Program& program, const VectorMachine& machine) {
  return machine.has_three_way_xor ? fuse_three_way(program) : fuse_single_use(program);
}

TileProgram ordered_tile(const Program& program, const VectorMachine& machine,
                         const JitOptions& options) {
  if (program.outputs.size() < kFewestOfBands) return ordered_band(program, machine, options);
  const std::vector<Program> halves = independent_halves(program);
  if (halves.size() < 2) return ordered_band(program, machine, options);
  const std::size_t work = num_operands(program);
  const auto ordered = [&](const Program& half) {
    return ordered_tile(half, machine, options_of_part(options, num_operands(half), work));
  };
  return joined(program, ordered(halves[0]), ordered(halves[1]));
}

std::size_t greedy_price(const Program& program, const VectorMachine& machine, std::size_t window) {
  const TileProgram tile = tile_of(fused(program, machine));
  return schedule_price(greedy_steps(tile, machine, 1, window).tile, machine);
}

JitOptions options_of_part(const JitOptions& options, std::size_t part, std::size_t whole) {
  JitOptions result = options;
  result.orders = nullptr;
  whole = std::max<std::size_t>(whole, 1);
  result.iterations = options.iterations * part / whole;
  result.quick_instructions = options.quick_instructions * part / whole;
  return result;
}

}  // namespace xorloom
