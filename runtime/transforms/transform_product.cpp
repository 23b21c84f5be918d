// Multiplies out a list of transforms.
//
// Goes through the list from its end. The weights of a table's row are its factors in the results.
// Each step turns the weights of the rows that it writes into weights of the rows that it reads. So
// the cost depends on the number of results, of which there may be few, and not on that of inputs.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "codes/text/error.hpp"
#include "runtime/transforms/transform_passes.hpp"

namespace xorloom {
namespace {

using Symbol = Field::Symbol;

/// Results that are computed together, so that their weights of all rows stay in a cache.
constexpr std::size_t kResults = 64;

/// The weights of rows: the factor of each row in each result.
class Weights {
 public:
  Weights(const Field& field, std::size_t rows, std::size_t width)
      : field_(&field), width_(width), symbols_(rows * width), is_there_(rows) {}

  bool is_there(std::size_t row) const { return is_there_[row]; }
  std::span<Symbol> take(std::size_t row) {
    is_there_[row] = true;
    return {symbols_.data() + row * width_, width_};
  }
  std::span<const Symbol> operator[](std::size_t row) const {
    return {symbols_.data() + row * width_, width_};
  }
  /// Adds `factor` times a row of `from`, which may be this object, to row `to`.
  void add(std::size_t to, Symbol factor, const Weights& from, std::size_t row) {
    if (from.is_there_[row] && factor != 0) add_scaled(*field_, take(to), factor, from[row]);
  }
  void clear(std::size_t row) {
    if (is_there_[row]) std::ranges::fill(take(row), 0);
    is_there_[row] = false;
  }
  /// True if any row has a weight that is not 0.
  bool any() const {
    return std::ranges::any_of(symbols_, [](Symbol symbol) { return symbol != 0; });
  }

 private:
  const Field* field_;
  std::size_t width_;
  std::vector<Symbol> symbols_;
  std::vector<bool> is_there_;  ///< by row; false: its weights are all 0
};

/// Goes through a list of transforms backwards, for some rows of `left`.
class Backwards {
 public:
  Backwards(const Field& field, const TransformPasses& passes, const Matrix& left,
            std::size_t first, std::size_t width)
      : field_(field),
        passes_(passes),
        left_(left),
        first_(first),
        width_(width),
        tables_(field, passes.tables() * passes.points(), width) {}

  void run(Matrix& result) {
    const std::vector<TransformStep>& steps = passes_.steps();
    for (std::size_t s = steps.size(); s-- > 0;) {
      const TransformStep& step = steps[s];
      if (step.is_clear) {
        for (std::size_t row = step.row; row < step.row + step.count; ++row) {
          tables_.clear(place(step.to, row));
        }
        continue;
      }
      for (std::size_t b = 0; b < step.count; ++b) undo(step, b, result);
    }
    if (tables_.any()) fail(Status::kInternal, "transforms read rows that no step has written");
  }

 private:
  std::size_t place(std::uint8_t table, std::size_t row) const {
    return table * passes_.points() + row;
  }

  void undo(const TransformStep& step, std::size_t b, Matrix& result) {
    using enum TransformKind;
    const std::size_t rows = std::size_t{1} << step.levels;
    Weights block(field_, rows, width_);
    const std::span<const Symbol> constants =
        std::span(passes_.constants()).subspan(step.first_constant);
    const bool scales_inputs = step.kind == kScaledInputs || step.kind == kSolved;
    for (std::size_t i = 0; i < rows; ++i) {
      const std::size_t row = step.row + b + i * step.distance;
      if (!step.writes_outputs()) {
        const std::size_t at = place(step.to, row);
        block.add(i, 1, tables_, at);
        if (step.kind != kInputsAdded) tables_.clear(at);
      } else if (const std::size_t output = step.output + b + i * step.distance;
                 passes_.has_output()[output]) {
        const Symbol factor = step.kind == kScaledOutputs ? constants[rows - 1 + i] : 1;
        const std::span<Symbol> weights = block.take(i);
        for (std::size_t r = 0; r < width_; ++r) {
          weights[r] = field_.multiply(factor, left_(first_ + r, output));
        }
      }
    }
    if (step.sums()) return undo_sums(step, constants, b, block);
    if (step.kind == kSolved) undo_solving(step, constants, b, block, result);
    const std::span<const Symbol> of_levels = constants.subspan(scales_inputs ? rows : 0);
    if (step.kind == kTurn) {
      undo_levels(false, rows, step.levels - 1U, of_levels, true, block);
      block = underived(rows, block);
      undo_levels(true, rows, step.levels - 1U, of_levels, true, block);
    } else {
      undo_levels(step.is_up(), rows, step.levels, of_levels, step.has_zero(), block);
    }
    for (std::size_t i = 0; i < rows; ++i) {
      const std::size_t row = step.row + b + i * step.distance;
      if (step.from != TransformStep::kNoTable) {
        tables_.add(place(step.from, row), 1, block, i);
      } else if (const std::size_t input = step.input + b + i * step.distance;
                 block.is_there(i) && input < passes_.has_input().size() &&
                 passes_.has_input()[input]) {
        const Symbol factor = scales_inputs ? constants[i] : 1;
        for (std::size_t r = 0; r < width_; ++r) {
          result(first_ + r, input) ^= field_.multiply(factor, block[i][r]);
        }
      }
      if (step.derived == TransformStep::kNoTable) continue;
      for (std::size_t bit = 1; bit < rows; bit *= 2) {
        if ((i & bit) != 0) tables_.add(place(step.derived, row), 1, block, i ^ bit);
      }
    }
  }

  void undo_sums(const TransformStep& step, std::span<const Symbol> constants, std::size_t b,
                 Weights& sums) {
    const std::size_t rows = std::size_t{1} << step.levels;
    if (step.kind == TransformKind::kSummedDown) {
      undo_levels(false, rows, step.levels, constants.subspan(step.tables * (rows - 1)), true,
                  sums);
    }
    for (std::size_t i = 0; step.adds && i < rows; ++i) {
      tables_.add(place(step.to, step.row + b + i * step.distance), 1, sums, i);
    }
    for (std::size_t table = 0; table < step.tables; ++table) {
      Weights block = sums;
      undo_levels(true, rows, step.levels, constants.subspan(table * (rows - 1)), false, block);
      for (std::size_t i = 0; i < rows; ++i) {
        const std::size_t row = step.row + b + i * step.distance;
        tables_.add(place(static_cast<std::uint8_t>(step.from + table), row), 1, block, i);
      }
    }
  }

  /// Undoes a kSolved step back to the sum with the inputs. Rows without an input get no weight.
  void undo_solving(const TransformStep& step, std::span<const Symbol> constants, std::size_t b,
                    Weights& block, Matrix& result) const {
    const std::size_t rows = std::size_t{1} << step.levels;
    undo_levels(true, rows, step.levels, constants.subspan(rows), false, block);
    Weights scaled(field_, rows, width_);
    for (std::size_t i = 0; i < rows; ++i) {
      const std::size_t input = step.input + b + i * step.distance;
      if (!passes_.has_input()[input]) continue;
      scaled.add(i, constants[i], block, i);
      for (std::size_t r = 0; scaled.is_there(i) && r < width_; ++r) {
        result(first_ + r, input) ^= scaled[i][r];
      }
    }
    block = scaled;
  }

  /// Undoes the butterflies of the lowest levels: y += x, then x += c·y upwards, and in the other
  /// order downwards. With `has_zero` the constants of first parts are 0.
  static void undo_levels(bool is_up, std::size_t rows, std::size_t levels,
                          std::span<const Symbol> constants, bool has_zero, Weights& block) {
    for (std::size_t i = 0; i < levels; ++i) {
      const std::size_t t = is_up ? levels - 1 - i : i;
      for (std::size_t x = 0; x < rows; ++x) {
        const std::size_t y = x | std::size_t{1} << t;
        if (x == y) continue;
        const std::size_t part = x >> (t + 1);
        const Symbol c = has_zero && part == 0 ? 0 : constants[rows - (rows >> t) + part];
        if (is_up) block.add(y, c, block, x);
        block.add(x, 1, block, y);
        if (!is_up) block.add(y, c, block, x);
      }
    }
  }

  /// The transpose of the derivative in kTurn. Forwards, row j is the sum of the rows that have one
  /// bit more, but for the highest bit. Both rows of a pair of the highest bit also have the sum of
  /// the pair.
  Weights underived(std::size_t rows, const Weights& block) const {
    const std::size_t highest = rows / 2;
    Weights result(field_, rows, width_);
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t bit = 1; bit < highest; bit *= 2) {
        if ((i & bit) != 0) result.add(i, 1, block, i ^ bit);
      }
      result.add(i, 1, block, i);
      result.add(i, 1, block, i ^ highest);
    }
    return result;
  }

  const Field& field_;
  const TransformPasses& passes_;
  const Matrix& left_;
  std::size_t first_;
  std::size_t width_;
  Weights tables_;
};

}  // namespace

Matrix TransformPasses::product(const Field& field, const Matrix& left) const {
  Matrix result(left.rows(), has_input_.size());
  for (std::size_t first = 0; first < left.rows(); first += kResults) {
    const std::size_t width = std::min(kResults, left.rows() - first);
    Backwards(field, *this, left, first, width).run(result);
  }
  return result;
}

}  // namespace xorloom
