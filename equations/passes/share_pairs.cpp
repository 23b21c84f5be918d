#include "equations/passes/share_pairs.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "equations/ir/stop_check.hpp"

namespace xorloom {
namespace {

using Value = Circuit::Value;

/// Most values, columns included, since the time grows with their square.
constexpr std::size_t kMostValues = 12'288;

/// Values looked at between two calls of stop_requested: a fraction of a millisecond.
constexpr std::size_t kLooksAtOnce = std::size_t{1} << 18;

/// Rows of values, and the pair of values that the most rows contain.
///
/// There is no table of the counts of all pairs: it would not fit the caches, and each changed row
/// would change entries all over it. The counts of one value are computed on demand.
template <typename Count>
class PairCounts {
 public:
  /// `random`, if not null, decides between equally common pairs. `depth`: levels of XORs in which
  /// each row has to be added up; 0: any number.
  PairCounts(std::size_t num_values, const std::vector<std::vector<Value>>& rows, Random* random,
             const std::function<bool()>& stop_requested, std::size_t depth)
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
    if (depth != 0) {
      const std::uint64_t all = std::uint64_t{1} << std::min(depth, kMostDepth);
      widths_.assign(num_values, 1);
      for (const std::vector<Value>& row : rows) room_.push_back(all - row.size());
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

  /// A most common pair. Of several, one with the value that is in the fewest rows, then the
  /// partner that is in the fewest. Its count is 0 once a stop is requested.
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
      most_[*a] = largest(counts);  // most_ was only an upper bound
    }
    return {0, 0, 0};
  }

  /// Replaces a pair by a new value in every row that contains it.
  void replace(const Pair& pair) {
    const auto sum = static_cast<Value>(num_values_++);
    counts_.push_back(0);
    most_.push_back(0);
    weights_.push_back(0);
    in_rows_.resize(num_values_ * row_words_);
    if (is_bounded()) widths_.push_back(2 * std::max(widths_[pair.a], widths_[pair.b]));
    for (std::size_t w = 0; w < row_words_; ++w) {
      std::uint64_t& in_rows_of_a = in_rows_[pair.a * row_words_ + w];
      std::uint64_t& in_rows_of_b = in_rows_[pair.b * row_words_ + w];
      std::uint64_t common = in_rows_of_a & in_rows_of_b;
      if (is_bounded()) common &= take_room(w, common, pair);
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
    if (random_ != nullptr) return;  // a tighter bound would change the number of draws
    for (const Value value : {pair.a, pair.b}) most[value] = std::min(most[value], weights_[value]);
  }

 private:
  /// True if a stop is requested. Called once per pass over the values.
  bool is_stopped() { return stop_.after(num_values_); }

  static std::uint64_t bit_of(std::size_t row) { return std::uint64_t{1} << (row % 64); }

  bool is_bounded() const { return !room_.empty(); }

  /// The room of a row that a pair takes: the difference of the widths of its values.
  std::uint64_t room_of(Value a, Value b) const {
    return std::max(widths_[a], widths_[b]) - std::min(widths_[a], widths_[b]);
  }

  /// Returns the rows of the mask `rows` that have room for the pair, and takes the room from them.
  std::uint64_t take_room(std::size_t word, std::uint64_t rows, const Pair& pair) {
    const std::uint64_t taken = room_of(pair.a, pair.b);
    std::uint64_t with_room = 0;
    for (std::uint64_t left = rows; left != 0; left &= left - 1) {
      std::uint64_t& room = room_[word * 64 + static_cast<std::size_t>(std::countr_zero(left))];
      if (room < taken) continue;
      room -= taken;
      with_room |= left & -left;
    }
    return with_room;
  }

  /// By value: number of rows that contain it and `value`, with room for the pair. Valid until the
  /// next call.
  const Count* counts_with(Value value) {
    Count* const counts = counts_.data();
    std::fill_n(counts, num_values_, Count{0});
    for (std::size_t w = 0; w < row_words_; ++w) {
      for (std::uint64_t left = in_rows_[value * row_words_ + w]; left != 0; left &= left - 1) {
        const auto r = w * 64 + static_cast<std::size_t>(std::countr_zero(left));
        if (!is_bounded()) {
          for (const Value other : rows_[r]) ++counts[other];
        } else {
          for (const Value other : rows_[r]) {
            if (room_of(value, other) <= room_[r]) ++counts[other];
          }
        }
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

  /// The lowest weight of a value of count `count` in a block; kNone if there is none. Takes a few
  /// vector instructions, so that most values are never looked at one by one.
  Count fewest_rows(const Count* counts, Count count, std::size_t block) const {
    const Count* const weights = weights_.data();
    const std::size_t end = std::min(block + kBlock, num_values_);
    Count fewest = kNone;
    for (std::size_t i = block; i < end; ++i) {
      // Other counts set every bit, so that compilers see no branch.
      const auto weight = static_cast<Count>(weights[i] | (counts[i] == count ? 0 : kNone));
      fewest = weight < fewest ? weight : fewest;
    }
    return fewest;
  }

  /// The value of count `count` that is in the fewest rows; nullopt if there is none. Of equal ones
  /// the first, or with random_ any.
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
  Count top_ = std::numeric_limits<Count>::max();  ///< upper bound of the count of any pair
  std::size_t num_values_;
  std::size_t row_words_;
  std::vector<Count> counts_;           ///< counts of the value asked for last
  std::vector<Count> most_;             ///< by value: upper bound of its counts
  std::vector<Count> weights_;          ///< by value: rows that have it
  std::vector<std::uint64_t> in_rows_;  ///< by value: the rows that have it
  std::vector<std::vector<Value>> rows_;

  // With a bounded depth, a value of level l has width 2^l, and the widths of a row add up to at
  // most 2^depth (Kraft's inequality). A pair has twice the width of its wider value.
  static constexpr std::size_t kMostDepth = 62;
  std::vector<std::uint64_t> widths_;  ///< by value
  std::vector<std::uint64_t> room_;    ///< by row: width left
};

/// The sums of a program. Value i is input i; equations follow.
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

/// Writes pairs and the rest of the rows as gates, each after those it reads.
class Assembly {
 public:
  Assembly(const Sums& sums, std::vector<Circuit::Gate> pairs, std::vector<std::vector<Value>> rows,
           bool is_bounded)
      : is_bounded_(is_bounded),
        first_pair_(static_cast<Value>(sums.num_inputs + rows.size())),
        pairs_(std::move(pairs)),
        rows_(std::move(rows)),
        known_(first_pair_ + pairs_.size(), kUnknown),
        levels_(sums.num_inputs, 0) {
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
    return b == Circuit::kZero ? a : add(a, b);
  }

  Value add(Value a, Value b) {
    levels_.push_back(std::max(levels_[a], levels_[b]) + 1);
    return circuit.add(a, b);
  }

  /// A balanced tree. With a bounded depth, values of the lowest levels are added first, which
  /// gives the least depth.
  Value sum_of(const std::vector<Value>& values) {
    std::vector<Value> sums;
    sums.reserve(2 * values.size());
    for (const Value value : values) {
      const Value known = value_of(value);
      if (known != Circuit::kZero) sums.push_back(known);
    }
    const auto is_lower = [&](Value a, Value b) { return levels_[a] < levels_[b]; };
    if (is_bounded_) std::ranges::stable_sort(sums, is_lower);
    for (std::size_t i = 0; i + 1 < sums.size(); i += 2) {
      const Value sum = add(sums[i], sums[i + 1]);
      const auto next = sums.begin() + static_cast<std::ptrdiff_t>(i) + 2;
      sums.insert(is_bounded_ ? std::upper_bound(next, sums.end(), sum, is_lower) : sums.end(),
                  sum);
    }
    return sums.empty() ? Circuit::kZero : sums.back();
  }

  bool is_bounded_;  ///< the depth is
  Value first_pair_;
  std::vector<Circuit::Gate> pairs_;
  std::vector<std::vector<Value>> rows_;
  std::vector<Value> known_;
  std::vector<std::size_t> levels_;  ///< by value of the circuit
};

template <typename Count>
Circuit share(const Sums& sums, Random* random, const std::function<bool()>& stop_requested,
              std::size_t depth) {
  const std::size_t num_values = sums.num_inputs + sums.rows.size();
  if (num_values >= kMostValues) return Assembly(sums, {}, sums.rows, depth != 0).circuit;
  PairCounts<Count> counts(num_values, sums.rows, random, stop_requested, depth);
  std::vector<Circuit::Gate> pairs;
  while (counts.num_values() < kMostValues) {
    const auto pair = counts.most_common();
    if (pair.count < 2) break;
    counts.replace(pair);
    pairs.push_back({pair.a, pair.b});
  }
  return Assembly(sums, std::move(pairs), std::move(counts).rows(), depth != 0).circuit;
}

}  // namespace

Circuit share_pairs(const Program& program, Random* random,
                    const std::function<bool()>& stop_requested, std::size_t depth) {
  require_xors(program, "sharing pairs");
  const Sums sums(program);
  return sums.rows.size() < std::numeric_limits<std::uint8_t>::max()
             ? share<std::uint8_t>(sums, random, stop_requested, depth)
             : share<std::uint16_t>(sums, random, stop_requested, depth);
}

}  // namespace xorloom
