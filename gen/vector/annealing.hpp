#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "gen/vector/greedy_steps.hpp"

namespace xorloom {

/// Orders the steps of a tile by simulated annealing: moves steps and exchanges terms between steps
/// of one sum, so that fewer values are stored and loaded in between. Returns the cheapest tile of
/// `iterations` trials, or of those made before `stop_requested` returned true. It never costs more
/// than `steps`. Its equations are in order of computation. The result is deterministic in the seed
/// and the number of trials.
///
/// Cost: one StepPrice per iteration.
Program annealed(const SteppedTile& steps, const MachineFacts& machine, std::uint64_t iterations,
                 std::uint64_t seed = 1, const std::function<bool()>& stop_requested = {});

/// Estimates the cost of orders of a tile's steps by Belady's rule on uses alone, to compare very
/// many orders. assign_registers, which names registers and slots by the same rule, takes three
/// times as long.
///
/// A use is a number that grows along the order. Only the next use of a value in a register counts,
/// so the registers are a set of uses, and the value that is read last has the highest.
class StepPrice {
 public:
  /// Keeps a reference to the tile, whose terms may change between calls.
  StepPrice(const Program& steps, const MachineFacts& machine);

  /// Approximates ScheduleCost::total without multiplications. Shape: `order` has every step. Cost:
  /// some 6 µs for a stripe of 10 + 4.
  std::size_t of(const EquationOrder& order);

 private:
  using Use = std::uint32_t;
  static constexpr Use kNever = std::numeric_limits<Use>::max();

  /// A set of uses that finds its highest quickly.
  class Uses {
   public:
    void clear(std::size_t end);
    void insert(Use use);
    bool erase(Use use);  ///< true if `use` was in the set
    std::optional<Use> highest();

   private:
    std::vector<std::uint64_t> words_;
    std::size_t end_ = 0;  ///< no word from here on has a bit set
  };

  void number_uses(const EquationOrder& order);
  bool take_clean(Use after);
  void take();
  void compute(const Equation& step, bool is_output, Use first, Use next_of_result);

  const Program& steps_;
  std::size_t registers_;
  bool has_three_way_xor_;
  InstructionWork work_;
  std::vector<std::uint32_t> outputs_;
  /// By value: its next use, while uses are numbered from the last step to the first.
  std::vector<Use> next_of_value_;
  std::vector<Use> next_;            ///< by use: the next use of its value
  std::vector<Use> next_of_result_;  ///< by position in the order: the first use of the result
  std::size_t free_ = 0;
  Uses clean_;  ///< next uses of values in registers that are in memory, too
  Uses dirty_;
  struct Held {
    Use next;
    bool is_dirty;
  };
  std::vector<Held> held_;  ///< operands of the current step that stay in registers
  std::size_t price_ = 0;
};

}  // namespace xorloom
