#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "gen/vector/instruction_schedule.hpp"

namespace xorloom {

/// What orders of a tile's steps cost, found by playing Belady's rule with uses alone: the price by
/// which orders are compared when very many are. assign_registers, which names registers and slots
/// by the same rule, takes three times as long.
///
/// A use is a number that grows along the order. Of a value in a register only its next use counts,
/// so that the registers are a set of uses, and who is read last is its highest.
class StepPrice {
 public:
  /// Keeps a reference to the tile, whose terms may be exchanged between the calls.
  StepPrice(const Program& steps, const MachineFacts& machine);

  /// Approximates ScheduleCost::total without multiplications. Shape: every step is in the order.
  /// It takes some 6 µs for a stripe of 10 + 4.
  std::size_t of(const EquationOrder& order);

 private:
  using Use = std::uint32_t;
  static constexpr Use kNever = std::numeric_limits<Use>::max();

  /// A set of uses whose highest is found quickly.
  class Uses {
   public:
    void clear(std::size_t end);
    void insert(Use use);
    bool erase(Use use);  ///< whether it was in it
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
  std::vector<Use> next_of_value_;   ///< while uses are numbered, from the last step to the first
  std::vector<Use> next_;            ///< by use: of the same value
  std::vector<Use> next_of_result_;  ///< by place in the order
  std::size_t free_ = 0;
  Uses clean_;  ///< values in registers that are in memory too
  Uses dirty_;
  struct Held {
    Use next;
    bool is_dirty;
  };
  std::vector<Held> held_;  ///< operands of the step at hand that stay in their registers
  std::size_t price_ = 0;
};

}  // namespace xorloom
