#include "equations/search/gate_search.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "equations/ir/proof.hpp"
#include "equations/ir/random.hpp"
#include "equations/passes/fuse.hpp"
#include "equations/passes/gate_trees.hpp"

namespace xorloom {
namespace {

using Word = std::uint64_t;

/// What a search of normal effort looks at, in words of sets: a second or so, and no more than many
/// moves. Where it is less than a few moves it makes none.
constexpr std::uint64_t kNormalLooks = 1'500'000'000;
constexpr std::uint64_t kFewMoves = 100;
constexpr std::uint64_t kManyMoves = 4000;

/// The prices of a gate, and of a level of an output beyond those that should do; an operand has 1.
constexpr long kGate = 4;
constexpr long kLevel = 8;

/// How much dearer, on the average, a move may be that stays: at the beginning of a walk, and at its
/// end.
constexpr double kHeat = 4;
constexpr double kCold = 0.05;

/// Sums that a walk may have at once beyond those that it begins with: so many, and so many for each
/// output.
constexpr std::size_t kSpare = 64;
constexpr std::size_t kSpareOfOutput = 4;

/// Sums over inputs and each other, as sets of values: inputs come first, then the sums. The first
/// sums are the outputs.
class Sums {
 public:
  Sums(const Program& program, const GateSearch& search)
      : gate_inputs_(search.inputs),
        most_depth_(search.depth),
        num_inputs_(program.inputs.size()),
        outputs_(program.outputs.size()) {
    std::size_t temporaries = 0;
    std::vector<std::size_t> value(program.end_of_elements(), 0);
    for (std::size_t i = 0; i < num_inputs_; ++i) value[program.inputs[i]] = i;
    for (std::size_t o = 0; o < outputs_; ++o) value[program.outputs[o]] = num_inputs_ + o;
    for (const Equation& equation : program.equations) {
      if (std::ranges::find(program.outputs, equation.target) != program.outputs.end()) continue;
      value[equation.target] = num_inputs_ + outputs_ + temporaries++;
    }
    sums_ = outputs_ + temporaries + kSpare + kSpareOfOutput * outputs_;
    words_ = (num_inputs_ + sums_ + 63) / 64;
    bits_.assign(sums_ * words_, 0);
    size_.assign(sums_, 0);
    in_use_.assign(sums_, false);
    for (const Equation& equation : program.equations) {
      const std::size_t s = value[equation.target] - num_inputs_;
      in_use_[s] = true;
      for (const Element operand : equation.operands) flip(s, value[operand]);
    }
    for (std::size_t s = 0; s < sums_; ++s) count(s);
  }

  /// What a search makes low. Operands count a little, as they are what gates are saved by.
  long price(std::size_t size) const {
    return static_cast<long>(kGate * gates_of_sum(size, gate_inputs_) + (size < 2 ? 0 : size - 1));
  }
  long price() const {
    long sum = 0;
    for (std::size_t s = 0; s < sums_; ++s) {
      if (in_use_[s]) sum += price(size_[s]);
    }
    if (most_depth_ != 0) {
      const std::vector<std::size_t> level = levels();
      for (std::size_t o = 0; o < outputs_; ++o) {
        if (level[o] > most_depth_) sum += kLevel * static_cast<long>(level[o] - most_depth_);
      }
    }
    return sum;
  }
  std::vector<std::size_t> levels() const {
    std::vector<std::size_t> level(sums_, kNone);
    for (std::size_t s = 0; s < sums_; ++s) {
      if (in_use_[s]) find_level(s, level);
    }
    return level;
  }
  std::size_t find_level(std::size_t s, std::vector<std::size_t>& level) const {
    if (level[s] != kNone) return level[s];
    std::vector<std::size_t> at;
    for (const std::size_t v : values(s)) {
      const std::size_t l = v < num_inputs_ ? 0 : find_level(v - num_inputs_, level);
      if (at.size() <= l) at.resize(l + 1);
      ++at[l];
    }
    std::size_t l = 0;
    std::size_t n = at.empty() ? 0 : at[0];
    while (n > 1 || l + 1 < at.size()) {
      n = (n + gate_inputs_ - 1) / gate_inputs_;
      ++l;
      if (l < at.size()) n += at[l];
    }
    return level[s] = l;
  }
  /// Words that a move looks at, or so: a few sums meet all others, and what they have in common
  /// with one is looked for in all.
  std::uint64_t looks_of_move() const {
    const auto sums = static_cast<std::uint64_t>(std::ranges::count(in_use_, true));
    return std::max<std::uint64_t>(1, sums * sums * words_ * 4);
  }

  /// Writes random temporaries into their readers, then rebuilds.
  void move(Random& random) {
    changed_.clear();
    const std::size_t opened = 1 + random() % 3;
    for (std::size_t i = 0; i < opened; ++i) {
      const std::size_t s = draw(random);
      if (s == kNone) break;
      if (random() % 4 == 0) {
        open_in_one(s, random);
      } else {
        open(s);
      }
    }
    // Of a sum that stays as it is something may be taken out as well.
    if (const std::size_t s = random() % sums_; in_use_[s] && random() % 8 == 0) change(s);
    rebuild(random);
  }

  Program program(const Program& layout) const {
    Program result = layout;
    result.equations.clear();
    std::vector<Element> element(num_inputs_ + sums_);
    for (std::size_t i = 0; i < num_inputs_; ++i) element[i] = layout.inputs[i];
    Element next = layout.first_temporary();
    for (std::size_t s = 0; s < sums_; ++s) {
      if (s < outputs_)
        element[num_inputs_ + s] = layout.outputs[s];
      else if (in_use_[s])
        element[num_inputs_ + s] = next++;
    }
    for (std::size_t s = 0; s < sums_; ++s) {
      if (!in_use_[s]) continue;
      Equation equation{element[num_inputs_ + s], {}};
      for (const std::size_t v : values(s)) equation.operands.emplace_back(element[v]);
      result.equations.push_back(std::move(equation));
    }
    sort_equations(result);
    return result;
  }

 private:
  Word* row(std::size_t s) { return bits_.data() + s * words_; }
  const Word* row(std::size_t s) const { return bits_.data() + s * words_; }
  bool has(std::size_t s, std::size_t v) const { return (row(s)[v / 64] >> (v % 64) & 1U) != 0; }
  void flip(std::size_t s, std::size_t v) { row(s)[v / 64] ^= Word{1} << (v % 64); }
  void count(std::size_t s) {
    std::size_t size = 0;
    for (std::size_t w = 0; w < words_; ++w)
      size += static_cast<std::size_t>(std::popcount(row(s)[w]));
    size_[s] = size;
  }
  void add(std::size_t to, std::size_t s) {
    for (std::size_t w = 0; w < words_; ++w) row(to)[w] ^= row(s)[w];
  }
  std::vector<std::size_t> values(std::size_t s) const {
    std::vector<std::size_t> values;
    for (std::size_t w = 0; w < words_; ++w) {
      for (Word bits = row(s)[w]; bits != 0; bits &= bits - 1) {
        values.push_back(w * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
      }
    }
    return values;
  }
  std::vector<std::size_t> readers(std::size_t s) const {
    std::vector<std::size_t> readers;
    for (std::size_t r = 0; r < sums_; ++r) {
      if (in_use_[r] && has(r, num_inputs_ + s)) readers.push_back(r);
    }
    return readers;
  }

  void change(std::size_t s) {
    count(s);
    if (std::ranges::find(changed_, s) == changed_.end()) changed_.push_back(s);
  }

  void remove(std::size_t s) {
    std::fill_n(row(s), words_, 0);
    size_[s] = 0;
    in_use_[s] = false;
    std::erase(changed_, s);
  }

  /// A sum that others may read: any that is used.
  std::size_t draw(Random& random) const {
    for (int tries = 0; tries < 64; ++tries) {
      const std::size_t s = random() % sums_;
      if (in_use_[s] && s >= outputs_) return s;
    }
    return kNone;
  }

  void write_into(std::size_t reader, std::size_t s) {
    flip(reader, num_inputs_ + s);
    add(reader, s);
    change(reader);
  }

  void open(std::size_t s) {
    for (const std::size_t reader : readers(s)) write_into(reader, s);
    if (s >= outputs_) remove(s);
  }

  void open_in_one(std::size_t s, Random& random) {
    const std::vector<std::size_t> all = readers(s);
    if (all.empty()) return;
    write_into(all[random() % all.size()], s);
  }

  bool depends(std::size_t s, std::size_t on) {
    visited_.assign(sums_, false);
    std::vector<std::size_t> pending{s};
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

  struct Choice {
    long gain = 0;
    bool is_new = false;  ///< a sum of its own, else one that is added to another
    std::size_t from = 0;
    std::size_t to = 0;
  };

  /// What it saves to take a set of values out of all sums that have it.
  long gain_of(const std::vector<Word>& set, std::size_t size) const {
    long gain = -price(size);
    for (std::size_t s = 0; s < sums_; ++s) {
      if (!in_use_[s] || size_[s] < size) continue;
      const Word* const bits = row(s);
      bool has_all = true;
      for (std::size_t w = 0; w < words_ && has_all; ++w) has_all = (set[w] & ~bits[w]) == 0;
      if (has_all) gain += price(size_[s]) - price(size_[s] - size + 1);
    }
    return gain;
  }

  void rebuild(Random& random) {
    std::vector<Word> set(words_);
    std::vector<Word> best_set(words_);
    for (;;) {
      tidy();
      Choice best;
      long best_noisy = 0;
      const auto offer = [&](const Choice& choice) {
        if (choice.gain <= 0) return false;
        const long noisy = choice.gain * 64 + static_cast<long>(random() % 64);
        if (noisy <= best_noisy) return false;
        best = choice;
        best_noisy = noisy;
        return true;
      };
      for (const std::size_t a : changed_) {
        if (!in_use_[a]) continue;
        for (std::size_t b = 0; b < sums_; ++b) {
          if (b == a || !in_use_[b]) continue;
          std::size_t common = 0;
          for (std::size_t w = 0; w < words_; ++w) {
            set[w] = row(a)[w] & row(b)[w];
            common += static_cast<std::size_t>(std::popcount(set[w]));
          }
          if (common < 2) continue;
          const std::size_t joined = size_[a] + size_[b] - 2 * common + 1;
          const long into_a = price(size_[a]) - price(joined);
          const long into_b = price(size_[b]) - price(joined);
          if (into_a > best.gain && !depends(b, a)) offer({into_a, false, b, a});
          if (into_b > best.gain && !depends(a, b)) offer({into_b, false, a, b});
          if (spare() == kNone) continue;
          if (offer({gain_of(set, common), true, a, b})) best_set = set;
          if (common > gate_inputs_) {  // a gate's worth of it
            std::size_t left = common;
            std::vector<Word> part = set;
            while (left > gate_inputs_) {
              const std::size_t v = random() % (words_ * 64);
              if ((part[v / 64] >> (v % 64) & 1U) == 0) continue;
              part[v / 64] ^= Word{1} << (v % 64);
              --left;
            }
            if (offer({gain_of(part, left), true, a, b})) best_set = part;
          }
        }
      }
      if (best.gain <= 0) return;
      if (best.is_new) {
        take_out(best_set);
      } else {
        add(best.to, best.from);
        flip(best.to, num_inputs_ + best.from);
        change(best.to);
      }
    }
  }

  /// A sum that is not in use, or kNone.
  std::size_t spare() const {
    for (std::size_t s = outputs_; s < sums_; ++s) {
      if (!in_use_[s]) return s;
    }
    return kNone;
  }

  void take_out(const std::vector<Word>& set) {
    const std::size_t made = spare();
    for (std::size_t s = 0; s < sums_; ++s) {
      if (!in_use_[s]) continue;
      bool has_all = true;
      for (std::size_t w = 0; w < words_ && has_all; ++w) has_all = (set[w] & ~row(s)[w]) == 0;
      if (!has_all) continue;
      for (std::size_t w = 0; w < words_; ++w) row(s)[w] ^= set[w];
      flip(s, num_inputs_ + made);
      change(s);
    }
    std::copy(set.begin(), set.end(), row(made));
    in_use_[made] = true;
    change(made);
  }

  /// Opens temporaries of one reader, of one operand, and those that cost no less than what they
  /// save.
  void tidy() {
    for (bool again = true; again;) {
      again = false;
      for (std::size_t s = outputs_; s < sums_; ++s) {
        if (!in_use_[s]) continue;
        const std::vector<std::size_t> all = readers(s);
        if (all.size() <= 1 || size_[s] <= 1) {
          open(s);
          again = true;
        }
      }
    }
  }

  std::size_t gate_inputs_;
  std::size_t most_depth_;
  std::size_t num_inputs_;
  std::size_t outputs_;
  std::size_t sums_ = 0;
  std::size_t words_ = 0;
  std::vector<Word> bits_;
  std::vector<std::size_t> size_;
  std::vector<bool> in_use_;
  std::vector<std::size_t> changed_;
  std::vector<bool> visited_;
};

/// Moves from the best sums on, at a heat that falls. Whether it came to its end.
bool walk(Sums& best, std::uint64_t moves, const GateSearch& search, Random& random) {
  Sums current = best;
  Sums next = best;
  long price = current.price();
  long lowest = price;
  for (std::uint64_t i = 0; i < moves; ++i) {
    if (search.stop_requested && search.stop_requested()) return false;
    next = current;
    next.move(random);
    const long found = next.price();
    const double left = 1.0 - static_cast<double>(i) / static_cast<double>(moves);
    const double chance = std::exp(static_cast<double>(price - found) / (kHeat * left + kCold));
    if (static_cast<double>(random() >> 11) * 0x1p-53 >= chance) continue;
    std::swap(current, next);
    price = found;
    if (price >= lowest) continue;
    lowest = price;
    best = current;
  }
  return true;
}

/// Each output of a program from the inputs alone.
Program direct_of(const Program& program) {
  const BitMatrix matrix = evaluate_symbolically(program);
  Program direct = program;
  direct.equations.clear();
  for (std::size_t o = 0; o < program.outputs.size(); ++o) {
    Equation equation{program.outputs[o], {}};
    for (const std::size_t column : matrix.ones(o)) {
      equation.operands.emplace_back(program.inputs[column]);
    }
    std::ranges::sort(equation.operands);
    direct.equations.push_back(std::move(equation));
  }
  return direct;
}

}  // namespace

Program search_gates(const Program& program, const GateSearch& search) {
  require_xors(program, "a search for few gates");
  const Program fused = fuse_wide(program, search.inputs);
  Sums best(fused, search);
  Random random(search.seed);
  const std::uint64_t usual = std::min(kManyMoves, kNormalLooks / best.looks_of_move());
  std::uint64_t left = search.is_endless   ? std::numeric_limits<std::uint64_t>::max()
                       : search.moves != 0 ? search.moves
                                           : usual;
  // Each round cools down, and takes twice as long as the one before.
  std::uint64_t round = std::max(usual, kFewMoves);
  if (search.depth != 0 && left >= kFewMoves) {
    // Few levels are nearer to sums that share nothing.
    Sums flat(direct_of(program), search);
    round = std::min(left, round);
    walk(flat, round, search, random);
    left -= std::min(left, round);
    if (flat.price() < best.price()) best = flat;
  }
  bool is_over = false;
  while (left >= kFewMoves && !is_over) {
    round = left / 2 < round ? left : round;
    is_over = !walk(best, round, search, random);
    left -= round;
    round *= 2;
  }
  Program result = best.program(program);
  prove(result, program);
  return result;
}

}  // namespace xorloom
