#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "equations/ir/random.hpp"
#include "gen/vector/instruction_schedule.hpp"
#include "gen/vector/step_price.hpp"

namespace xorloom {
namespace {

using Value = TileProgram::Value;

/// One output after the other, each with what it still needs computed right before it: the one that
/// takes fewest equations and reads fewest values that were not touched of late.
class GreedyOrder {
 public:
  /// Outputs that are looked at for the next: the first that are left.
  static constexpr std::size_t kChoices = 8;

  GreedyOrder(const TileProgram& tile, const VectorMachine& machine)
      : tile_(tile),
        lately_(static_cast<std::uint32_t>(machine.registers + machine.registers / 4)),
        touched_(tile.num_values()),
        is_done_(tile.equations.size()),
        seen_(tile.num_values()) {}

  /// Looks at the outputs as their equations come, or shuffled.
  TileOrder order(Random* random) {
    std::vector<std::uint32_t> outputs;
    for (std::uint32_t e = 0; e < tile_.equations.size(); ++e) {
      if (tile_.equations[e].output != TileProgram::kNoOutput) outputs.push_back(e);
    }
    for (auto left = static_cast<std::uint32_t>(outputs.size()); random != nullptr && left > 1;) {
      const std::uint32_t other = random->below(left--);
      std::swap(outputs[left], outputs[other]);
    }
    while (!outputs.empty()) {
      std::size_t best = 0;
      std::size_t lowest = std::numeric_limits<std::size_t>::max();
      for (std::size_t i = 0; i < std::min(outputs.size(), kChoices); ++i) {
        const std::size_t price = price_of(outputs[i]);
        if (price >= lowest) continue;
        lowest = price;
        best = i;
      }
      needed_.clear();
      ++stamp_;
      add_needed(outputs[best]);
      for (const std::uint32_t equation : needed_) compute(equation);
      std::erase_if(outputs, [this](std::uint32_t equation) { return is_done_[equation]; });
    }
    return std::move(order_);
  }

 private:
  bool is_input(Value value) const { return value < tile_.inputs.size(); }
  std::uint32_t equation_of(Value value) const {
    return static_cast<std::uint32_t>(value - tile_.inputs.size());
  }
  bool is_known(Value value) const { return is_input(value) || is_done_[equation_of(value)]; }
  bool is_near(Value value) const {
    return touched_[value] != 0 && clock_ - touched_[value] < lately_;
  }

  /// What an equation needs that is not computed, and it itself, each after what it reads.
  void add_needed(std::uint32_t equation) {
    if (seen_[tile_.value_of(equation)] == stamp_) return;
    seen_[tile_.value_of(equation)] = stamp_;
    for (const TileProgram::Term& term : tile_.equations[equation].terms) {
      if (!is_known(term.value)) add_needed(equation_of(term.value));
    }
    needed_.push_back(equation);
  }

  std::size_t price_of(std::uint32_t output) {
    needed_.clear();
    ++stamp_;
    add_needed(output);
    std::size_t price = needed_.size();
    for (const std::uint32_t equation : needed_) {
      for (const TileProgram::Term& term : tile_.equations[equation].terms) {
        if (seen_[term.value] == stamp_) continue;
        seen_[term.value] = stamp_;
        if (!is_near(term.value)) ++price;
      }
    }
    return price;
  }

  void compute(std::uint32_t equation) {
    for (const TileProgram::Term& term : tile_.equations[equation].terms) {
      touched_[term.value] = ++clock_;
    }
    touched_[tile_.value_of(equation)] = ++clock_;
    is_done_[equation] = true;
    order_.push_back(equation);
  }

  const TileProgram& tile_;
  std::uint32_t lately_;
  std::vector<std::uint32_t> touched_;  ///< when; 0 is never
  std::uint32_t clock_ = 0;
  std::vector<bool> is_done_;
  std::vector<std::uint32_t> seen_;  ///< in the search of this stamp
  std::uint32_t stamp_ = 0;
  std::vector<std::uint32_t> needed_;
  TileOrder order_;
};

/// The tile while its steps are moved about: `order` holds its equations as they are computed.
class Annealing {
 public:
  Annealing(const Annealing&) = delete;
  Annealing& operator=(const Annealing&) = delete;
  Annealing(const SteppedTile& stepped, const VectorMachine& machine, std::uint64_t seed)
      : tile_(stepped.tile),
        chain_of_(stepped.chain_of),
        price_(tile_, machine),
        random_(seed),
        readers_(tile_.equations.size()),
        position_(tile_.equations.size()) {
    for (std::uint32_t e = 0; e < tile_.equations.size(); ++e) {
      order_.push_back(e);
      position_[e] = e;
      if (chains_.size() <= chain_of_[e]) chains_.resize(chain_of_[e] + 1);
      chains_[chain_of_[e]].push_back(e);
      for (const Term& term : tile_.equations[e].terms) {
        if (!is_input(term.value)) readers_[equation_of(term.value)].push_back(e);
      }
    }
    now_ = lowest_ = price();
    best_tile_ = tile_;
    best_order_ = order_;
  }

  void run(std::uint64_t moves, const std::function<bool()>& stop_requested) {
    // Of the temperatures tried on four programs of 10 + 4, these end cheapest.
    constexpr double kHot = 1.0;
    constexpr double kCold = 0.1;
    for (std::uint64_t move = 0; move < moves; ++move) {
      if (move % 256 == 0 && stop_requested && stop_requested()) return;
      const double part = static_cast<double>(move) / static_cast<double>(moves);
      temperature_ = kHot * std::pow(kCold / kHot, part);
      if (random_.below(3) == 0) {
        swap_terms();
      } else {
        move_step();
      }
    }
  }

  TileProgram best() const { return reordered(best_tile_, best_order_); }

 private:
  using Term = TileProgram::Term;

  bool is_input(Value value) const { return value < tile_.inputs.size(); }
  std::size_t equation_of(Value value) const { return value - tile_.inputs.size(); }
  std::uint32_t any_equation() { return random_.below(static_cast<std::uint32_t>(order_.size())); }
  std::size_t price() { return price_.of(order_); }

  /// Whether a change that was made stays.
  bool is_kept() {
    const std::size_t price = this->price();
    const double rise = static_cast<double>(price) - static_cast<double>(now_);
    const double chance = static_cast<double>(random_.below(1U << 20)) / (1U << 20);
    if (rise > 0 && chance >= std::exp(-rise / temperature_)) return false;
    now_ = price;
    if (now_ < lowest_) {
      lowest_ = now_;
      best_tile_ = tile_;
      best_order_ = order_;
    }
    return true;
  }

  /// Moves a step to another place after all it reads and before all that read it.
  void move_step() {
    const std::uint32_t equation = any_equation();
    std::uint32_t first = 0;
    auto last = static_cast<std::uint32_t>(order_.size() - 1);
    for (const Term& term : tile_.equations[equation].terms) {
      if (!is_input(term.value)) first = std::max(first, position_[equation_of(term.value)] + 1);
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

  /// Exchanges what two steps of one sum add.
  void swap_terms() {
    const std::uint32_t a = any_equation();
    const std::vector<std::uint32_t>& chain = chains_[chain_of_[a]];
    const std::uint32_t b = chain[random_.below(static_cast<std::uint32_t>(chain.size()))];
    if (a == b) return;
    // Term 0 of a step after the first is the sum so far.
    const auto any_term = [&](std::uint32_t e) {
      const auto size = static_cast<std::uint32_t>(tile_.equations[e].terms.size());
      const std::uint32_t first = e == chain.front() ? 0 : 1;
      return first + random_.below(size - first);
    };
    const std::uint32_t i = any_term(a);
    const std::uint32_t j = any_term(b);
    if (!is_before(tile_.equations[a].terms[i].value, b)) return;
    if (!is_before(tile_.equations[b].terms[j].value, a)) return;
    swap(a, i, b, j);
    if (!is_kept()) swap(a, i, b, j);
  }

  bool is_before(Value value, std::uint32_t equation) const {
    return is_input(value) || position_[equation_of(value)] < position_[equation];
  }

  void swap(std::uint32_t a, std::uint32_t i, std::uint32_t b, std::uint32_t j) {
    Term& x = tile_.equations[a].terms[i];
    Term& y = tile_.equations[b].terms[j];
    const auto reads_instead = [&](Value value, std::uint32_t reader, std::uint32_t other) {
      if (is_input(value)) return;
      std::ranges::replace(readers_[equation_of(value)], reader, other);
    };
    reads_instead(x.value, a, b);
    reads_instead(y.value, b, a);
    std::swap(x, y);
  }

  TileProgram tile_;
  std::vector<std::uint32_t> chain_of_;
  StepPrice price_;
  Random random_;
  std::vector<std::vector<std::uint32_t>> chains_;  ///< the steps of each sum, in order
  std::vector<std::vector<std::uint32_t>> readers_;
  std::vector<std::uint32_t> position_;
  TileOrder order_;
  double temperature_ = 0;
  std::size_t now_ = 0;
  std::size_t lowest_ = 0;
  TileProgram best_tile_;
  TileOrder best_order_;
};

}  // namespace

TileOrder greedy_order(const TileProgram& tile, const VectorMachine& machine,
                       std::uint64_t starts) {
  TileOrder best = GreedyOrder(tile, machine).order(nullptr);
  if (starts < 2) return best;
  const auto price = [&](const TileOrder& order) {
    return cost(assign_registers(reordered(tile, order), machine, true)).total();
  };
  std::size_t lowest = price(best);
  Random random(1);
  for (std::uint64_t start = 1; start < starts; ++start) {
    TileOrder order = GreedyOrder(tile, machine).order(&random);
    const std::size_t other = price(order);
    if (other >= lowest) continue;
    lowest = other;
    best = std::move(order);
  }
  return best;
}

TileProgram annealed(const TileProgram& tile, const VectorMachine& machine,
                     const AnnealOptions& options) {
  if (tile.equations.size() < 2) return tile;
  Annealing annealing(in_steps(tile, machine.has_three_way_xor ? 2 : 1), machine, options.seed);
  annealing.run(options.iterations, options.stop_requested);
  TileProgram best = annealing.best();
  // Taking sums in steps alone can be dearer than leaving them whole.
  const auto price = [&](const TileProgram& ordered) {
    return cost(assign_registers(ordered, machine, true)).total();
  };
  return price(best) < price(tile) ? best : tile;
}

}  // namespace xorloom
