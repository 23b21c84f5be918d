#include <algorithm>
#include <cmath>
#include <limits>

#include "equations/random.hpp"
#include "gen/register_assignment.hpp"
#include "gen/schedule.hpp"

namespace xorloom {
namespace {

using Value = TileProgram::Value;

/// What a greedy choice knows: which values are likely in registers, and how often each is still
/// read.
class GreedyOrder {
 public:
  GreedyOrder(const TileProgram& tile, const VectorMachine& machine)
      : tile_(tile),
        capacity_(machine.registers - 2),
        reads_left_(tile.num_values()),
        last_touch_(tile.num_values()),
        waits_for_(tile.equations.size()),
        readers_(tile.equations.size()) {
    for (std::uint32_t e = 0; e < tile.equations.size(); ++e) {
      for (const TileProgram::Term& term : tile.equations[e].terms) {
        ++reads_left_[term.value];
        if (is_input(term.value)) continue;
        ++waits_for_[e];
        readers_[term.value - tile.inputs.size()].push_back(e);
      }
      if (waits_for_[e] == 0) ready_.push_back(e);
    }
  }

  TileOrder order() {
    TileOrder order;
    while (!ready_.empty()) {
      std::size_t best = 0;
      int lowest = std::numeric_limits<int>::max();
      for (std::size_t i = 0; i < ready_.size(); ++i) {
        const int price = price_of(ready_[i]);
        if (price > lowest || (price == lowest && ready_[i] > ready_[best])) continue;
        lowest = price;
        best = i;
      }
      const std::uint32_t equation = ready_[best];
      ready_.erase(ready_.begin() + static_cast<std::ptrdiff_t>(best));
      order.push_back(equation);
      compute(equation);
    }
    return order;
  }

 private:
  bool is_input(Value value) const { return value < tile_.inputs.size(); }

  bool is_near(Value value) const { return last_touch_[value] != 0; }

  /// Loads, and a register that is held, against those that come free.
  int price_of(std::uint32_t equation) const {
    int price = 0;
    for (const TileProgram::Term& term : tile_.equations[equation].terms) {
      const bool near = is_near(term.value);
      if (!near) price += is_input(term.value) ? 2 : 3;
      if (reads_left_[term.value] > 1) continue;
      price -= near ? 2 : 0;
    }
    const Value value = tile_.value_of(equation);
    if (reads_left_[value] != 0) price += 2;
    return price;
  }

  void touch(Value value) {
    if (!is_near(value)) near_.push_back(value);
    last_touch_[value] = ++clock_;
  }

  void compute(std::uint32_t equation) {
    for (const TileProgram::Term& term : tile_.equations[equation].terms) {
      --reads_left_[term.value];
      touch(term.value);
    }
    touch(tile_.value_of(equation));
    std::erase_if(near_, [this](Value value) {
      if (reads_left_[value] == 0) last_touch_[value] = 0;
      return reads_left_[value] == 0;
    });
    while (near_.size() > capacity_) {
      const auto oldest = std::ranges::min_element(
          near_, {}, [this](Value value) { return last_touch_[value]; });
      last_touch_[*oldest] = 0;
      near_.erase(oldest);
    }
    for (const std::uint32_t reader : readers_[equation]) {
      if (--waits_for_[reader] == 0) ready_.push_back(reader);
    }
  }

  const TileProgram& tile_;
  std::size_t capacity_;
  std::vector<std::uint32_t> reads_left_;
  std::vector<std::uint32_t> last_touch_;  ///< 0: not near
  std::vector<Value> near_;
  std::uint32_t clock_ = 0;
  std::vector<std::uint32_t> waits_for_;
  std::vector<std::vector<std::uint32_t>> readers_;
  std::vector<std::uint32_t> ready_;
};

/// The tile while its steps are moved about: `order` holds its equations as they are computed.
class Annealing {
 public:
  Annealing(const SteppedTile& stepped, const VectorMachine& machine, std::uint64_t seed)
      : tile_(stepped.tile),
        chain_of_(stepped.chain_of),
        assignment_(tile_, machine, true),
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

  void run(std::uint64_t moves) {
    constexpr double kHot = 3.0;
    constexpr double kCold = 0.15;
    for (std::uint64_t move = 0; move < moves; ++move) {
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
  std::uint32_t any_equation() {
    return random_.below(static_cast<std::uint32_t>(order_.size()));
  }
  std::size_t price() { return assignment_.run(order_, nullptr).total(); }

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
  RegisterAssignment assignment_;
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

TileOrder greedy_order(const TileProgram& tile, const VectorMachine& machine) {
  return GreedyOrder(tile, machine).order();
}

TileProgram annealed(const TileProgram& tile, const VectorMachine& machine,
                     const AnnealOptions& options) {
  if (tile.equations.size() < 2) return tile;
  Annealing annealing(in_steps(tile, machine.has_three_way_xor ? 2 : 1), machine, options.seed);
  annealing.run(options.moves);
  return annealing.best();
}

}  // namespace xorloom
