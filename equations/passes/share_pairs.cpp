#include "equations/passes/share_pairs.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "equations/ir/stop_check.hpp"

namespace xorloom {
namespace {

using Value = Circuit::Value;

/// Values there may be, columns included: the time grows with their square.
constexpr std::size_t kMostValues = 12'288;

/// Values that are looked at between questions whether to stop: a fraction of a millisecond.
constexpr std::size_t kLooksAtOnce = std::size_t{1} << 18;

/// Rows of values, and which pair of values is the most common in them.
///
/// No table has the counts of all pairs: it would not fit the caches, and each row that changes
/// would change entries all over it. Those of one value are counted when they are asked for.
template <typename Count>
class PairCounts {
 public:
  /// Random, if given, says which of those pairs that are alike is the most common.
  PairCounts(std::size_t num_values, const std::vector<std::vector<Value>>& rows, Random* random,
             const std::function<bool()>& stop_requested)
      : random_(random),
        stop_(stop_requested, kLooksAtOnce),
        num_values_(num_values),
        row_words_((rows.size() + 63) / 64),
        counts_(num_values),
        most_(num_values),
        weights_(num_values),
        in_rows_(num_values * row_words_),
        rows_(rows) {
    for (std::size_t r = 0; r < rows.size(); ++r) {
      for (const Value value : rows[r]) {
        ++weights_[value];
        in_rows_[value * row_words_ + r / 64] |= bit_of(r);
      }
    }
    for (Value value = 0; value < num_values && !is_stopped(); ++value) {
      most_[value] = largest(counts_with(value));
    }
  }

  std::size_t num_values() const { return num_values_; }
  std::vector<std::vector<Value>> rows() && { return std::move(rows_); }

  struct Pair {
    Value a, b;
    std::size_t count;
  };

  /// A most common pair. Of several one whose values are in few rows besides: first the value that
  /// is in the fewest, then its partner. One of count 0 once a stop is requested.
  Pair most_common() {
    // A new value is in no more rows than its pair was, so the top never rises.
    while (!is_stopped()) {
      const std::optional<Value> a = lightest(most_.data(), top_);
      if (!a) {
        if (top_ == 0) return {0, 0, 0};  // there are no values at all
        top_ = largest(most_.data());
        continue;
      }
      if (top_ < 2) return {*a, *a, top_};
      const Count* const counts = counts_with(*a);
      if (const auto b = lightest(counts, top_)) return {*a, *b, top_};
      most_[*a] = largest(counts);  // it was in more rows once
    }
    return {0, 0, 0};
  }

  /// Takes a pair out of every row that has it and puts a new value in its place.
  void replace(const Pair& pair) {
    const auto sum = static_cast<Value>(num_values_++);
    counts_.push_back(0);
    most_.push_back(0);
    weights_.push_back(0);
    in_rows_.resize(num_values_ * row_words_);
    for (std::size_t w = 0; w < row_words_; ++w) {
      std::uint64_t& in_rows_of_a = in_rows_[pair.a * row_words_ + w];
      std::uint64_t& in_rows_of_b = in_rows_[pair.b * row_words_ + w];
      const std::uint64_t common = in_rows_of_a & in_rows_of_b;
      for (std::uint64_t left = common; left != 0; left &= left - 1) {
        std::vector<Value>& row = rows_[w * 64 + static_cast<std::size_t>(std::countr_zero(left))];
        row.erase(std::ranges::find(row, pair.a));
        row.erase(std::ranges::find(row, pair.b));
        row.push_back(sum);
      }
      const auto number = static_cast<Count>(std::popcount(common));
      weights_[pair.a] -= number;
      weights_[pair.b] -= number;
      weights_[sum] += number;
      in_rows_of_a ^= common;
      in_rows_of_b ^= common;
      in_rows_[sum * row_words_ + w] = common;
    }
    const Count* const counts = counts_with(sum);
    Count* const most = most_.data();
    for (std::size_t i = 0; i < num_values_; ++i) most[i] = std::max(most[i], counts[i]);
    most[sum] = largest(counts);
    if (random_ != nullptr) return;  // how often it is asked would change
    for (const Value value : {pair.a, pair.b}) most[value] = std::min(most[value], weights_[value]);
  }

 private:
  /// Whether to stop. It is asked once for each pass over the values.
  bool is_stopped() { return stop_.after(num_values_); }

  static std::uint64_t bit_of(std::size_t row) { return std::uint64_t{1} << (row % 64); }

  /// By value: the rows that have it and a given one. It stands until the next is asked for.
  const Count* counts_with(Value value) {
    Count* const counts = counts_.data();
    std::fill_n(counts, num_values_, Count{0});
    for (std::size_t w = 0; w < row_words_; ++w) {
      for (std::uint64_t left = in_rows_[value * row_words_ + w]; left != 0; left &= left - 1) {
        const auto r = w * 64 + static_cast<std::size_t>(std::countr_zero(left));
        for (const Value other : rows_[r]) ++counts[other];
      }
    }
    counts[value] = 0;
    return counts;
  }

  Count largest(const Count* counts) const {
    Count most = 0;
    for (std::size_t i = 0; i < num_values_; ++i) most = std::max(most, counts[i]);
    return most;
  }

  static constexpr Count kNone = std::numeric_limits<Count>::max();
  static constexpr std::size_t kBlock = 64;

  /// Of a block of values with that count, the fewest rows that one is in, or kNone. A few vector
  /// instructions, so that most values are never looked at alone.
  Count fewest_rows(const Count* counts, Count count, std::size_t block) const {
    const Count* const weights = weights_.data();
    const std::size_t end = std::min(block + kBlock, num_values_);
    Count fewest = kNone;
    for (std::size_t i = block; i < end; ++i) {
      // With every bit set it is not it: compilers see no branch in this.
      const auto weight = static_cast<Count>(weights[i] | (counts[i] == count ? 0 : kNone));
      fewest = weight < fewest ? weight : fewest;
    }
    return fewest;
  }

  /// Of the values with that count the one in the fewest rows, if there is one. Of those alike the
  /// first, or with random given, any.
  std::optional<Value> lightest(const Count* counts, Count count) const {
    std::optional<Value> chosen;
    Count fewest = kNone;
    std::uint32_t num_alike = 0;
    for (std::size_t block = 0; block < num_values_; block += kBlock) {
      const Count those = fewest_rows(counts, count, block);
      if (those == kNone || those > fewest || (those == fewest && random_ == nullptr)) continue;
      const std::size_t end = std::min(block + kBlock, num_values_);
      for (std::size_t i = block; i < end; ++i) {
        if (counts[i] != count || weights_[i] > fewest) continue;
        if (weights_[i] < fewest) {
          num_alike = 0;
        } else if (random_ == nullptr || random_->below(num_alike + 1) != 0) {
          ++num_alike;
          continue;
        }
        ++num_alike;
        fewest = weights_[i];
        chosen = static_cast<Value>(i);
      }
    }
    return chosen;
  }

  Random* random_;
  StopCheck stop_;
  Count top_ = std::numeric_limits<Count>::max();  ///< no pair is in more rows
  std::size_t num_values_;
  std::size_t row_words_;
  std::vector<Count> counts_;           ///< of the value that was asked for
  std::vector<Count> most_;             ///< by value: the largest of its counts, or more
  std::vector<Count> weights_;          ///< by value: rows that have it
  std::vector<std::uint64_t> in_rows_;  ///< by value: the rows that have it
  std::vector<std::vector<Value>> rows_;
};

/// The sums of a program: value i is input i, then come its equations.
struct Sums {
  explicit Sums(const Program& program) : num_inputs(program.inputs.size()) {
    std::vector<Value> value(program.end_of_elements());
    Value next = 0;
    for (const Element input : program.inputs) value[input] = next++;
    for (const Equation& equation : program.equations) value[equation.target] = next++;
    for (const Equation& equation : program.equations) {
      std::vector<Value>& row = rows.emplace_back();
      row.reserve(equation.operands.size());
      for (const Element operand : equation.operands) row.push_back(value[operand]);
    }
    for (const Element output : program.outputs) outputs.push_back(value[output]);
  }

  std::size_t num_inputs;
  std::vector<std::vector<Value>> rows;
  std::vector<Value> outputs;
};

/// Writes pairs and what is left of the rows as gates, each after those it reads.
class Assembly {
 public:
  Assembly(const Sums& sums, std::vector<Circuit::Gate> pairs, std::vector<std::vector<Value>> rows)
      : first_pair_(static_cast<Value>(sums.num_inputs + rows.size())),
        pairs_(std::move(pairs)),
        rows_(std::move(rows)),
        known_(first_pair_ + pairs_.size(), kUnknown) {
    circuit.inputs = sums.num_inputs;
    for (const Value output : sums.outputs) circuit.outputs.push_back(value_of(output));
  }

  Circuit circuit;

 private:
  static constexpr Value kUnknown = Circuit::kZero - 1;

  Value value_of(Value value) {
    if (value < circuit.inputs) return value;
    if (known_[value] == kUnknown) {
      known_[value] = value < first_pair_ ? sum_of(rows_[value - circuit.inputs])
                                          : sum_of(pairs_[value - first_pair_]);
    }
    return known_[value];
  }

  Value sum_of(const Circuit::Gate& pair) {
    const Value a = value_of(pair[0]);
    const Value b = value_of(pair[1]);
    if (a == Circuit::kZero) return b;
    return b == Circuit::kZero ? a : circuit.add(a, b);
  }

  /// A balanced tree.
  Value sum_of(const std::vector<Value>& values) {
    std::vector<Value> sums;
    sums.reserve(2 * values.size());
    for (const Value value : values) {
      const Value known = value_of(value);
      if (known != Circuit::kZero) sums.push_back(known);
    }
    for (std::size_t i = 0; i + 1 < sums.size(); i += 2) {
      sums.push_back(circuit.add(sums[i], sums[i + 1]));
    }
    return sums.empty() ? Circuit::kZero : sums.back();
  }

  Value first_pair_;
  std::vector<Circuit::Gate> pairs_;
  std::vector<std::vector<Value>> rows_;
  std::vector<Value> known_;
};

template <typename Count>
Circuit share(const Sums& sums, Random* random, const std::function<bool()>& stop_requested) {
  const std::size_t num_values = sums.num_inputs + sums.rows.size();
  if (num_values >= kMostValues) return Assembly(sums, {}, sums.rows).circuit;
  PairCounts<Count> counts(num_values, sums.rows, random, stop_requested);
  std::vector<Circuit::Gate> pairs;
  while (counts.num_values() < kMostValues) {
    const auto pair = counts.most_common();
    if (pair.count < 2) break;
    counts.replace(pair);
    pairs.push_back({pair.a, pair.b});
  }
  return Assembly(sums, std::move(pairs), std::move(counts).rows()).circuit;
}

/// Terms of two elements, a < b, whose coefficients stand in a ratio: that of b divided by that of
/// a.
struct TermPair {
  Element a;
  Element b;
  Field::Symbol ratio;

  friend auto operator<=>(const TermPair&, const TermPair&) = default;
};

struct TermPairHash {
  std::size_t operator()(const TermPair& pair) const {
    std::uint64_t hash = std::uint64_t{pair.a} << 32 | pair.b;
    hash = (hash ^ (std::uint64_t{pair.ratio} << 24)) * 0x9e3779b97f4a7c15;
    return static_cast<std::size_t>(hash ^ (hash >> 29));
  }
};

/// Where a pair stands: in how many equations, and in how many of them a, and b, is multiplied.
struct Uses {
  std::size_t equations = 0;
  std::size_t scaled_a = 0;
  std::size_t scaled_b = 0;
};

/// The XORs and multiplications that computing a pair once saves: it takes one XOR, and where the
/// ratio is not 1 a multiplication, of whichever of the two spares more in the equations.
std::size_t saving(const TermPair& pair, const Uses& uses) {
  if (uses.equations < 2) return 0;
  const std::size_t saved = uses.equations - 1 + std::max(uses.scaled_a, uses.scaled_b);
  return saved - (pair.ratio != 1 ? 1 : 0);
}

class Sharing {
 public:
  explicit Sharing(const Program& program)
      : program_(program), readers_(program.end_of_elements()) {
    for (std::size_t e = 0; e < program_.equations.size(); ++e) {
      const std::vector<Operand> operands = std::exchange(program_.equations[e].operands, {});
      for (const Operand& operand : operands) add(e, operand);
    }
    for (const auto& [pair, uses] : uses_) queue_.emplace(saving(pair, uses), pair);
  }

  Program shared() {
    while (!queue_.empty()) {
      const auto [claimed, pair] = queue_.top();
      queue_.pop();
      const auto found = uses_.find(pair);
      const std::size_t now = found == uses_.end() ? 0 : saving(pair, found->second);
      if (now == 0) continue;
      if (now == claimed) {
        replace(pair, found->second);
      } else if (now < claimed) {
        queue_.emplace(now, pair);  // an equation that had it has it no more
      }
    }
    for (Equation& sum : sums_) program_.equations.push_back(std::move(sum));
    sort_equations(program_);
    return std::move(program_);
  }

 private:
  TermPair pair_of(const Operand& x, const Operand& y) const {
    const auto [a, b] = std::minmax(x, y);
    return {a.element, b.element, program_.field.divide(b.coefficient, a.coefficient)};
  }

  void count(const Operand& x, const Operand& y, bool is_more) {
    const auto [a, b] = std::minmax(x, y);
    Uses& uses = uses_[pair_of(a, b)];
    const auto change = [&](std::size_t& number, bool applies) {
      if (applies) number = is_more ? number + 1 : number - 1;
    };
    change(uses.equations, true);
    change(uses.scaled_a, a.coefficient != 1);
    change(uses.scaled_b, b.coefficient != 1);
  }

  void add(std::size_t equation, const Operand& operand) {
    std::vector<Operand>& operands = program_.equations[equation].operands;
    for (const Operand& other : operands) count(operand, other, true);
    operands.push_back(operand);
    readers_[operand].push_back(equation);
  }

  void remove(std::size_t equation, Element element) {
    std::vector<Operand>& operands = program_.equations[equation].operands;
    const auto place = std::ranges::find(operands, element, &Operand::element);
    const Operand operand = *place;
    operands.erase(place);
    for (const Operand& other : operands) count(operand, other, false);
  }

  /// The coefficient of an element in an equation, 0 if it does not read it.
  Field::Symbol coefficient(std::size_t equation, Element element) const {
    const std::vector<Operand>& operands = program_.equations[equation].operands;
    const auto place = std::ranges::find(operands, element, &Operand::element);
    return place == operands.end() ? 0 : place->coefficient;
  }

  void replace(const TermPair& pair, const Uses& uses) {
    const Field& field = program_.field;
    const bool scales_b = uses.scaled_b >= uses.scaled_a;
    const auto sum = static_cast<Element>(readers_.size());
    readers_.emplace_back();
    sums_.push_back(
        {sum, scales_b ? std::vector<Operand>{{pair.a}, {pair.b, pair.ratio}}
                       : std::vector<Operand>{{pair.a, field.invert(pair.ratio)}, {pair.b}}});
    // The list of readers keeps those that read it no more.
    const bool a_is_rarer = readers_[pair.a].size() <= readers_[pair.b].size();
    const std::vector<std::size_t> readers = readers_[a_is_rarer ? pair.a : pair.b];
    for (const std::size_t equation : readers) {
      const Field::Symbol of_a = coefficient(equation, pair.a);
      const Field::Symbol of_b = coefficient(equation, pair.b);
      if (of_a == 0 || of_b != field.multiply(of_a, pair.ratio)) continue;
      remove(equation, pair.a);
      remove(equation, pair.b);
      const Operand term(sum, scales_b ? of_a : of_b);
      add(equation, term);
      for (const Operand& other : program_.equations[equation].operands) {
        if (other.element != sum) push(other, term);
      }
    }
  }

  void push(const Operand& x, const Operand& y) {
    const TermPair pair = pair_of(x, y);
    const std::size_t saved = saving(pair, uses_[pair]);
    if (saved != 0) queue_.emplace(saved, pair);
  }

  /// The largest saving first; of equal ones the pair of the smallest elements.
  struct Later {
    bool operator()(const std::pair<std::size_t, TermPair>& x,
                    const std::pair<std::size_t, TermPair>& y) const {
      return std::tie(x.first, y.second) < std::tie(y.first, x.second);
    }
  };

  Program program_;
  std::vector<Equation> sums_;
  std::vector<std::vector<std::size_t>> readers_;  ///< by element; may name an equation twice
  std::unordered_map<TermPair, Uses, TermPairHash> uses_;
  std::priority_queue<std::pair<std::size_t, TermPair>,
                      std::vector<std::pair<std::size_t, TermPair>>, Later>
      queue_;
};

}  // namespace

Circuit share_pairs(const Program& program, Random* random,
                    const std::function<bool()>& stop_requested) {
  require_xors(program, "sharing pairs");
  const Sums sums(program);
  return sums.rows.size() < std::numeric_limits<std::uint8_t>::max()
             ? share<std::uint8_t>(sums, random, stop_requested)
             : share<std::uint16_t>(sums, random, stop_requested);
}

Program share_terms(const Program& program) {
  std::size_t pairs = 0;
  for (const Equation& equation : program.equations) {
    pairs += equation.operands.size() * equation.operands.size() / 2;
  }
  return pairs > kMostTermPairs ? program : Sharing(program).shared();
}

}  // namespace xorloom
