#include "gen/vector/greedy_steps.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "equations/ir/random.hpp"

namespace xorloom {
namespace {

using Value = Element;
using Sum = std::uint32_t;  ///< a sum of the tile: the number of its equation

/// Weights of a step's score; the step with the lowest score comes next. Of some thousand settings
/// that were tried on thirteen programs, from 6 + 3 to 28 + 4, these gave the cheapest orders with
/// AVX-512.
struct Weights {
  float load = 1.74F;     ///< an operand that is in no register
  float reader = 0.06F;   ///< subtracted from `load` per step that reads it, for at most 6
  float last = 2.0F;      ///< subtracted: an operand in a register that no other step reads
  float recent = 0.69F;   ///< subtracted: an operand that the last step read or made
  float begin = 2.0F;     ///< a sum that begins takes a register
  float reload = 0.48F;   ///< a sum that has lost its register
  float end = 2.05F;      ///< subtracted: the step ends its sum
  float half = 0.87F;     ///< an instruction that could add two operands adds one
  float pending = 0.11F;  ///< per operand that the sum lacks after the step
  float chance = 0.2F;    ///< random addend, from 0 to this
  /// If registers are short, a value that is not in memory counts as touched by this many later
  /// reads or writes: it would have to be stored.
  std::uint32_t unsaved_grace = 12;
};
constexpr Weights kThreeWayWeights;

/// Weights for AVX2, the best of some five hundred settings on sixteen programs. Orders are 4 %
/// cheaper than by kThreeWayWeights, also on sixteen other programs.
constexpr Weights kTwoWayWeights{.load = 2.99F,
                                 .reader = -0.12F,
                                 .last = 2.0F,
                                 .recent = 0.76F,
                                 .begin = 2.24F,
                                 .reload = 0.58F,
                                 .end = 2.05F,
                                 .half = 0.46F,
                                 .pending = 0.19F,
                                 .chance = 0.33F,
                                 .unsaved_grace = 18};
constexpr std::uint16_t kMostReaders = 6;

/// Keeps the lowest of an array of scores while scores change (a tournament tree).
class LowestScore {
 public:
  explicit LowestScore(std::size_t size) {
    while (leaves_ < size) leaves_ *= 2;
    scores_.assign(leaves_, kNone);
    lowest_.resize(2 * leaves_);
    for (std::size_t i = 0; i < leaves_; ++i) lowest_[leaves_ + i] = static_cast<std::uint32_t>(i);
    for (std::size_t node = leaves_; --node > 0;) lowest_[node] = lowest_[2 * node];
  }

  static constexpr float kNone = std::numeric_limits<float>::max();

  void set(std::uint32_t which, float score) {
    scores_[which] = score;
    for (std::size_t node = (leaves_ + which) / 2; node > 0; node /= 2) {
      const std::uint32_t left = lowest_[2 * node];
      const std::uint32_t right = lowest_[2 * node + 1];
      const std::uint32_t lower = scores_[right] < scores_[left] ? right : left;
      if (std::exchange(lowest_[node], lower) == lower && lower != which) return;
    }
  }
  std::uint32_t lowest() const { return lowest_[1]; }
  float at(std::uint32_t which) const { return scores_[which]; }

 private:
  std::size_t leaves_ = 2;
  std::vector<float> scores_;
  /// By node of a binary tree: index of the lowest score below it.
  std::vector<std::uint32_t> lowest_;
};

/// Data that all starts share.
struct Readers {
  Readers(const Program& of, const MachineFacts& machine)
      : tile(of),
        outputs(outputs_by_equation(of)),
        is_needed(of.equations.size()),
        registers(machine.registers - 1),
        operands(machine.added_operands()),
        weights(machine.has_three_way_xor() ? kThreeWayWeights : kTwoWayWeights),
        begin_of_(num_values(of) + 1) {
    for (std::size_t e = of.equations.size(); e-- > 0;) {
      const Equation& equation = of.equations[e];
      is_needed[e] = outputs[e] != kNoOutput || begin_of_[equation.target + 1] != 0;
      if (!is_needed[e]) continue;
      ++num_needed;
      for (const Operand& term : equation.operands) ++begin_of_[term.element + 1];
    }
    std::partial_sum(begin_of_.begin(), begin_of_.end(), begin_of_.begin());
    sums_.resize(begin_of_.back());
    std::vector<std::uint32_t> next = begin_of_;
    for (std::size_t e = of.equations.size(); e-- > 0;) {
      if (!is_needed[e]) continue;
      for (const Operand& term : of.equations[e].operands) {
        sums_[next[term.element]++] = static_cast<Sum>(e);
      }
    }
  }

  std::span<const Sum> of_value(Value value) const {
    return std::span(sums_).subspan(begin_of_[value], begin_of_[value + 1] - begin_of_[value]);
  }

  const Program& tile;
  std::vector<std::uint32_t> outputs;  ///< by equation: the output that it makes, or kNoOutput
  std::vector<bool> is_needed;
  std::size_t num_needed = 0;
  std::size_t registers;  ///< the machine's but one, which is for values that pass through
  std::size_t operands;   ///< operands that an instruction adds to a sum
  const Weights& weights;

 private:
  /// Offsets into sums_: sums_[begin_of_[v] .. begin_of_[v + 1]) read value v.
  std::vector<std::uint32_t> begin_of_;
  std::vector<Sum> sums_;
};

/// Up to three operands of a step.
struct Operands {
  std::array<Operand, 3> operands{Operand(0), Operand(0), Operand(0)};
  std::size_t size = 0;
  float score = 0;

  auto begin() const { return operands.begin(); }
  auto end() const { return operands.begin() + static_cast<std::ptrdiff_t>(size); }
};

/// Builds one greedy order.
class Steps {
 public:
  Steps(const Readers& readers, std::uint64_t seed, std::size_t window)
      : tile_(readers.tile),
        readers_(readers),
        weights_(readers.weights),
        window_(window == 0 ? tile_.inputs.size() : window),
        random_(seed),
        sums_(tile_.equations.size()),
        values_(num_values(tile_)),
        value_scores_(num_values(tile_), LowestScore::kNone),
        scores_(tile_.equations.size()) {
    result_.tile = dense_without_equations(tile_.inputs.size(), tile_.outputs.size(), tile_.field);
    for (Value input = 0; input < tile_.inputs.size(); ++input) values_[input].name = input;
    for (Value value = 0; value < values_.size(); ++value) {
      values_[value].readers = static_cast<std::uint16_t>(readers.of_value(value).size());
    }
    for (Sum sum = 0; sum < sums_.size(); ++sum) {
      if (!readers.is_needed[sum]) continue;
      sums_[sum].pending = tile_.equations[sum].operands;
      has_changed(sum);
    }
    release();
  }

  SteppedTile run() {
    for (std::size_t done = 0; done < readers_.num_needed;) {
      for (const Sum sum : changed_) {
        sums_[sum].has_changed = false;
        scores_.set(sum, score(sum));
      }
      changed_.clear();
      const Sum sum = scores_.lowest();
      if (scores_.at(sum) == LowestScore::kNone) {
        release();
        continue;
      }
      add(sum, best_operands(sum));
      if (sums_[sum].state == State::kDone) ++done;
    }
    return std::move(result_);
  }

 private:
  enum class State : std::uint8_t { kNotBegun, kBegun, kDone };
  struct SumState {
    std::vector<Operand> pending{};
    State state = State::kNotBegun;
    bool has_changed = false;  ///< its score is out of date
  };
  struct ValueState {
    std::uint16_t readers = 0;  ///< sums that still have to read it
    bool is_known = false;      ///< an input, or a sum that is done
    bool is_held = false;       ///< in a register
    bool is_unsaved = false;    ///< in a register, but not in memory
    bool is_recent = false;
    std::uint32_t touched = 0;
    Value name = 0;  ///< its number in the result; of a sum, that of its last step
  };

  /// Lets steps read the inputs of the next window, too.
  void release() {
    const auto end = static_cast<Value>(std::min(released_ + window_, tile_.inputs.size()));
    for (; released_ < end; ++released_) {
      values_[released_].is_known = true;
      update_score(released_);
      have_changed(readers_.of_value(released_));
    }
  }

  void has_changed(Sum sum) {
    if (std::exchange(sums_[sum].has_changed, true)) return;
    changed_.push_back(sum);
  }
  void have_changed(std::span<const Sum> sums) {
    for (const Sum sum : sums) {
      if (sums_[sum].state != State::kDone) has_changed(sum);
    }
  }

  float score(const ValueState& value) const {
    if (!value.is_known) return LowestScore::kNone;
    if (value.is_held) {
      return (value.readers == 1 ? -weights_.last : 0) - (value.is_recent ? weights_.recent : 0);
    }
    return weights_.load -
           weights_.reader * static_cast<float>(std::min(value.readers, kMostReaders));
  }
  void update_score(Value value) { value_scores_[value] = score(values_[value]); }

  /// Returns the cheapest operands for the next step of `sum`; fewer than the step takes if not
  /// enough are known.
  Operands best_operands(Sum sum) const {
    const std::size_t wanted = num_wanted(sum);
    Operands best;
    std::array<float, 3> scores{};
    float worst = LowestScore::kNone;  // highest of `scores` once `wanted` operands are found
    for (const Operand& term : sums_[sum].pending) {
      const float score = value_scores_[term.element];
      if (score >= worst) continue;
      std::size_t place = best.size == wanted ? wanted - 1 : best.size++;
      for (; place > 0 && scores[place - 1] > score; --place) {
        scores[place] = scores[place - 1];
        best.operands[place] = best.operands[place - 1];
      }
      scores[place] = score;
      best.operands[place] = term;
      if (best.size == wanted) worst = scores[wanted - 1];
    }
    for (std::size_t i = 0; i < best.size; ++i) best.score += scores[i];
    return best;
  }

  std::size_t num_wanted(Sum sum) const {
    const bool begins = sums_[sum].state == State::kNotBegun;
    return std::min(sums_[sum].pending.size(), readers_.operands + (begins ? 1 : 0));
  }

  float score(Sum sum) {
    const SumState& state = sums_[sum];
    const std::size_t wanted = num_wanted(sum);
    if (state.state == State::kDone) return LowestScore::kNone;
    const Operands operands = best_operands(sum);
    if (operands.size < wanted) return LowestScore::kNone;
    float score = operands.score;
    if (state.state == State::kNotBegun) {
      score += weights_.begin;
    } else {
      if (!values_[tile_.equations[sum].target].is_held) score += weights_.reload;
      if (wanted < readers_.operands) score += weights_.half;
    }
    if (state.pending.size() == wanted) score -= weights_.end;
    score += weights_.pending * static_cast<float>(state.pending.size() - wanted);
    return score + weights_.chance * static_cast<float>(random_() >> 40) / (1 << 24);
  }

  /// Appends a step that adds `operands` to `sum`.
  void add(Sum sum, const Operands& operands) {
    const Value result = tile_.equations[sum].target;
    std::vector<Operand> step;
    step.reserve(operands.size + 1);
    if (sums_[sum].state == State::kBegun) step.push_back({values_[result].name});
    for (const Value value : recent_) {
      values_[value].is_recent = false;
      update_score(value);
      have_changed(readers_.of_value(value));
    }
    recent_.clear();
    for (const Operand& term : operands) {
      ValueState& value = values_[term.element];
      step.push_back({value.name, term.coefficient});
      value.touched = ++clock_;
      if (!value.is_held && value.readers > 1) hold(term.element, operands, result);
      if (--value.readers == 0 && value.is_held) let_go(term.element);
      std::erase(sums_[sum].pending, term);
      was_touched(term.element);
    }
    ValueState& value = values_[result];
    if (!value.is_held) hold(result, operands, result);
    value.is_unsaved = true;
    value.touched = ++clock_;
    value.name = static_cast<Value>(num_values(result_.tile));
    sums_[sum].state = State::kBegun;
    if (sums_[sum].pending.empty()) {
      sums_[sum].state = State::kDone;
      const std::uint32_t output = readers_.outputs[sum];
      if (output != kNoOutput) result_.tile.outputs[output] = value.name;
      value.is_known = true;
      if (output != kNoOutput) value.is_unsaved = false;
      if (value.readers == 0) let_go(result);
      was_touched(result);
    }
    has_changed(sum);
    add_equation(result_.tile, std::move(step));
    result_.chain_of.push_back(sum);
  }

  void was_touched(Value value) {
    values_[value].is_recent = true;
    update_score(value);
    recent_.push_back(value);
    have_changed(readers_.of_value(value));
  }

  void hold(Value value, const Operands& operands, Value sum) {
    while (held_.size() >= readers_.registers && make_room(operands, sum)) {
    }
    held_.push_back(value);
    values_[value].is_held = true;
  }

  void let_go(Value value) {
    std::erase(held_, value);
    values_[value].is_held = false;
    values_[value].is_unsaved = false;
    update_score(value);
  }

  /// Frees the register of the least recently touched value. False if the current step reads or
  /// makes all values that are held.
  bool make_room(const Operands& operands, Value sum) {
    const auto age = [&](Value value) {
      return values_[value].touched + (values_[value].is_unsaved ? weights_.unsaved_grace : 0);
    };
    constexpr Value kNobody = std::numeric_limits<Value>::max();
    Value oldest = kNobody;
    for (const Value value : held_) {
      if (value == sum || std::ranges::any_of(operands, [&](const Operand& term) {
            return term.element == value;
          })) {
        continue;
      }
      if (oldest == kNobody || age(value) < age(oldest)) oldest = value;
    }
    if (oldest == kNobody) return false;
    let_go(oldest);
    have_changed(readers_.of_value(oldest));
    if (oldest >= tile_.inputs.size()) {
      const auto made_by = static_cast<Sum>(oldest - tile_.inputs.size());
      have_changed({&made_by, 1});
    }
    return true;
  }

  const Program& tile_;
  const Readers& readers_;
  const Weights& weights_;
  std::size_t window_;
  Value released_ = 0;  ///< number of inputs that may be read
  Random random_;
  std::vector<SumState> sums_;
  std::vector<ValueState> values_;
  std::vector<float> value_scores_;  ///< kNone: the value is not known
  std::vector<Value> held_;
  std::vector<Value> recent_;  ///< values that the last step read or made
  std::uint32_t clock_ = 0;
  std::vector<Sum> changed_;
  LowestScore scores_;
  SteppedTile result_;
};

}  // namespace

SteppedTile greedy_steps(const Program& tile, const MachineFacts& machine, std::uint64_t starts,
                         std::size_t window, const std::function<bool()>& stop_requested) {
  const Readers readers(tile, machine);
  SteppedTile best = Steps(readers, 0, window).run();
  if (starts < 2) return best;
  std::size_t lowest = schedule_price(best.tile, machine);
  for (std::uint64_t start = 1; start < starts; ++start) {
    if (stop_requested && stop_requested()) break;
    SteppedTile steps = Steps(readers, start, window).run();
    const std::size_t price = schedule_price(steps.tile, machine);
    if (price >= lowest) continue;
    lowest = price;
    best = std::move(steps);
  }
  return best;
}

}  // namespace xorloom
