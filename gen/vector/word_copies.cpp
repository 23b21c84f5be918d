#include "gen/vector/word_copies.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "equations/passes/gate_trees.hpp"
#include "gen/vector/greedy_steps.hpp"
#include "gen/vector/held_matrices.hpp"
#include "gen/vector/word_tile.hpp"

namespace xorloom {
namespace {

/// Greedy orders to try, of which the cheapest is taken. More were not better.
constexpr std::uint64_t kCopyStarts = 4;

/// Most equations of a tile whose orders are compared: more take milliseconds.
constexpr std::size_t kMostCompared = 512;

/// Cycles until a product can be read: from 3 on Intel's cores to 5 on Zen 4.
constexpr std::size_t kProductLatency = 5;

/// Estimated time of a turn on a core that loads one vector a cycle, multiplies one and adds two.
struct TurnTime {
  std::size_t cycles = 0;
  bool waits = false;  ///< waits for values of one copy while no other copy is computed
  std::size_t instructions = 0;
  std::size_t matrices = 0;  ///< matrices that are loaded
};

TurnTime turn_time(const Program& tile, const MachineFacts& machine) {
  const InstructionSchedule schedule = assign_registers(tile, machine, true);
  const ScheduleCost spent = cost(schedule, machine);
  const std::size_t matrices = held_matrices(schedule, machine).loads();
  const std::size_t others = std::max(spent.products, (spent.operations() + 1) / 2);
  return {std::max(spent.loads + matrices, others), false, spent.instructions, matrices};
}

/// Cycles from the first values of a tile to its last if only dependences between values cause
/// waits.
std::size_t longest_path(const Program& tile, const MachineFacts& machine) {
  const std::size_t operands = machine.xor_operands;
  std::vector<std::size_t> known(tile.inputs.size(), 0);
  std::size_t longest = 0;
  for (const Equation& equation : tile.equations) {
    std::size_t begin = 0;
    for (const Operand& term : equation.operands) {
      const std::size_t product = term.coefficient == 1 ? 0 : kProductLatency;
      begin = std::max(begin, known[term.element] + product);
    }
    known.push_back(begin + gates_of_sum(equation.operands.size(), operands));
    longest = std::max(longest, known.back());
  }
  return longest;
}

/// Finds the fastest of many ways to compute copies of a tile.
class FastestCopies {
 public:
  FastestCopies(std::size_t copies, const MachineFacts& machine)
      : copies_(copies), machine_(machine) {}

  /// Compares three distances between the starts of copies. A copy begins at the end of the copy
  /// before; at that copy's first equation that reads no input; or with all others, so that their
  /// equations take turns.
  void add(const Program& tile) {
    const auto reads_input = [&](const Equation& equation) {
      return std::ranges::any_of(
          equation.operands, [&](const auto& term) { return term.element < tile.inputs.size(); });
    };
    const auto later = std::ranges::find_if_not(tile.equations, reads_input);
    const auto size = static_cast<std::uint32_t>(tile.equations.size());
    const Program one_by_one = unrolled(tile, copies_);
    const std::size_t path = longest_path(tile, machine_);
    std::vector<std::uint32_t> distances{size};
    if (copies_ > 1) {
      if (later != tile.equations.end()) {
        distances.push_back(static_cast<std::uint32_t>(later - tile.equations.begin()));
      }
      distances.push_back(0);
    }
    for (const std::uint32_t distance : distances) {
      EquationOrder order(copies_ * size);
      std::iota(order.begin(), order.end(), 0U);
      std::ranges::stable_sort(order, {}, [&](std::uint32_t equation) {
        return equation % size + equation / size * distance;
      });
      Program copied = reordered(one_by_one, order);
      TurnTime time = turn_time(copied, machine_);
      time.waits = distance == size && path * copies_ > time.cycles;
      compare(std::move(copied), time);
    }
  }

  Program result() && { return std::move(best_); }

 private:
  void compare(Program tile, const TurnTime& time) {
    const auto all = [](const TurnTime& of) {
      return std::tie(of.cycles, of.waits, of.instructions, of.matrices);
    };
    if (!best_.outputs.empty() && all(least_) <= all(time)) return;
    least_ = time;
    best_ = std::move(tile);
  }

  std::size_t copies_;
  const MachineFacts& machine_;
  Program best_;
  TurnTime least_;
};

/// By equation: its group. An equation begins a new group unless it multiplies the value that the
/// last equation with a product multiplied.
std::vector<std::uint32_t> groups_by_factor(const Program& tile) {
  std::vector<std::uint32_t> groups;
  std::optional<Element> last;
  for (const Equation& equation : tile.equations) {
    const auto factor = std::ranges::find_if(
        equation.operands, [](const Operand& term) { return term.coefficient != 1; });
    const bool is_same = factor != equation.operands.end() && last == factor->element;
    groups.push_back(groups.empty() ? 0 : groups.back() + (is_same ? 0 : 1));
    if (factor != equation.operands.end()) last = factor->element;
  }
  return groups;
}

/// Copies that take turns group by group, so that the tables of a product serve all of them.
Program by_factors(const Program& tile, std::size_t copies) {
  const std::vector<std::uint32_t> groups = groups_by_factor(tile);
  const std::size_t size = tile.equations.size();
  EquationOrder order(copies * size);
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t e) { return groups[e % size]; });
  return reordered(unrolled(tile, copies), order);
}

}  // namespace

Program copies_of(const Program& program, std::size_t copies, const MachineFacts& machine) {
  const Program tile = word_tile(program, machine);
  if (machine.held_tables != 0) return by_factors(tile, copies);
  if (!machine.has_matrix_products || tile.equations.size() > kMostCompared) {
    return unrolled(tile, copies);
  }
  FastestCopies best(copies, machine);
  best.add(tile);
  best.add(greedy_steps(dense(program), machine, kCopyStarts).tile);
  if (const auto blocks = tile_by_blocks(program)) {
    best.add(greedy_steps(*blocks, machine, kCopyStarts).tile);
  }
  return std::move(best).result();
}

}  // namespace xorloom
