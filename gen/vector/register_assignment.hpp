#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "equations/ir/live_slots.hpp"
#include "gen/vector/instruction_schedule.hpp"

namespace xorloom {

/// The work behind assign_registers, done once.
///
/// Values that wait on the stack use LiveSlots. Registers do not, because a live value may lose its
/// register to another.
class RegisterAssignment {
 public:
  /// Keeps references to the tile and to the schedule that is to be filled. Shape: the machine has
  /// at least 4 registers, beside those of products by tables if the tile has such products.
  RegisterAssignment(const TileProgram& tile, const VectorMachine& machine,
                     bool outputs_are_read_again, InstructionSchedule& schedule);

  void run();

 private:
  using Value = TileProgram::Value;
  using Term = TileProgram::Term;
  using Number = std::uint8_t;  ///< of a register
  static constexpr std::uint32_t kNever = 0xffffffff;
  static constexpr Number kNoRegister = 0xff;
  static constexpr Value kNoValue = 0xffffffff;

  /// Registers as bits.
  using Set = std::uint64_t;
  static Set bit(Number number) { return Set{1} << number; }

  struct State {
    std::uint32_t next = 0;  ///< in uses_, where the value's uses are: the next one
    std::uint32_t end = 0;
    Number number = kNoRegister;  ///< the register it is in
    InstructionSchedule::Memory memory{};
  };

  void find_uses();
  std::uint32_t next_use(Value value) const;
  void lock(Number number);
  void set_free(Number number);
  void put(Value value, Number number, Set& set);
  void emit(InstructionSchedule::Op op, Number target, Number a, Number b,
            InstructionSchedule::Memory memory = {}, Field::Symbol coefficient = 1);
  Number take_for(std::uint32_t use);
  Number take();
  void evict(Number number);
  void let_go(Value value);
  void load_worthy_operands(const std::vector<Term>& terms);
  void sort_operands(const std::vector<Term>& terms);
  void begin_sum();
  Number multiply(Number wanted);
  Field::Symbol split_next_factor();
  void add_products();
  void add_operands();
  void compute();

  const TileProgram& tile_;
  Number registers_;
  bool has_three_way_xor_;
  bool multiplies_by_tables_;
  bool outputs_are_read_again_;

  std::vector<std::uint32_t> uses_;
  std::vector<State> states_;

  // The register file. What is in no set is locked: it belongs to the sum or a product.
  std::vector<Value> value_in_;
  std::vector<std::uint32_t> next_use_in_;  ///< of the values, as of now
  Set free_ = 0;
  Set loose_ = 0;     ///< anyone who is read sooner may take its place
  Set operands_ = 0;  ///< the equation at hand reads its value
  Set dirty_ = 0;     ///< its value is nowhere else

  Value split_ = kNoValue;  ///< the value whose nibbles are in the registers of tables
  LiveSlots slots_;         ///< of values that wait on the stack
  InstructionSchedule& schedule_;

  // The equation at hand.
  std::uint32_t step_ = 0;  ///< its number
  Number sum_ = kNoRegister;
  std::vector<Value> near_;    ///< operands that are in registers
  std::vector<Value> far_;     ///< operands that are not
  std::vector<Term> factors_;  ///< what is to be multiplied
};

}  // namespace xorloom
