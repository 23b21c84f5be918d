#include "gen/vector/annealing.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "equations/ir/annealing_rule.hpp"
#include "equations/ir/random.hpp"

namespace xorloom {
namespace {

using Value = Element;

/// First temperature, as a fraction of a load, and halvings until the last one: from 0.22 to 0.074.
/// Of those tried on four programs of 10 + 4, these end cheapest.
constexpr std::uint64_t kHot = annealing_units(0.22);
constexpr std::uint64_t kHalvings = annealing_units(1.5719);

/// A tile while its steps are moved: `order_` has its equations in order of computation.
class Annealing {
 public:
  Annealing(const Annealing&) = delete;
  Annealing& operator=(const Annealing&) = delete;
  Annealing(const SteppedTile& stepped, const MachineFacts& machine, std::uint64_t seed)
      : tile_(stepped.tile),
        chain_of_(stepped.chain_of),
        price_(tile_, machine),
        hot_(machine.work.load * kHot),
        random_(seed),
        readers_(tile_.equations.size()),
        position_(tile_.equations.size()) {
    for (std::uint32_t e = 0; e < tile_.equations.size(); ++e) {
      order_.push_back(e);
      position_[e] = e;
      if (chains_.size() <= chain_of_[e]) chains_.resize(chain_of_[e] + 1);
      chains_[chain_of_[e]].push_back(e);
      for (const Term& term : tile_.equations[e].operands) {
        if (!is_input(term.element)) readers_[equation_of(term.element)].push_back(e);
      }
    }
    now_ = lowest_ = price();
    best_tile_ = tile_;
    best_order_ = order_;
  }

  void run(std::uint64_t moves, const std::function<bool()>& stop_requested) {
    for (std::uint64_t move = 0; move < moves; ++move) {
      if (move % 64 == 0 && stop_requested && stop_requested()) return;
      temperature_ = geometric_temperature(hot_, kHalvings, move, moves);
      if (random_.below(3) == 0) {
        swap_terms();
      } else {
        move_step();
      }
    }
  }

  Program best() const { return reordered(best_tile_, best_order_); }

 private:
  using Term = Operand;

  bool is_input(Value value) const { return value < tile_.inputs.size(); }
  std::size_t equation_of(Value value) const { return value - tile_.inputs.size(); }
  std::uint32_t any_equation() { return random_.below(static_cast<std::uint32_t>(order_.size())); }
  std::size_t price() { return price_.of(order_); }

  /// Keeps the last change by the rule of annealing, or returns false: the caller then undoes it.
  bool is_kept() {
    const std::size_t price = this->price();
    const auto rise = static_cast<std::int64_t>(price) - static_cast<std::int64_t>(now_);
    if (!stays(rise, temperature_, random_())) return false;
    now_ = price;
    if (now_ < lowest_) {
      lowest_ = now_;
      best_tile_ = tile_;
      best_order_ = order_;
    }
    return true;
  }

  /// Moves a step to a random position between the steps that it reads and its readers.
  void move_step() {
    const std::uint32_t equation = any_equation();
    std::uint32_t first = 0;
    auto last = static_cast<std::uint32_t>(order_.size() - 1);
    for (const Term& term : tile_.equations[equation].operands) {
      if (!is_input(term.element))
        first = std::max(first, position_[equation_of(term.element)] + 1);
    }
    for (const std::uint32_t reader : readers_[equation]) {
      last = std::min(last, position_[reader] - 1);
    }
    const std::uint32_t from = position_[equation];
    const std::uint32_t to = first + random_.below(last - first + 1);
    if (to == from) return;
    move(from, to);
    if (!is_kept()) move(to, from);
  }

  void move(std::uint32_t from, std::uint32_t to) {
    const auto at = [&](std::uint32_t i) { return order_.begin() + i; };
    if (from < to) {
      std::rotate(at(from), at(from + 1), at(to + 1));
    } else {
      std::rotate(at(to), at(from), at(from + 1));
    }
    for (std::uint32_t i = std::min(from, to); i <= std::max(from, to); ++i) {
      position_[order_[i]] = i;
    }
  }

  /// Exchanges a term between two steps of one sum.
  void swap_terms() {
    const std::uint32_t a = any_equation();
    const std::vector<std::uint32_t>& chain = chains_[chain_of_[a]];
    const std::uint32_t b = chain[random_.below(static_cast<std::uint32_t>(chain.size()))];
    if (a == b) return;
    // Term 0 of a step after the first is the sum so far.
    const auto any_term = [&](std::uint32_t e) {
      const auto size = static_cast<std::uint32_t>(tile_.equations[e].operands.size());
      const std::uint32_t first = e == chain.front() ? 0 : 1;
      return first + random_.below(size - first);
    };
    const std::uint32_t i = any_term(a);
    const std::uint32_t j = any_term(b);
    if (!is_before(tile_.equations[a].operands[i].element, b)) return;
    if (!is_before(tile_.equations[b].operands[j].element, a)) return;
    swap(a, i, b, j);
    if (!is_kept()) swap(a, i, b, j);
  }

  bool is_before(Value value, std::uint32_t equation) const {
    return is_input(value) || position_[equation_of(value)] < position_[equation];
  }

  void swap(std::uint32_t a, std::uint32_t i, std::uint32_t b, std::uint32_t j) {
    Term& x = tile_.equations[a].operands[i];
    Term& y = tile_.equations[b].operands[j];
    const auto reads_instead = [&](Value value, std::uint32_t reader, std::uint32_t other) {
      if (is_input(value)) return;
      std::ranges::replace(readers_[equation_of(value)], reader, other);
    };
    reads_instead(x.element, a, b);
    reads_instead(y.element, b, a);
    std::swap(x, y);
  }

  Program tile_;
  std::vector<std::uint32_t> chain_of_;
  StepPrice price_;
  std::uint64_t hot_;
  Random random_;
  std::vector<std::vector<std::uint32_t>> chains_;  ///< the steps of each sum, in order
  std::vector<std::vector<std::uint32_t>> readers_;
  std::vector<std::uint32_t> position_;
  EquationOrder order_;
  std::uint64_t temperature_ = 0;
  std::size_t now_ = 0;
  std::size_t lowest_ = 0;
  Program best_tile_;
  EquationOrder best_order_;
};

}  // namespace

Program annealed(const SteppedTile& steps, const MachineFacts& machine, std::uint64_t iterations,
                 std::uint64_t seed, const std::function<bool()>& stop_requested) {
  if (steps.tile.equations.size() < 2) return steps.tile;
  Annealing annealing(steps, machine, seed);
  annealing.run(iterations, stop_requested);
  Program best = annealing.best();
  return schedule_price(best, machine) < schedule_price(steps.tile, machine) ? best : steps.tile;
}

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
