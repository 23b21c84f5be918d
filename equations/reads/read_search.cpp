#include "equations/reads/read_search.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <utility>

#include "equations/ir/annealing_rule.hpp"
#include "equations/ir/random.hpp"

namespace xorloom {
namespace {

using Words = std::vector<std::uint64_t>;
using Symbol = Field::Symbol;

/// Most words or symbols read to try all sets: a tenth of a second.
constexpr std::size_t kMostTriedWork = std::size_t{1} << 26;

/// Work of an annealing step apart from its rows, in words.
constexpr std::size_t kWorkOfStep = 8;

/// The rows of the targets, with the free rows below.
Matrix all_rows(const SolvedChecks& checks) {
  const std::size_t targets = checks.rows.rows();
  return matrix_of(targets + checks.free_rows.rows(), checks.sources.size(),
                   [&](std::size_t row, std::size_t column) {
                     return row < targets ? checks.rows(row, column)
                                          : checks.free_rows(row - targets, column);
                   });
}

/// Adds the nonzero columns of (row + scale · row `by`) to `set`. Returns their number.
std::size_t add_columns(const Field&, const BitMatrix& rows, std::size_t row, Symbol scale,
                        std::size_t by, Words& set) {
  const std::uint64_t added = scale != 0 ? ~std::uint64_t{0} : 0;
  const auto own = rows.row(row);
  const auto other = rows.row(by);
  std::size_t count = 0;
  for (std::size_t i = 0; i < set.size(); ++i) {
    const std::uint64_t word = own[i] ^ (other[i] & added);
    set[i] |= word;
    count += static_cast<std::size_t>(std::popcount(word));
  }
  return count;
}

std::size_t add_columns(const Field& field, const Matrix& rows, std::size_t row, Symbol scale,
                        std::size_t by, Words& set) {
  std::size_t count = 0;
  for (std::size_t c = 0; c < rows.columns(); ++c) {
    if ((rows(row, c) ^ field.multiply(scale, rows(by, c))) == 0) continue;
    set[c / 64] |= std::uint64_t{1} << c % 64;
    ++count;
  }
  return count;
}

/// Computes the cost of a set of columns, by classes of equal weight.
class Weights {
 public:
  explicit Weights(const std::vector<std::uint64_t>& weights) : columns_(weights.size()) {
    std::map<std::uint64_t, Words> classes;
    for (std::size_t c = 0; c < columns_; ++c) {
      Words& set = classes[weights[c]];
      set.resize((columns_ + 63) / 64);
      set[c / 64] |= std::uint64_t{1} << c % 64;
    }
    classes_.assign(classes.begin(), classes.end());
  }

  std::uint64_t cost(const Words& set) const {
    std::uint64_t sum = 0;
    for (const auto& [weight, columns] : classes_) {
      std::uint64_t count = 0;
      for (std::size_t i = 0; i < set.size(); ++i) {
        count += static_cast<std::uint64_t>(std::popcount(set[i] & columns[i]));
      }
      sum += weight * count;
    }
    return sum;
  }

  Words none() const { return Words((columns_ + 63) / 64); }

 private:
  std::size_t columns_;
  std::vector<std::pair<std::uint64_t, Words>> classes_;
};

struct Score {
  std::uint64_t cost = ~std::uint64_t{0};
  std::size_t terms = 0;
  auto operator<=>(const Score&) const = default;
};

/// Rows: Matrix, or over GF(2) BitMatrix.
template <typename Rows>
class Searching {
 public:
  Searching(const Field& field, const SolvedChecks& checks, Rows start, const ReadSearch& search)
      : field_(field),
        search_(search),
        weights_(search.weights),
        targets_(checks.rows.rows()),
        columns_(checks.sources.size()),
        start_(std::move(start)),
        best_(start_) {}

  FoundReads run() {
    for (const auto& kept : search_.keep) consider_start(order_outside(kept));
    consider_start(order_outside({}));
    const bool tries_all = !is_least() && search_.work != 0 &&
                           sets_at_most(std::min(kMostReadSets, kMostTriedWork / work_of_set()));
    if (tries_all) {
      try_all();
    } else if (!is_least() && search_.work != 0) {
      anneal();
    }
    return {matrix_of(targets_, columns_, best_), best_score_.cost, tries_all || is_least()};
  }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};

  bool is_least() const { return best_score_.cost <= search_.least; }

  std::size_t free_rows() const { return start_.rows() - targets_; }

  Score score(const Rows& rows) const {
    Words read = weights_.none();
    std::size_t terms = 0;
    for (std::size_t row = 0; row < targets_; ++row) {
      terms += add_columns(field_, rows, row, 0, row, read);
    }
    return {weights_.cost(read), terms};
  }

  void keep(const Rows& rows, const Score& score) {
    if (score >= best_score_) return;
    best_score_ = score;
    best_ = rows;
  }

  /// All columns in the order in which to leave them unread: those outside `kept` first, dear ones
  /// before cheap ones.
  std::vector<std::size_t> order_outside(const std::vector<std::size_t>& kept) const {
    std::vector<std::size_t> order(columns_);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::vector<bool> is_kept(columns_);
    for (const std::size_t column : kept) is_kept[column] = true;
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
      if (is_kept[a] != is_kept[b]) return !is_kept[a];
      if (search_.weights[a] != search_.weights[b]) return search_.weights[a] > search_.weights[b];
      return a > b;
    });
    return order;
  }

  /// Solves the free rows for the first columns of `order` that they can be solved for, and keeps
  /// the result if it is the best.
  void consider_start(const std::vector<std::size_t>& order) {
    Rows rows = start_;
    std::vector<std::size_t> pivots(free_rows(), kNone);
    std::size_t done = 0;
    for (const std::size_t column : order) {
      if (done == pivots.size()) break;
      std::size_t free = 0;
      while (free < pivots.size() &&
             (pivots[free] != kNone || rows(targets_ + free, column) == 0)) {
        ++free;
      }
      if (free == pivots.size()) continue;
      solve(rows, free, column);
      pivots[free] = column;
      ++done;
    }
    const Score found = score(rows);
    if (found < best_score_ || pivots_.empty()) {
      keep(rows, found);
      rows_ = std::move(rows);
      pivots_ = std::move(pivots);
    }
  }

  void solve(Rows& rows, std::size_t free, std::size_t column) const {
    const std::size_t by = targets_ + free;
    for (std::size_t row = 0; row < rows.rows(); ++row) {
      if (row != by) add_row(field_, rows, row, factor(rows, row, column, by), by);
    }
  }

  /// The multiple of row `by` that clears `column` in `row`. Precondition: row `by` has the column.
  Symbol factor(const Rows& rows, std::size_t row, std::size_t column, std::size_t by) const {
    const Symbol own = rows(row, column);
    const Symbol pivot = rows(by, column);
    return own == 0 || pivot == 1 ? own : field_.divide(own, pivot);
  }

  std::size_t row_work() const { return start_.row(0).size(); }

  /// Mean work of trying a set: solving for a column, times the nodes of the search tree per set.
  std::size_t work_of_set() const {
    const std::size_t work_of_column = start_.rows() * row_work() + kWorkOfStep;
    return work_of_column * (columns_ + 1) / (columns_ + 1 - free_rows());
  }

  /// True if there are at most `most` ways to choose free_rows() columns.
  bool sets_at_most(std::size_t most) const {
    std::size_t sets = 1;
    for (std::size_t i = 1; i <= free_rows(); ++i) {
      sets = sets * (columns_ - free_rows() + i) / i;
      if (sets > most) return false;
    }
    return true;
  }

  /// Tries every set of unread columns, dear ones first. Skips sets whose read columns already cost
  /// more than the best.
  void try_all() {
    std::vector<std::size_t> left(free_rows());
    std::iota(left.begin(), left.end(), std::size_t{0});
    go_on(start_, left, order_outside({}), 0, 0);
  }

  void go_on(const Rows& rows, const std::vector<std::size_t>& left,
             const std::vector<std::size_t>& order, std::size_t next, std::uint64_t cost) {
    for (; next < order.size() && cost <= best_score_.cost; ++next) {
      if (left.empty()) return keep(rows, score(rows));
      const std::size_t column = order[next];
      const auto solved = std::ranges::find_if(
          left, [&](std::size_t free) { return rows(targets_ + free, column) != 0; });
      if (solved == left.end()) {  // no choice: the column is read if the targets need it
        bool is_read = false;
        for (std::size_t row = 0; row < targets_; ++row) is_read |= rows(row, column) != 0;
        if (is_read) cost += search_.weights[column];
        continue;
      }
      std::vector<std::size_t> fewer = left;
      std::erase(fewer, *solved);
      Rows without = rows;
      solve(without, *solved, column);
      go_on(without, fewer, order, next + 1, cost);
      cost += search_.weights[column];
    }
    if (left.empty() && cost <= best_score_.cost) keep(rows, score(rows));
  }

  void anneal() {
    if (pivots_.empty()) return;
    // Energy in units of 1/5: a term counts as a fifth of the mean weight. The temperature is one
    // mean weight.
    const std::uint64_t unit = std::max<std::uint64_t>(1, mean_weight());
    const std::uint64_t temperature = 5 * unit * kAnnealingUnit;
    const auto energy = [&](const Score& s) {
      return static_cast<std::int64_t>(5 * s.cost + unit * s.terms);
    };
    Random random(1);
    Score now = score(rows_);
    Words read = weights_.none();
    const std::uint64_t steps = search_.work / (targets_ * row_work() + kWorkOfStep);
    for (std::uint64_t step = 0; step < steps; ++step) {
      const std::size_t free = random.below(static_cast<std::uint32_t>(pivots_.size()));
      const std::size_t column = random.below(static_cast<std::uint32_t>(columns_));
      const std::size_t by = targets_ + free;
      if (column == pivots_[free] || rows_(by, column) == 0) continue;
      std::ranges::fill(read, std::uint64_t{0});
      Score next{0, 0};
      for (std::size_t row = 0; row < targets_; ++row) {
        next.terms += add_columns(field_, rows_, row, factor(rows_, row, column, by), by, read);
      }
      next.cost = weights_.cost(read);
      const std::int64_t rise = energy(next) - energy(now);
      if (rise > 0 && !stays(rise, temperature, random())) continue;
      solve(rows_, free, column);
      pivots_[free] = column;
      now = next;
      keep(rows_, now);
      if (is_least()) return;
    }
  }

  std::uint64_t mean_weight() const {
    return std::accumulate(search_.weights.begin(), search_.weights.end(), std::uint64_t{0}) /
           columns_;
  }

  const Field& field_;
  const ReadSearch& search_;
  Weights weights_;
  std::size_t targets_;
  std::size_t columns_;
  Rows start_;
  Rows best_;
  Score best_score_;
  Rows rows_ = start_;               ///< state of the annealing
  std::vector<std::size_t> pivots_;  ///< by free row: the column that it is solved for
};

}  // namespace

FoundReads search_reads(const Field& field, const SolvedChecks& checks, const ReadSearch& search) {
  const Matrix rows = all_rows(checks);
  if (field.w() != 1) return Searching(field, checks, rows, search).run();
  return Searching(field, checks, expand(field, rows), search).run();
}

}  // namespace xorloom
