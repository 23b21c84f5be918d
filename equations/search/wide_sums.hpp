#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "codes/field/bitmatrix.hpp"
#include "equations/ir/program.hpp"
#include "equations/ir/random.hpp"
#include "equations/ir/stop_check.hpp"
#include "equations/passes/gate_prices.hpp"

namespace xorloom {

/// The sums of a program as sets of values, which a search inlines and shares anew. Values are
/// numbered: the inputs, then the sums, of which the first are the outputs.
///
/// A sum is a row of bits, a one for each value that it adds up. To add a sum to another, add the
/// rows: common values cancel. Sums form no cycle.
class WideSums {
 public:
  /// Shape: an XOR program. `most_depth`: levels of gates wanted; 0: any number.
  WideSums(const Program& program, const GatePrices& prices, std::size_t most_depth)
      : gate_inputs_(prices.most_inputs()),
        is_uniform_(prices.is_uniform()),
        most_depth_(most_depth),
        num_inputs_(program.inputs.size()),
        num_outputs_(program.outputs.size()) {
    std::vector<std::size_t> value(program.end_of_elements(), kNone);
    for (std::size_t i = 0; i < num_inputs_; ++i) value[program.inputs[i]] = i;
    for (std::size_t o = 0; o < num_outputs_; ++o) value[program.outputs[o]] = num_inputs_ + o;
    std::size_t next = num_inputs_ + num_outputs_;
    for (const Equation& equation : program.equations) {
      if (value[equation.target] == kNone) value[equation.target] = next++;
    }
    num_sums_ = next - num_inputs_ + kSpare + kSpareOfOutput * num_outputs_;
    sums_ = BitMatrix(num_sums_, num_inputs_ + num_sums_);
    words_ = sums_.row(0).size();
    size_.assign(num_sums_, 0);
    in_use_.assign(num_sums_, false);
    const std::size_t most = num_inputs_ + num_sums_;
    gates_ = std::make_shared<const SumGates>(prices, most, most_depth);
    lowest_ = prices.lowest();
    gates_of_size_ = prices.of_sums(most);
    for (const std::uint64_t gates : gates_of_size_) {
      const auto operands = static_cast<long>(price_of_size_.size());
      price_of_size_.push_back(price_of_gates(gates) + finer() * std::max(0L, operands - 1));
    }
    for (const Equation& equation : program.equations) {
      const std::size_t sum = value[equation.target] - num_inputs_;
      in_use_[sum] = true;
      size_[sum] = equation.operands.size();
      for (const Element operand : equation.operands) sums_.flip(sum, value[operand]);
    }
  }

  /// Bits of all rows, with those of spare sums.
  static std::uint64_t bits_of(std::size_t inputs, std::size_t outputs, std::size_t temporaries) {
    const std::uint64_t sums = outputs + temporaries + kSpare + kSpareOfOutput * outputs;
    return sums * (inputs + sums);
  }

  /// Moves minimise `price`: gates, levels of outputs beyond the wanted ones, and a little per
  /// operand, since fewer operands lead to fewer gates. The best sums have the lowest `rank`.
  struct Score {
    long price = 0;
    GateRank rank;

    bool is_better_than(const Score& other) const {
      return std::tie(rank, price) < std::tie(other.rank, other.price);
    }
  };

  Score score() const {
    Score sum;
    for (std::size_t s = 0; s < num_sums_; ++s) {
      if (!in_use_[s]) continue;
      sum.price += price(size_[s]);
      sum.rank.price += gates_of_size_[size_[s]];
    }
    if (most_depth_ == 0) return sum;
    std::vector<std::size_t> levels(num_sums_, kNone);
    for (std::size_t o = 0; o < num_outputs_; ++o) {
      const std::size_t depth = level(o, levels, sum);
      if (depth <= most_depth_) continue;
      sum.price += finer() * kLevel * static_cast<long>(depth - most_depth_);
      sum.rank.excess = std::max(sum.rank.excess, depth - most_depth_);
    }
    return sum;
  }

  /// Units of a price per operand.
  long finer() const { return is_uniform_ ? 1 : kFiner; }

  /// Writes some random temporaries into their readers, and shares anew what that changed. As long
  /// as the price falls, a step makes a set of values a sum, which all sums with these values read,
  /// or adds a sum to another that gets shorter. Once `stop` says so, it shares no more.
  void move(Random& random, StopCheck& stop) {
    changed_.clear();
    const std::size_t opened = 1 + random() % kMostOpened;
    for (std::size_t i = 0; i < opened; ++i) {
      const std::size_t sum = draw_temporary(random);
      if (sum == kNone) break;
      const std::vector<std::size_t> all = readers(sum);
      if (random() % kOneOf != 0) {
        open(sum);
      } else if (!all.empty()) {
        write_into(all[random() % all.size()], sum);
      }
    }
    if (const std::size_t sum = random() % num_sums_;
        in_use_[sum] && random() % kLookAtOneOf == 0) {
      changed(sum);
    }
    std::vector<Word> set(words_);
    for (;;) {
      open_needless(stop);
      const Choice choice = best_choice(random, set, stop);
      if (choice.gain <= 0 || stop.is_stopped()) break;
      if (choice.is_new) {
        take_out(set);
      } else {
        write_into(choice.to, choice.from);
      }
    }
  }

  /// Estimate of the words that a move reads.
  std::uint64_t looks_of_move() const {
    // Each of a few changed sums is intersected with every sum, and each intersection is looked for
    // in every sum.
    const auto sums = static_cast<std::uint64_t>(std::ranges::count(in_use_, true));
    return std::max<std::uint64_t>(1, sums * sums * words_ * 4);
  }

  /// The sums as a program. Shape: `layout` computes the same outputs.
  Program program(const Program& layout) const {
    Program result = without_equations(layout);
    std::vector<Element> element = layout.inputs;
    element.insert(element.end(), layout.outputs.begin(), layout.outputs.end());
    Element next = layout.first_temporary();
    for (std::size_t s = num_outputs_; s < num_sums_; ++s) {
      element.push_back(in_use_[s] ? next++ : 0);
    }
    for (std::size_t s = 0; s < num_sums_; ++s) {
      if (!in_use_[s]) continue;
      Equation equation{element[num_inputs_ + s], {}};
      for (const std::size_t v : sums_.ones(s)) equation.operands.emplace_back(element[v]);
      result.equations.push_back(std::move(equation));
    }
    sort_equations(result);
    return result;
  }

 private:
  using Word = std::uint64_t;

  /// Price of a gate, and of a level of an output beyond the wanted ones; that of an operand is 1.
  static constexpr long kGate = 4;
  static constexpr long kLevel = 8;

  /// finer() if gates differ in price.
  static constexpr long kFiner = 16;

  /// Most sums beyond those of the program: kSpare + kSpareOfOutput · outputs.
  static constexpr std::size_t kSpare = 64;
  static constexpr std::size_t kSpareOfOutput = 4;

  /// A move opens at most kMostOpened temporaries; one in kOneOf is written into one reader alone.
  /// One move in kLookAtOneOf also looks at a random sum that may be unchanged.
  static constexpr std::size_t kMostOpened = 3;
  static constexpr std::size_t kOneOf = 4;
  static constexpr std::size_t kLookAtOneOf = 8;

  /// A step of sharing, and by how much it lowers the price.
  struct Choice {
    long gain = 0;
    bool is_new = false;   ///< a set of values becomes a sum, else one sum is added to another
    std::size_t from = 0;  ///< the sum that is added
    std::size_t to = 0;    ///< the sum that `from` is added to
  };

  long price(std::size_t size) const { return price_of_size_[size]; }
  long price_of_gates(std::uint64_t gates) const {
    return static_cast<long>(static_cast<std::uint64_t>(kGate * finer()) * gates / lowest_);
  }

  /// The level of a sum if its gates take operands of low levels first (gate_trees). Adds the price
  /// of its gates above the cheapest to `score`, also for sums below it that have no level yet.
  std::size_t level(std::size_t sum, std::vector<std::size_t>& levels, Score& score) const {
    if (levels[sum] != kNone) return levels[sum];
    std::vector<std::size_t> at;  // operands by level
    for (const std::size_t v : sums_.ones(sum)) {
      const std::size_t l = v < num_inputs_ ? 0 : level(v - num_inputs_, levels, score);
      if (at.size() <= l) at.resize(l + 1);
      ++at[l];
    }
    if (!is_uniform_) {
      const SumGates::Tree tree = gates_->of(at);
      const std::uint64_t dearer = tree.price - gates_of_size_[size_[sum]];
      score.rank.price += dearer;
      score.price += price_of_gates(dearer);
      return levels[sum] = tree.level;
    }
    std::size_t l = 0;
    std::size_t left = at.empty() ? 0 : at[0];
    while (left > 1 || l + 1 < at.size()) {
      left = (left + gate_inputs_ - 1) / gate_inputs_;
      ++l;
      if (l < at.size()) left += at[l];
    }
    return levels[sum] = l;
  }

  bool has_all(std::size_t sum, const std::vector<Word>& set) const {
    const std::span<const Word> row = sums_.row(sum);
    for (std::size_t w = 0; w < words_; ++w) {
      if ((set[w] & ~row[w]) != 0) return false;
    }
    return true;
  }

  std::vector<std::size_t> readers(std::size_t sum) const {
    std::vector<std::size_t> readers;
    for (std::size_t r = 0; r < num_sums_; ++r) {
      if (in_use_[r] && sums_(r, num_inputs_ + sum)) readers.push_back(r);
    }
    return readers;
  }

  bool depends(std::size_t sum, std::size_t on) {
    visited_.assign(num_sums_, false);
    std::vector<std::size_t> pending{sum};
    while (!pending.empty()) {
      const std::size_t at = pending.back();
      pending.pop_back();
      if (at == on) return true;
      for (const std::size_t v : sums_.ones(at)) {
        if (v < num_inputs_ || visited_[v - num_inputs_]) continue;
        visited_[v - num_inputs_] = true;
        pending.push_back(v - num_inputs_);
      }
    }
    return false;
  }

  /// A sum that is not in use, or kNone.
  std::size_t unused() const {
    for (std::size_t s = num_outputs_; s < num_sums_; ++s) {
      if (!in_use_[s]) return s;
    }
    return kNone;
  }

  /// A temporary, or kNone if none was found soon.
  std::size_t draw_temporary(Random& random) const {
    constexpr int kTries = 64;
    for (int tries = 0; tries < kTries; ++tries) {
      const std::size_t s = random() % num_sums_;
      if (in_use_[s] && s >= num_outputs_) return s;
    }
    return kNone;
  }

  /// By how much the price falls if `set`, of `size` values, becomes a sum that replaces these
  /// values in all sums that contain them.
  long gain_of(const std::vector<Word>& set, std::size_t size) const {
    long gain = -price(size);
    for (std::size_t s = 0; s < num_sums_; ++s) {
      if (!in_use_[s] || size_[s] < size || !has_all(s, set)) continue;
      gain += price(size_[s]) - price(size_[s] - size + 1);
    }
    return gain;
  }

  void changed(std::size_t sum) {
    size_[sum] = sums_.weight(sum);
    if (std::ranges::find(changed_, sum) == changed_.end()) changed_.push_back(sum);
  }

  /// Adds `sum` to `reader`. If `reader` reads it, it is inlined there; else `reader` now reads it.
  void write_into(std::size_t reader, std::size_t sum) {
    sums_.add_row(reader, sums_.row(sum));
    sums_.flip(reader, num_inputs_ + sum);
    changed(reader);
  }

  void open(std::size_t temporary) {
    for (const std::size_t reader : readers(temporary)) write_into(reader, temporary);
    std::ranges::fill(sums_.row(temporary), 0);
    size_[temporary] = 0;
    in_use_[temporary] = false;
    std::erase(changed_, temporary);
  }

  /// Opens temporaries that save nothing: with at most one reader, or at most one value.
  void open_needless(StopCheck& stop) {
    for (bool again = true; again;) {
      again = false;
      for (std::size_t s = num_outputs_; s < num_sums_; ++s) {
        if (stop.after(num_sums_)) return;
        if (!in_use_[s] || (size_[s] > 1 && readers(s).size() > 1)) continue;
        open(s);
        again = true;
      }
    }
  }

  /// The best step for the sums in changed_; chance decides between equal ones. Sets `best_set` if
  /// the step makes a new sum.
  Choice best_choice(Random& random, std::vector<Word>& best_set, StopCheck& stop) {
    constexpr long kChance = 64;
    Choice best;
    long highest = 0;
    const auto offer = [&](const Choice& choice) {
      if (choice.gain <= 0) return false;
      const long with_chance = choice.gain * kChance + static_cast<long>(random() % kChance);
      if (with_chance <= highest) return false;
      best = choice;
      highest = with_chance;
      return true;
    };
    const bool has_room = unused() != kNone;
    std::vector<Word> set(words_);
    for (const std::size_t a : changed_) {
      for (std::size_t b = 0; b < num_sums_; ++b) {
        if (stop.after(words_)) return best;
        if (b == a || !in_use_[b]) continue;
        const std::span<const Word> row_of_a = sums_.row(a);
        const std::span<const Word> row_of_b = sums_.row(b);
        std::size_t common = 0;
        for (std::size_t w = 0; w < words_; ++w) {
          set[w] = row_of_a[w] & row_of_b[w];
          common += static_cast<std::size_t>(std::popcount(set[w]));
        }
        if (common < 2) continue;
        const long joined = price(size_[a] + size_[b] - 2 * common + 1);
        const long into_a = price(size_[a]) - joined;
        const long into_b = price(size_[b]) - joined;
        if (into_a > best.gain && !depends(b, a)) offer({into_a, false, b, a});
        if (into_b > best.gain && !depends(a, b)) offer({into_b, false, a, b});
        if (!has_room) continue;
        stop.after(num_sums_ * words_);
        if (offer({gain_of(set, common), true})) best_set = set;
        if (common <= gate_inputs_) continue;
        while (common > gate_inputs_) {  // as many common values as a gate has inputs
          const std::size_t v = random() % (words_ * 64);
          if ((set[v / 64] >> (v % 64) & 1U) == 0) continue;
          set[v / 64] ^= Word{1} << (v % 64);
          --common;
        }
        if (offer({gain_of(set, common), true})) best_set = set;
      }
    }
    return best;
  }

  /// Makes `set` a sum, which all sums that contain it read. Shape: there is an unused sum.
  void take_out(const std::vector<Word>& set) {
    const std::size_t made = unused();
    for (std::size_t s = 0; s < num_sums_; ++s) {
      if (!in_use_[s] || !has_all(s, set)) continue;
      sums_.add_row(s, set);
      sums_.flip(s, num_inputs_ + made);
      changed(s);
    }
    std::ranges::copy(set, sums_.row(made).begin());
    in_use_[made] = true;
    changed(made);
  }

  std::size_t gate_inputs_;
  bool is_uniform_;                           ///< all gates cost the same
  std::vector<long> price_of_size_;           ///< by operands: price of a sum
  std::vector<std::uint64_t> gates_of_size_;  ///< GatePrices::of_sums()
  std::shared_ptr<const SumGates> gates_;     ///< of copies, too
  std::uint64_t lowest_ = 1;                  ///< GatePrices::lowest()
  std::size_t most_depth_;
  std::size_t num_inputs_;
  std::size_t num_outputs_;
  std::size_t num_sums_ = 0;          ///< used and unused
  std::size_t words_ = 0;             ///< words per row
  BitMatrix sums_;                    ///< a row for each sum, a column for each value
  std::vector<std::size_t> size_;     ///< by sum: number of values that it adds up
  std::vector<bool> in_use_;          ///< by sum
  std::vector<std::size_t> changed_;  ///< sums changed in this move
  std::vector<bool> visited_;         ///< by sum: seen by depends()
};

}  // namespace xorloom
