#include "gen/vector/step_price.hpp"

#include <algorithm>
#include <bit>

namespace xorloom {

void StepPrice::Uses::clear(std::size_t end) {
  words_.assign(end / 64 + 1, 0);
  end_ = 0;
}

void StepPrice::Uses::insert(Use use) {
  words_[use / 64] |= std::uint64_t{1} << use % 64;
  end_ = std::max<std::size_t>(end_, use / 64 + 1);
}

bool StepPrice::Uses::erase(Use use) {
  std::uint64_t& word = words_[use / 64];
  const std::uint64_t bit = std::uint64_t{1} << use % 64;
  const bool was_in = (word & bit) != 0;
  word &= ~bit;
  return was_in;
}

std::optional<StepPrice::Use> StepPrice::Uses::highest() {
  while (end_ != 0 && words_[end_ - 1] == 0) --end_;
  if (end_ == 0) return std::nullopt;
  return static_cast<Use>(64 * end_ - 1) - static_cast<Use>(std::countl_zero(words_[end_ - 1]));
}

StepPrice::StepPrice(const Program& steps, const MachineFacts& machine)
    : steps_(steps),
      registers_(machine.registers),
      has_three_way_xor_(machine.has_three_way_xor()),
      work_(machine.work),
      outputs_(outputs_by_equation(steps)),
      next_of_value_(num_values(steps)) {
  std::size_t uses = 0;
  for (const Equation& step : steps.equations) uses += step.operands.size();
  next_.resize(uses);
  next_of_result_.resize(steps.equations.size());
}

std::size_t StepPrice::of(const EquationOrder& order) {
  number_uses(order);
  clean_.clear(next_.size());
  dirty_.clear(next_.size());
  free_ = registers_;
  price_ = 0;
  Use first = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Equation& step = steps_.equations[order[i]];
    compute(step, outputs_[order[i]] != kNoOutput, first, next_of_result_[i]);
    first += static_cast<Use>(step.operands.size());
  }
  return price_;
}

void StepPrice::number_uses(const EquationOrder& order) {
  std::ranges::fill(next_of_value_, kNever);
  auto use = static_cast<Use>(next_.size());
  for (std::size_t i = order.size(); i-- > 0;) {
    const std::vector<Operand>& terms = steps_.equations[order[i]].operands;
    next_of_result_[i] = next_of_value_[steps_.equations[order[i]].target];
    for (std::size_t t = terms.size(); t-- > 0;) {
      --use;
      next_[use] = next_of_value_[terms[t].element];
      next_of_value_[terms[t].element] = use;
    }
  }
}

/// Takes a register that is free, or that of a value in memory whose next use is later than
/// `after`. False if there is none.
bool StepPrice::take_clean(Use after) {
  if (free_ == 0) {
    const std::optional<Use> last = clean_.highest();
    if (!last || *last <= after) return false;
    clean_.erase(*last);
    ++free_;
  }
  --free_;
  return true;
}

/// Takes a register in any case; the evicted value may have to be stored.
void StepPrice::take() {
  if (free_ == 0) {
    const std::optional<Use> clean = clean_.highest();
    const std::optional<Use> dirty = dirty_.highest();
    if (clean && (!dirty || *clean > *dirty)) {
      clean_.erase(*clean);
    } else if (dirty) {
      dirty_.erase(*dirty);
      price_ += work_.store;
    }
    ++free_;
  }
  --free_;
}

void StepPrice::compute(const Equation& step, bool is_output, Use first, Use next_of_result) {
  const auto end = static_cast<Use>(first + step.operands.size());
  held_.clear();
  std::size_t near = 0;   // operands in registers
  std::size_t far = 0;    // operands in memory
  std::size_t dying = 0;  // operands in registers that are read for the last time
  for (Use use = first; use < end; ++use) {
    const bool is_clean = clean_.erase(use);
    const bool is_dirty = !is_clean && dirty_.erase(use);
    const Use next = next_[use];
    if (!is_clean && !is_dirty) price_ += work_.load;
    const bool is_near = is_clean || is_dirty || (next != kNever && take_clean(next));
    ++(is_near ? near : far);
    if (!is_near) continue;
    if (next == kNever) {
      ++dying;
    } else {
      held_.push_back({next, is_dirty});
    }
  }

  // The sum begins in the register of an operand, or in one of its own.
  if (dying != 0) {
    --near;
    free_ += dying - 1;
  } else {
    take();
    if (has_three_way_xor_ && near != 0 && (near + far) % 2 == 1 && near + far > 1) {
      // Three-operand XORs add all operands after the first.
      if (far != 0) {
        --far;
      } else {
        --near;
        price_ += work_.copy;
      }
    } else if (near != 0) {
      --near;
      price_ += work_.operation;
      if (far != 0) {
        --far;
      } else if (near != 0) {
        --near;
      }
    } else if (far != 0) {
      --far;
    }
  }
  for (const Held& held : held_) (held.is_dirty ? dirty_ : clean_).insert(held.next);
  // An instruction adds two operands, one of them from memory.
  while (near + far != 0) {
    const bool has_near = near != 0;
    --(has_near ? near : far);
    price_ += work_.operation;
    if (!has_three_way_xor_ || near + far == 0) continue;
    if (has_near) {
      --(far != 0 ? far : near);
    } else if (take_clean(end - 1)) {
      ++free_;
      --far;
    }
  }
  if (is_output) price_ += work_.store;
  if (next_of_result == kNever) {
    ++free_;
  } else {
    (is_output ? clean_ : dirty_).insert(next_of_result);
  }
}

}  // namespace xorloom
