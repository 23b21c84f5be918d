#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "equations/ir/live_slots.hpp"
#include "gen/vector/instruction_schedule.hpp"

namespace xorloom {
namespace {

using Op = InstructionSchedule::Op;
using Kind = InstructionSchedule::Memory::Kind;

bool has_products(const Program& tile) {
  return std::ranges::any_of(tile.equations, [](const Equation& equation) {
    return std::ranges::any_of(equation.operands,
                               [](const auto& term) { return term.coefficient != 1; });
  });
}

template <typename T>
T pop(std::vector<T>& stack) {
  const T top = stack.back();
  stack.pop_back();
  return top;
}

/// A single run of assign_registers.
class RegisterAssignment {
 public:
  /// Keeps references to the tile and to the schedule that is to be filled. Shape: the machine has
  /// at least 4 registers, besides those of products by tables if the tile has such products.
  RegisterAssignment(const Program& tile, const MachineFacts& machine, bool outputs_are_read_again,
                     InstructionSchedule& schedule)
      : tile_(tile),
        registers_(static_cast<Number>(machine.registers)),
        has_three_way_xor_(machine.has_three_way_xor()),
        multiplies_by_tables_(!machine.has_matrix_products && has_products(tile)),
        outputs_are_read_again_(outputs_are_read_again),
        outputs_(outputs_by_equation(tile)),
        states_(num_values(tile)),
        value_in_(machine.registers),
        next_use_in_(machine.registers),
        schedule_(schedule) {
    if (multiplies_by_tables_) registers_ -= static_cast<Number>(machine.table_registers);
    free_ = registers_ < 64 ? bit(registers_) - 1 : ~Set{0};
  }

  void run() {
    find_uses();
    for (step_ = 0; step_ < tile_.equations.size(); ++step_) compute();
    schedule_.slots = slots_.count();
  }

 private:
  using Value = Element;
  using Term = Operand;
  using Number = std::uint8_t;  ///< register number
  static constexpr std::uint32_t kNever = 0xffffffff;
  static constexpr Number kNoRegister = 0xff;
  static constexpr Value kNoValue = 0xffffffff;

  /// Registers as bits.
  using Set = std::uint64_t;
  static Set bit(Number number) { return Set{1} << number; }

  struct State {
    std::uint32_t next = 0;  ///< index in uses_ of the value's next use
    std::uint32_t end = 0;
    Number number = kNoRegister;  ///< register that holds the value
    InstructionSchedule::Memory memory{};
  };

  /// Fills uses_ with the equations that read each value: value by value, ascending.
  void find_uses() {
    for (const Equation& equation : tile_.equations) {
      for (const Term& term : equation.operands) ++states_[term.element].end;
    }
    std::uint32_t end = 0;
    for (State& state : states_) {
      state.next = end;
      end += state.end;
      state.end = state.next;
    }
    uses_.resize(end);
    for (std::uint32_t step = 0; step < tile_.equations.size(); ++step) {
      for (const Term& term : tile_.equations[step].operands) {
        uses_[states_[term.element].end++] = step;
      }
    }
    for (std::uint32_t i = 0; i < tile_.inputs.size(); ++i) {
      states_[i].memory = {Kind::kInput, i};
    }
  }

  std::uint32_t next_use(Value value) const {
    const State& state = states_[value];
    return state.next == state.end ? kNever : uses_[state.next];
  }

  void lock(Number number) {
    free_ &= ~bit(number);
    loose_ &= ~bit(number);
    operands_ &= ~bit(number);
    dirty_ &= ~bit(number);
  }

  void set_free(Number number) {
    lock(number);
    free_ |= bit(number);
  }

  void put(Value value, Number number, Set& set) {
    lock(number);
    set |= bit(number);
    State& state = states_[value];
    if (state.memory.kind == Kind::kNowhere) dirty_ |= bit(number);
    state.number = number;
    value_in_[number] = value;
    next_use_in_[number] = next_use(value);
  }

  void emit(Op op, Number target, Number a, Number b, InstructionSchedule::Memory memory = {},
            Field::Symbol coefficient = 1) {
    schedule_.instructions.push_back({op, target, a, b, coefficient, memory});
  }

  /// Returns a register for a value that is read again at step `use`: a free one, or that of a
  /// value that is read later and need not be stored. kNoRegister if there is none.
  Number take_for(std::uint32_t use) {
    if (free_ != 0) return static_cast<Number>(std::countr_zero(free_));
    Number last = kNoRegister;
    for (Set left = loose_ & ~dirty_; left != 0; left &= left - 1) {
      const auto number = static_cast<Number>(std::countr_zero(left));
      if (next_use_in_[number] <= use) continue;
      last = number;
      use = next_use_in_[number];
    }
    if (last != kNoRegister) evict(last);
    return last;
  }

  /// Returns a register in any case: a free one, that of the value whose next use is last, or that
  /// of an operand.
  Number take() {
    if (free_ != 0) return static_cast<Number>(std::countr_zero(free_));
    Number last = kNoRegister;
    std::uint32_t use = 0;
    for (Set left = loose_ != 0 ? loose_ : operands_; left != 0; left &= left - 1) {
      const auto number = static_cast<Number>(std::countr_zero(left));
      // Between values with the same next use, evict a clean one.
      const bool is_later = next_use_in_[number] > use;
      const bool is_cleaner = next_use_in_[number] == use && (dirty_ & bit(number)) == 0;
      if (last != kNoRegister && !is_later && !is_cleaner) continue;
      last = number;
      use = next_use_in_[number];
    }
    evict(last);
    return last;
  }

  void evict(Number number) {
    const Value value = value_in_[number];
    State& state = states_[value];
    if ((dirty_ & bit(number)) != 0) {
      state.memory = {Kind::kSlot, slots_.take()};
      emit(Op::kStore, 0, number, 0, state.memory);
    }
    const auto place = std::ranges::find(near_, value);
    if (place != near_.end()) {
      near_.erase(place);
      far_.push_back(value);
    }
    state.number = kNoRegister;
    set_free(number);
  }

  /// Called once the current equation has read `value`: makes its register loose, or frees the
  /// register and the slot if nothing else reads the value.
  void let_go(Value value) {
    State& state = states_[value];
    const bool is_over = next_use(value) == kNever;
    if (is_over && state.memory.kind == Kind::kSlot) {
      slots_.release(state.memory.index);
      state.memory = {};
    }
    if (state.number == kNoRegister) return;
    if (!is_over) return put(value, state.number, loose_);
    set_free(state.number);
    state.number = kNoRegister;
  }

  /// Loads operands whose next use comes before that of some value in a register.
  void load_worthy_operands(const std::vector<Term>& terms) {
    for (const Term& term : terms) {
      const Number number = states_[term.element].number;
      if (number != kNoRegister) put(term.element, number, operands_);
    }
    for (const Term& term : terms) {
      const State& state = states_[term.element];
      const std::uint32_t use = next_use(term.element);
      if (state.number != kNoRegister || use == kNever) continue;
      const Number number = take_for(use);
      if (number == kNoRegister) continue;
      emit(Op::kLoad, number, 0, 0, state.memory);
      put(term.element, number, operands_);
    }
  }

  void sort_operands(const std::vector<Term>& terms) {
    for (const Term& term : terms) {
      if (term.coefficient != 1) {
        factors_.push_back(term);
      } else if (states_[term.element].number != kNoRegister) {
        near_.push_back(term.element);
      } else {
        far_.push_back(term.element);
      }
    }
  }

  /// Emits the product of the next factor into `wanted`, or into any register if that is
  /// kNoRegister. Returns the register, locked.
  Number multiply(Number wanted) {
    const Term term = pop(factors_);
    const State& state = states_[term.element];
    Number from = state.number;
    if (from != kNoRegister) {
      lock(from);
      if (wanted == kNoRegister) wanted = next_use(term.element) == kNever ? from : take();
    } else {
      if (wanted == kNoRegister) wanted = take();
      emit(Op::kLoad, wanted, 0, 0, state.memory);
      from = wanted;
    }
    emit(Op::kMultiply, wanted, from, 0, {}, term.coefficient);
    let_go(term.element);
    lock(wanted);
    return wanted;
  }

  /// Takes the next factor, preferably of the value that is split already, and splits its value if
  /// it is not. Returns the coefficient.
  Field::Symbol split_next_factor() {
    const auto same = std::ranges::find(factors_, split_, &Term::element);
    if (same != factors_.end()) std::swap(*same, factors_.back());
    const Term term = pop(factors_);
    const State& state = states_[term.element];
    if (term.element != split_) {
      const bool is_near = state.number != kNoRegister;
      emit(Op::kSplit, 0, is_near ? state.number : Number{0}, 0,
           is_near ? InstructionSchedule::Memory{} : state.memory);
      split_ = term.element;
    }
    let_go(term.element);
    return term.coefficient;
  }

  /// Puts the first operands into the register of the sum.
  void begin_sum() {
    const auto dying =
        std::ranges::find_if(near_, [this](Value value) { return next_use(value) == kNever; });
    if (dying != near_.end()) {
      const Value value = *dying;
      near_.erase(dying);
      sum_ = states_[value].number;
      let_go(value);
      lock(sum_);
      return;
    }
    sum_ = take();
    lock(sum_);
    if (!factors_.empty() && multiplies_by_tables_) {
      const Field::Symbol coefficient = split_next_factor();
      emit(Op::kProduct, sum_, 0, 0, {}, coefficient);
    } else if (!factors_.empty()) {
      multiply(sum_);
    } else if (!near_.empty()) {
      // If an even number of operands follows the first, three-operand XORs add all of them.
      const bool is_by_threes = has_three_way_xor_ && (near_.size() + far_.size()) % 2 == 1;
      if (is_by_threes && !far_.empty()) {
        const Value a = pop(far_);
        emit(Op::kLoad, sum_, 0, 0, states_[a].memory);
        return let_go(a);
      }
      const Value a = pop(near_);
      const Number number = states_[a].number;
      if (!is_by_threes && !far_.empty()) {
        const Value b = pop(far_);
        emit(Op::kXor, sum_, number, 0, states_[b].memory);
        let_go(b);
      } else if (!is_by_threes && !near_.empty()) {
        const Value b = pop(near_);
        emit(Op::kXor, sum_, number, states_[b].number);
        let_go(b);
      } else {
        emit(Op::kCopy, sum_, number, 0);
      }
      let_go(a);
    } else if (!far_.empty()) {
      const Value a = pop(far_);
      emit(Op::kLoad, sum_, 0, 0, states_[a].memory);
      let_go(a);
    } else {
      emit(Op::kZero, sum_, 0, 0);
    }
  }

  void add_products() {
    while (multiplies_by_tables_ && !factors_.empty()) {
      const Field::Symbol coefficient = split_next_factor();
      emit(Op::kAddProduct, sum_, 0, 0, {}, coefficient);
    }
    while (!factors_.empty()) {
      const Number first = multiply(kNoRegister);
      const bool is_last = factors_.empty() && far_.empty() && near_.empty();
      if (!has_three_way_xor_ || is_last) {
        emit(Op::kXor, sum_, sum_, first);
      } else if (!factors_.empty()) {
        const Number second = multiply(kNoRegister);
        emit(Op::kXor3, sum_, first, second);
        set_free(second);
      } else if (!far_.empty()) {
        const Value value = pop(far_);
        emit(Op::kXor3, sum_, first, 0, states_[value].memory);
        let_go(value);
      } else {
        const Value value = pop(near_);
        emit(Op::kXor3, sum_, first, states_[value].number);
        let_go(value);
      }
      set_free(first);
    }
  }

  void add_operands() {
    while (!near_.empty() || !far_.empty()) {
      const bool is_near = !near_.empty();
      const Value a = is_near ? pop(near_) : pop(far_);
      if (has_three_way_xor_ && is_near && !far_.empty()) {
        const Value b = pop(far_);
        emit(Op::kXor3, sum_, states_[a].number, 0, states_[b].memory);
        let_go(b);
      } else if (has_three_way_xor_ && is_near && !near_.empty()) {
        const Value b = pop(near_);
        emit(Op::kXor3, sum_, states_[a].number, states_[b].number);
        let_go(b);
      } else if (is_near) {
        emit(Op::kXor, sum_, sum_, states_[a].number);
      } else if (const Number number =
                     has_three_way_xor_ && !far_.empty() ? take_for(step_) : kNoRegister;
                 number != kNoRegister) {
        // Loading one of the two saves an addition.
        const Value b = pop(far_);
        emit(Op::kLoad, number, 0, 0, states_[a].memory);
        emit(Op::kXor3, sum_, number, 0, states_[b].memory);
        let_go(b);
      } else {
        emit(Op::kXor, sum_, sum_, 0, states_[a].memory);
      }
      let_go(a);
    }
  }

  void compute() {
    const Equation& made = tile_.equations[step_];
    for (const Term& term : made.operands) ++states_[term.element].next;
    near_.clear();
    far_.clear();
    factors_.clear();
    load_worthy_operands(made.operands);
    sort_operands(made.operands);
    begin_sum();
    add_products();
    add_operands();

    const Value value = made.target;
    State& state = states_[value];
    if (outputs_[step_] != kNoOutput) {
      const InstructionSchedule::Memory memory{Kind::kOutput, outputs_[step_]};
      emit(Op::kStore, 0, sum_, 0, memory);
      if (outputs_are_read_again_) state.memory = memory;
    }
    if (next_use(value) == kNever) {
      set_free(sum_);
    } else {
      put(value, sum_, loose_);
    }
  }

  const Program& tile_;
  Number registers_;
  bool has_three_way_xor_;
  bool multiplies_by_tables_;
  bool outputs_are_read_again_;

  std::vector<std::uint32_t> outputs_;  ///< by equation: the output that it makes, or kNoOutput
  std::vector<std::uint32_t> uses_;
  std::vector<State> states_;

  // The register file. A register in no set is locked: it belongs to the sum or a product.
  std::vector<Value> value_in_;
  std::vector<std::uint32_t> next_use_in_;  ///< by register: next use of its value
  Set free_ = 0;
  Set loose_ = 0;     ///< registers whose value may give way to one that is read sooner
  Set operands_ = 0;  ///< registers of operands of the current equation
  Set dirty_ = 0;     ///< registers whose value is not in memory

  Value split_ = kNoValue;  ///< the value whose nibbles are in the registers of tables
  LiveSlots slots_;         ///< slots of values that wait on the stack
  InstructionSchedule& schedule_;

  // The current equation.
  std::uint32_t step_ = 0;  ///< number of the current equation
  Number sum_ = kNoRegister;
  std::vector<Value> near_;    ///< operands in registers
  std::vector<Value> far_;     ///< operands in memory
  std::vector<Term> factors_;  ///< operands with a coefficient other than 1
};

}  // namespace

InstructionSchedule assign_registers(const Program& tile, const MachineFacts& machine,
                                     bool outputs_are_read_again) {
  InstructionSchedule schedule;
  RegisterAssignment(tile, machine, outputs_are_read_again, schedule).run();
  return schedule;
}

}  // namespace xorloom
