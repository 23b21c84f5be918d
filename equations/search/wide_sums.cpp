#include "equations/search/wide_sums.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "equations/passes/gate_trees.hpp"

namespace xorloom {
namespace {

/// The prices of a gate, and of a level of an output beyond those that should do; an operand has 1.
constexpr long kGate = 4;
constexpr long kLevel = 8;

/// Sums that there may be at once beyond those of the beginning: so many, and so many for each
/// output.
constexpr std::size_t kSpare = 64;
constexpr std::size_t kSpareOfOutput = 4;

/// Of random moves: temporaries that are opened at most, and the share of these that are written
/// into one of their readers alone, and of moves that look at a sum that stayed as it was.
constexpr std::size_t kMostOpened = 3;
constexpr std::size_t kOneOf = 4;
constexpr std::size_t kLookAtOneOf = 8;

/// Words that are looked at between questions whether to stop: a millisecond or so.
constexpr std::uint64_t kLooksAtOnce = std::uint64_t{1} << 20;

}  // namespace

WideSums::WideSums(const Program& program, std::size_t gate_inputs, std::size_t most_depth)
    : gate_inputs_(gate_inputs),
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
  words_ = (num_inputs_ + num_sums_ + 63) / 64;
  bits_.assign(num_sums_ * words_, 0);
  size_.assign(num_sums_, 0);
  in_use_.assign(num_sums_, false);
  for (const Equation& equation : program.equations) {
    const std::size_t sum = value[equation.target] - num_inputs_;
    in_use_[sum] = true;
    size_[sum] = equation.operands.size();
    for (const Element operand : equation.operands) flip(sum, value[operand]);
  }
}

std::uint64_t WideSums::bits_of(std::size_t inputs, std::size_t outputs, std::size_t temporaries) {
  const std::uint64_t sums = outputs + temporaries + kSpare + kSpareOfOutput * outputs;
  return sums * (inputs + sums);
}

long WideSums::price(std::size_t size) const {
  const std::size_t operands = size < 2 ? 0 : size - 1;
  return kGate * static_cast<long>(gates_of_sum(size, gate_inputs_)) + static_cast<long>(operands);
}

long WideSums::price() const {
  long sum = 0;
  for (std::size_t s = 0; s < num_sums_; ++s) {
    if (in_use_[s]) sum += price(size_[s]);
  }
  if (most_depth_ == 0) return sum;
  std::vector<std::size_t> levels(num_sums_, kNone);
  for (std::size_t o = 0; o < num_outputs_; ++o) {
    const std::size_t depth = level(o, levels);
    if (depth > most_depth_) sum += kLevel * static_cast<long>(depth - most_depth_);
  }
  return sum;
}

/// The level of a sum, if its gates take first what is there first (gate_trees).
std::size_t WideSums::level(std::size_t sum, std::vector<std::size_t>& levels) const {
  if (levels[sum] != kNone) return levels[sum];
  std::vector<std::size_t> at;  // operands by level
  for (const std::size_t v : values(sum)) {
    const std::size_t l = v < num_inputs_ ? 0 : level(v - num_inputs_, levels);
    if (at.size() <= l) at.resize(l + 1);
    ++at[l];
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

std::uint64_t WideSums::looks_of_move() const {
  // A few sums meet all others, and what they have in common with one is looked for in all.
  const auto sums = static_cast<std::uint64_t>(std::ranges::count(in_use_, true));
  return std::max<std::uint64_t>(1, sums * sums * words_ * 4);
}

/// Whether to stop, after some more words were looked at.
bool WideSums::is_stopped_after(std::uint64_t looks) {
  looks_ += looks;
  if (looks_ < kLooksAtOnce || stop_requested_ == nullptr || !*stop_requested_) return is_stopped_;
  looks_ = 0;
  is_stopped_ = is_stopped_ || (*stop_requested_)();
  return is_stopped_;
}

void WideSums::move(Random& random, const std::function<bool()>& stop_requested) {
  stop_requested_ = &stop_requested;
  is_stopped_ = false;
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
  if (const std::size_t sum = random() % num_sums_; in_use_[sum] && random() % kLookAtOneOf == 0) {
    changed(sum);
  }
  std::vector<Word> set(words_);
  for (;;) {
    open_needless();
    const Choice choice = best_choice(random, set);
    if (choice.gain <= 0 || is_stopped_) break;
    if (choice.is_new) {
      take_out(set);
    } else {
      write_into(choice.to, choice.from);
    }
  }
  stop_requested_ = nullptr;
}

Program WideSums::program(const Program& layout) const {
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
    for (const std::size_t v : values(s)) equation.operands.emplace_back(element[v]);
    result.equations.push_back(std::move(equation));
  }
  sort_equations(result);
  return result;
}

bool WideSums::has_all(std::size_t sum, const std::vector<Word>& set) const {
  const Word* const bits = row(sum);
  for (std::size_t w = 0; w < words_; ++w) {
    if ((set[w] & ~bits[w]) != 0) return false;
  }
  return true;
}

std::vector<std::size_t> WideSums::values(std::size_t sum) const {
  std::vector<std::size_t> values;
  for (std::size_t w = 0; w < words_; ++w) {
    for (Word bits = row(sum)[w]; bits != 0; bits &= bits - 1) {
      values.push_back(w * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
    }
  }
  return values;
}

std::vector<std::size_t> WideSums::readers(std::size_t sum) const {
  std::vector<std::size_t> readers;
  for (std::size_t r = 0; r < num_sums_; ++r) {
    if (in_use_[r] && has(r, num_inputs_ + sum)) readers.push_back(r);
  }
  return readers;
}

bool WideSums::depends(std::size_t sum, std::size_t on) {
  visited_.assign(num_sums_, false);
  std::vector<std::size_t> pending{sum};
  while (!pending.empty()) {
    const std::size_t at = pending.back();
    pending.pop_back();
    if (at == on) return true;
    for (const std::size_t v : values(at)) {
      if (v < num_inputs_ || visited_[v - num_inputs_]) continue;
      visited_[v - num_inputs_] = true;
      pending.push_back(v - num_inputs_);
    }
  }
  return false;
}

/// A sum that is not in use, or kNone.
std::size_t WideSums::unused() const {
  for (std::size_t s = num_outputs_; s < num_sums_; ++s) {
    if (!in_use_[s]) return s;
  }
  return kNone;
}

/// A temporary, or kNone if none was found soon.
std::size_t WideSums::draw_temporary(Random& random) const {
  constexpr int kTries = 64;
  for (int tries = 0; tries < kTries; ++tries) {
    const std::size_t s = random() % num_sums_;
    if (in_use_[s] && s >= num_outputs_) return s;
  }
  return kNone;
}

/// What the price falls by if a set of values becomes a sum that all that have it read.
long WideSums::gain_of(const std::vector<Word>& set, std::size_t size) const {
  long gain = -price(size);
  for (std::size_t s = 0; s < num_sums_; ++s) {
    if (!in_use_[s] || size_[s] < size || !has_all(s, set)) continue;
    gain += price(size_[s]) - price(size_[s] - size + 1);
  }
  return gain;
}

void WideSums::changed(std::size_t sum) {
  size_[sum] = 0;
  for (std::size_t w = 0; w < words_; ++w) {
    size_[sum] += static_cast<std::size_t>(std::popcount(row(sum)[w]));
  }
  if (std::ranges::find(changed_, sum) == changed_.end()) changed_.push_back(sum);
}

/// Adds a sum to one of its readers, which then does without it, or to another sum, which then
/// reads it.
void WideSums::write_into(std::size_t reader, std::size_t sum) {
  for (std::size_t w = 0; w < words_; ++w) row(reader)[w] ^= row(sum)[w];
  flip(reader, num_inputs_ + sum);
  changed(reader);
}

void WideSums::open(std::size_t temporary) {
  for (const std::size_t reader : readers(temporary)) write_into(reader, temporary);
  std::fill_n(row(temporary), words_, 0);
  size_[temporary] = 0;
  in_use_[temporary] = false;
  std::erase(changed_, temporary);
}

/// Opens temporaries that save nothing: of one reader or none, and of one value or none.
void WideSums::open_needless() {
  for (bool again = true; again;) {
    again = false;
    for (std::size_t s = num_outputs_; s < num_sums_; ++s) {
      if (is_stopped_after(num_sums_)) return;
      if (!in_use_[s] || (size_[s] > 1 && readers(s).size() > 1)) continue;
      open(s);
      again = true;
    }
  }
}

/// The best step of those that concern what changed, chance deciding between equal ones.
WideSums::Choice WideSums::best_choice(Random& random, std::vector<Word>& best_set) {
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
      if (is_stopped_after(words_)) return best;
      if (b == a || !in_use_[b]) continue;
      std::size_t common = 0;
      for (std::size_t w = 0; w < words_; ++w) {
        set[w] = row(a)[w] & row(b)[w];
        common += static_cast<std::size_t>(std::popcount(set[w]));
      }
      if (common < 2) continue;
      const long joined = price(size_[a] + size_[b] - 2 * common + 1);
      const long into_a = price(size_[a]) - joined;
      const long into_b = price(size_[b]) - joined;
      if (into_a > best.gain && !depends(b, a)) offer({into_a, false, b, a});
      if (into_b > best.gain && !depends(a, b)) offer({into_b, false, a, b});
      if (!has_room) continue;
      is_stopped_after(num_sums_ * words_);
      if (offer({gain_of(set, common), true})) best_set = set;
      if (common <= gate_inputs_) continue;
      while (common > gate_inputs_) {  // a gate's worth of what they have in common
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

/// Makes a set of values a sum, which all that have it read. Shape: there is an unused sum.
void WideSums::take_out(const std::vector<Word>& set) {
  const std::size_t made = unused();
  for (std::size_t s = 0; s < num_sums_; ++s) {
    if (!in_use_[s] || !has_all(s, set)) continue;
    for (std::size_t w = 0; w < words_; ++w) row(s)[w] ^= set[w];
    flip(s, num_inputs_ + made);
    changed(s);
  }
  std::ranges::copy(set, row(made));
  in_use_[made] = true;
  changed(made);
}

}  // namespace xorloom
