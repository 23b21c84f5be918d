#include "equations/passes/share_pairs.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace xorloom {
namespace {

using Value = Circuit::Value;

/// Values there may be, columns included, so that a table of 16-bit counts takes some 300 MB.
constexpr std::size_t kMostValues = 12'288;

/// How many rows have which two values in common, and which pair is the most common.
template <typename Count>
class PairCounts {
 public:
  PairCounts(std::size_t num_values, const std::vector<std::vector<Value>>& rows,
             std::size_t capacity)
      : capacity_(capacity),
        num_values_(num_values),
        row_words_((rows.size() + 63) / 64),
        counts_(capacity * capacity),
        most_(capacity),
        weights_(capacity),
        in_rows_(capacity * row_words_),
        rows_(rows.size()) {
    for (std::size_t r = 0; r < rows.size(); ++r) {
      for (const Value value : rows[r]) add(r, value);
    }
  }

  std::size_t num_values() const { return num_values_; }
  std::vector<std::vector<Value>> rows() && { return std::move(rows_); }

  struct Pair {
    Value a, b;
    std::size_t count;
  };

  /// A most common pair. Of several one whose values are in few rows besides: first the value that
  /// is in the fewest, then its partner. Random, if given, says which of those that are alike.
  Pair most_common(Random* random) {
    // A new value is in no more rows than its pair was, so the top never rises.
    for (;;) {
      const std::optional<Value> a = lightest(most_.data(), top_, random);
      if (!a) {
        if (top_ == 0) return {0, 0, 0};  // there are no values at all
        top_ = largest(most_.data());
        continue;
      }
      if (top_ < 2) return {*a, *a, top_};
      const Count* row = &counts_[*a * capacity_];
      if (const auto b = lightest(row, top_, random)) return {*a, *b, top_};
      most_[*a] = largest(row);  // it was in more rows once
    }
  }

  /// Takes a pair out of every row that has it and puts a new value in its place.
  void replace(const Pair& pair) {
    const auto sum = static_cast<Value>(num_values_++);
    for (std::size_t w = 0; w < row_words_; ++w) {
      std::uint64_t common = in_rows_[pair.a * row_words_ + w] & in_rows_[pair.b * row_words_ + w];
      for (; common != 0; common &= common - 1) {
        const std::size_t r = w * 64 + static_cast<std::size_t>(std::countr_zero(common));
        remove(r, pair.a);
        remove(r, pair.b);
        add(r, sum);
      }
    }
  }

 private:
  std::uint64_t bit_of(std::size_t row) const { return std::uint64_t{1} << (row % 64); }

  void add(std::size_t row, Value value) {
    for (const Value other : rows_[row]) {
      const Count count = ++counts_[value * capacity_ + other];
      counts_[other * capacity_ + value] = count;
      most_[value] = std::max(most_[value], count);
      most_[other] = std::max(most_[other], count);
    }
    rows_[row].push_back(value);
    ++weights_[value];
    in_rows_[value * row_words_ + row / 64] |= bit_of(row);
  }

  void remove(std::size_t row, Value value) {
    std::vector<Value>& values = rows_[row];
    values.erase(std::ranges::find(values, value));
    for (const Value other : values) {
      --counts_[value * capacity_ + other];
      --counts_[other * capacity_ + value];
    }
    --weights_[value];
    in_rows_[value * row_words_ + row / 64] &= ~bit_of(row);
  }

  Count largest(const Count* counts) const {
    Count most = 0;
    for (std::size_t i = 0; i < num_values_; ++i) most = std::max(most, counts[i]);
    return most;
  }

  /// Of the values with that count the one in the fewest rows, if there is one.
  std::optional<Value> lightest(const Count* counts, Count count, Random* random) const {
    return random == nullptr ? first_lightest(counts, count) : any_lightest(counts, count, *random);
  }

  std::optional<Value> first_lightest(const Count* counts, Count count) const {
    // Two plain loops, the first of which is a few vector instructions.
    constexpr Count kNotIt = std::numeric_limits<Count>::max();
    Count fewest = kNotIt;
    const Count* const weights = weights_.data();
    const std::size_t end = num_values_;
    for (std::size_t i = 0; i < end; ++i) {
      // With every bit set it is not it: compilers see no branch in this.
      const auto weight = static_cast<Count>(weights[i] | (counts[i] == count ? 0 : kNotIt));
      fewest = weight < fewest ? weight : fewest;
    }
    if (fewest == kNotIt) return std::nullopt;
    std::size_t i = 0;
    while (counts[i] != count || weights[i] != fewest) ++i;
    return static_cast<Value>(i);
  }

  std::optional<Value> any_lightest(const Count* counts, Count count, Random& random) const {
    std::optional<Value> chosen;
    std::uint32_t fewest = static_cast<std::uint32_t>(-1);
    std::uint32_t num_alike = 0;
    for (Value i = 0; i < num_values_; ++i) {
      if (counts[i] != count || weights_[i] > fewest) continue;
      if (weights_[i] < fewest) {
        num_alike = 0;
      } else if (random.below(num_alike + 1) != 0) {
        ++num_alike;
        continue;
      }
      ++num_alike;
      fewest = weights_[i];
      chosen = i;
    }
    return chosen;
  }

  Count top_ = std::numeric_limits<Count>::max();  ///< no pair is in more rows
  std::size_t capacity_;
  std::size_t num_values_;
  std::size_t row_words_;
  std::vector<Count> counts_;           ///< capacity x capacity, symmetric
  std::vector<Count> most_;             ///< the largest count of a value, or more
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
      weight += row.size();
    }
    for (const Element output : program.outputs) outputs.push_back(value[output]);
  }

  std::size_t num_inputs;
  std::size_t weight = 0;
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
Circuit share(const Sums& sums, Random* random) {
  // Each pair taken removes at least two operands.
  const std::size_t num_values = sums.num_inputs + sums.rows.size();
  const std::size_t capacity =
      std::max(num_values + 1, std::min(kMostValues, num_values + sums.weight / 2));
  if (num_values >= kMostValues) return Assembly(sums, {}, sums.rows).circuit;
  PairCounts<Count> counts(num_values, sums.rows, capacity);
  std::vector<Circuit::Gate> pairs;
  while (counts.num_values() < capacity) {
    const auto pair = counts.most_common(random);
    if (pair.count < 2) break;
    counts.replace(pair);
    pairs.push_back({pair.a, pair.b});
  }
  return Assembly(sums, std::move(pairs), std::move(counts).rows()).circuit;
}

}  // namespace

Circuit share_pairs(const Program& program, Random* random) {
  require_xors(program, "sharing pairs");
  const Sums sums(program);
  return sums.rows.size() < std::numeric_limits<std::uint8_t>::max()
             ? share<std::uint8_t>(sums, random)
             : share<std::uint16_t>(sums, random);
}

}  // namespace xorloom
