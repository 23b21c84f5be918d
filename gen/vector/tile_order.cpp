#include "gen/vector/tile_order.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

#include "equations/build/pieces.hpp"
#include "equations/ir/cost.hpp"
#include "equations/ir/proof.hpp"
#include "equations/passes/fuse.hpp"
#include "gen/vector/annealing.hpp"
#include "gen/vector/greedy_steps.hpp"

namespace xorloom {
namespace {

/// Percentage of a search's time for greedy starts: in a long search, and in a quick one. A greedy
/// start takes as long as kGreedyPrice iterations of annealing. The start decides how cheap the
/// result is, even of a long search.
constexpr std::uint64_t kGreedyShare = 5;
constexpr std::uint64_t kQuickGreedyShare = 60;
constexpr std::uint64_t kGreedyPrice = 80;
constexpr std::uint64_t kEnough = 40;  ///< iterations of annealing per instruction

/// Approximate number of XOR instructions of a tile; at least 1.
std::uint64_t num_sums(const Program& tile) {
  std::uint64_t number = 1;
  for (const Equation& equation : tile.equations) {
    number += three_way_instructions(equation.operands.size());
  }
  return number;
}

/// Number of orders of a tile that a search may try if it is not quick. If the effort is normal,
/// long tiles get fewer: their orders take longer.
std::uint64_t long_orders(const Program& tile, const Budget& budget) {
  constexpr std::uint64_t kUsualSums = 250;  // num_sums() for 10 + 4
  if (budget.effort != Effort::kNormal) return budget.iterations;
  return budget.iterations * kUsualSums / std::max(kUsualSums, num_sums(tile));
}

/// Number of orders of a tile that a quick search may try.
std::uint64_t quick_orders(const Program& tile, const Budget& budget) {
  return budget.quick_instructions / num_sums(tile);
}

/// Number of greedy orders to make, the cheapest of which is annealed. Short tiles have fewer.
std::uint64_t greedy_starts(const Program& tile, const Budget& budget) {
  if (budget.quick_instructions == 0) {
    return 1 + long_orders(tile, budget) * kGreedyShare / 100 / kGreedyPrice;
  }
  return 1 + std::min(num_sums(tile),
                      quick_orders(tile, budget) * kQuickGreedyShare / 100 / kGreedyPrice);
}

/// Iterations of annealing, fewer for short tiles.
std::uint64_t iterations_for(const Program& tile, const Budget& budget) {
  if (budget.quick_instructions == 0) return long_orders(tile, budget);
  return std::min(num_sums(tile) * kEnough,
                  quick_orders(tile, budget) * (100 - kQuickGreedyShare) / 100);
}

/// The two parts of a program that share nothing but inputs; empty if it is ordered as one.
std::vector<Program> parts_of(const Program& program) {
  if (program.outputs.size() < kFewestOutputsOfBand) return {};
  return independent_halves(program);
}

/// Concatenates the steps of both parts into steps of `program`.
///
/// Shape: the parts have the program's inputs, and each some of its outputs; stepped[p] has the
///        steps of parts[p].
SteppedTile joined(const Program& program, const std::vector<Program>& parts,
                   std::array<SteppedTile, 2> stepped) {
  SteppedTile result;
  Program& tile = result.tile;
  tile = dense_without_equations(program.inputs.size(), program.outputs.size(), program.field);
  tile.equations.reserve(stepped[0].tile.equations.size() + stepped[1].tile.equations.size());
  // By output: its position in program.outputs.
  std::vector<std::size_t> index(program.end_of_elements());
  for (std::size_t o = 0; o < program.outputs.size(); ++o) index[program.outputs[o]] = o;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    Program& part = stepped[p].tile;
    const auto shift = static_cast<Element>(tile.equations.size());
    const std::uint32_t first_chain =
        result.chain_of.empty() ? 0 : std::ranges::max(result.chain_of) + 1;
    for (const std::uint32_t chain : stepped[p].chain_of) {
      result.chain_of.push_back(first_chain + chain);
    }
    for (Equation& equation : part.equations) {
      for (Operand& operand : equation.operands) {
        if (operand.element >= part.inputs.size()) operand.element += shift;
      }
      add_equation(tile, std::move(equation.operands));
    }
    for (std::size_t o = 0; o < part.outputs.size(); ++o) {
      tile.outputs[index[parts[p].outputs[o]]] = part.outputs[o] + shift;
    }
  }
  return result;
}

/// True if a search may interleave the parts of a program. A program that does not fit one kernel
/// is cut into its parts. With AVX2 kernels for aligned chunks compute part by part, and they lost
/// more than others gained.
bool may_interleave(const Program& program, const MachineFacts& machine) {
  return machine.has_three_way_xor() && xors(program) * kBytesOfXor <= machine.code_bytes;
}

/// The steps of a program's two parts, each ordered with its share of the budget.
///
/// Shape: order(part, budget) returns the steps of a part.
template <typename Order>
SteppedTile ordered_apart(const Program& program, const std::vector<Program>& parts,
                          const Budget& budget, const Order& order) {
  const std::size_t work = num_operands(program);
  const auto ordered = [&](const Program& part) {
    return order(part, share_of(budget, num_operands(part), work));
  };
  SteppedTile first = ordered(parts[0]);
  return joined(program, parts, {std::move(first), ordered(parts[1])});
}

/// The steps of a program in a greedy order, one part after the other.
SteppedTile greedy_order(const Program& program, const MachineFacts& machine, const Budget& budget,
                         std::size_t window) {
  const std::vector<Program> parts = parts_of(program);
  if (parts.empty()) {
    const Program tile = dense(fused(program, machine));
    return greedy_steps(tile, machine, greedy_starts(tile, budget), window, budget.stop_requested);
  }
  return ordered_apart(program, parts, budget, [&](const Program& part, const Budget& share) {
    return greedy_order(part, machine, share, window);
  });
}

/// By equation: the first equation of its component, which is connected by temporaries.
std::vector<std::uint32_t> firsts_of_components(const Program& tile) {
  std::vector<std::uint32_t> first(tile.equations.size());
  std::iota(first.begin(), first.end(), 0U);
  const auto first_of = [&](std::uint32_t e) {
    while (first[e] != e) e = first[e] = first[first[e]];
    return e;
  };
  const auto inputs = static_cast<Element>(tile.inputs.size());
  for (std::uint32_t e = 0; e < first.size(); ++e) {
    for (const Operand& term : tile.equations[e].operands) {
      if (term.element < inputs) continue;
      const auto [low, high] = std::minmax({first_of(e), first_of(term.element - inputs)});
      first[high] = low;
    }
  }
  for (std::uint32_t e = 0; e < first.size(); ++e) first[e] = first_of(e);
  return first;
}

}  // namespace

Program fused(const Program& program, const MachineFacts& machine) {
  return machine.has_three_way_xor() ? fuse_three_way(program) : fuse_single_use(program);
}

Program ordered_tile(const Program& program, const MachineFacts& machine, const Budget& budget,
                     std::size_t window) {
  const std::vector<Program> parts = parts_of(program);
  if (!parts.empty() && !(budget.searches_order() && may_interleave(program, machine))) {
    const auto ordered = [&](const Program& part, const Budget& share) {
      return SteppedTile{ordered_tile(part, machine, share, window), {}};
    };
    return ordered_apart(program, parts, budget, ordered).tile;
  }
  Program tile = dense(fused(program, machine));
  if (tile.equations.size() > machine.most_equations()) return tile;  // too long for machine code
  const std::uint64_t iterations = iterations_for(tile, budget);
  SteppedTile steps = parts.empty() ? greedy_steps(tile, machine, greedy_starts(tile, budget),
                                                   window, budget.stop_requested)
                                    : greedy_order(program, machine, budget, window);
  tile = iterations == 0 ? std::move(steps.tile)
                         : annealed(steps, machine, iterations, 1, budget.stop_requested);
  prove_tile(tile, program, 1);
  return tile;
}

std::size_t greedy_price(const Program& program, const MachineFacts& machine, std::size_t window) {
  const Program tile = dense(fused(program, machine));
  return schedule_price(greedy_steps(tile, machine, 1, window).tile, machine);
}

EquationOrder order_by_bands(const Program& tile) {
  const std::vector<std::uint32_t> first = firsts_of_components(tile);
  // By first equation of a component: its number of outputs.
  std::vector<std::size_t> outputs(first.size());
  for (const Element output : tile.outputs) ++outputs[first[output - tile.inputs.size()]];
  std::vector<std::size_t> band(first.size());
  std::size_t number = 0;
  std::size_t left = tile.outputs.size();
  std::size_t of_band = 0;
  for (std::size_t e = 0; e < first.size(); ++e) {
    if (first[e] != e) {
      band[e] = band[first[e]];
      continue;
    }
    if (of_band >= kFewestOutputsOfBand && left >= kFewestOutputsOfBand) {
      ++number;
      of_band = 0;
    }
    band[e] = number;
    of_band += outputs[e];
    left -= outputs[e];
  }
  EquationOrder order(first.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t e) { return band[e]; });
  return order;
}

}  // namespace xorloom
