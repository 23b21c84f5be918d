#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codes/field/field.hpp"
#include "codes/field/matrix.hpp"
#include "runtime/transforms/transform_kernel.hpp"

namespace xorloom {

/// A step of a list of transforms: a pass over the blocks of rows that share their constants. Rows
/// lie in tables; each table has one row for each point.
struct TransformStep {
  static constexpr std::uint8_t kNoTable = 0xff;

  bool is_clear = false;  ///< no pass: rows `row` to `row + count - 1` of a table become 0
  /// True for steps up to one with `ends_strips`. No later step reads the tables that they write,
  /// so they may run for some columns first, and then for the following ones. The last of them
  /// writes sums that later steps read, or outputs.
  bool is_in_strips = false;
  bool ends_strips = false;
  TransformKind kind{};
  std::uint8_t levels = 0;       ///< levels that the pass goes through
  std::uint8_t from = kNoTable;  ///< the table that is read; kNoTable: inputs
  std::uint8_t to = kNoTable;    ///< the table that is written; kNoTable: outputs
  std::uint8_t tables = 1;       ///< kinds that sum: number of tables that are read, from `from` on
  bool adds = false;             ///< kinds that sum: the rows that are written are added, too
  std::uint8_t derived = kNoTable;  ///< the table whose derivative is added, or kNoTable
  std::uint32_t row = 0;            ///< first row of the first block
  std::uint32_t input = 0;     ///< first input; for passes that read inputs, and for sums of those
  std::uint32_t output = 0;    ///< first output; for passes to outputs
  std::uint32_t count = 0;     ///< blocks; they begin at `row` and the rows after it
  std::uint32_t distance = 0;  ///< between consecutive rows of a block
  std::uint32_t first_constant = 0;  ///< first constant; for the order see TransformBlock

  bool is_up() const {
    using enum TransformKind;
    return kind == kInputs || kind == kInputsAdded || kind == kUp || kind == kScaledInputs;
  }
  /// True if the pass goes downwards only.
  bool is_down() const {
    using enum TransformKind;
    return !is_clear && (kind == kDown || kind == kDownZero || kind == kDownDerived ||
                         kind == kScaledOutputs || kind == kOutputs || kind == kOutputsZero);
  }
  bool has_zero() const {
    return kind == TransformKind::kDownZero || kind == TransformKind::kOutputsZero;
  }
  bool sums() const { return kind == TransformKind::kSummed || kind == TransformKind::kSummedDown; }
  bool reads_inputs() const { return from == kNoTable || kind == TransformKind::kSolved; }
  bool writes_outputs() const { return !is_clear && to == kNoTable; }
};

/// Additive Fourier transforms from inputs to outputs, as a list of steps over tables of rows. The
/// list is what runs, and what is proved.
///
/// Source: S.-J. Lin, T. Y. Al-Naffouri, Y. S. Han and W.-H. Chung, Novel polynomial basis with
///         fast Fourier transform and its application to Reed-Solomon erasure codes, IEEE Trans.
///         Inf. Theory 62(11), 2016.
class TransformPasses {
 public:
  /// Shape: points is a power of two from 2 on. Inputs that are not there are 0. Outputs are by
  ///        number; those that a list leaves out are not there.
  TransformPasses(std::size_t points, std::size_t tables, std::vector<bool> has_input,
                  std::vector<bool> has_output);

  /// Appends a pass, whose first block begins at `point`. Rows are scaled by `factors`, if the kind
  /// of the pass scales rows.
  ///
  /// Shape: a pass that scales rows has one block, and one factor for each of its rows. 0: the
  ///        input or output of the row is missing. If rows are summed, table i begins i·`points`
  ///        points after `point`. Rows of a block are 2^l apart; l is the lowest level of its
  ///        butterflies.
  void add_pass(TransformStep step, std::size_t point, std::span<const Field::Symbol> factors = {});
  void add_clear(std::uint8_t table, std::size_t row, std::size_t count, bool is_in_strips = false);

  std::size_t points() const { return points_; }
  std::size_t tables() const { return tables_; }
  const std::vector<bool>& has_input() const { return has_input_; }
  const std::vector<bool>& has_output() const { return has_output_; }
  const std::vector<TransformStep>& steps() const { return steps_; }
  const std::vector<Field::Symbol>& constants() const { return constants_; }

  /// Products, and sums of two rows, over all steps, for one column.
  std::size_t multiplications() const { return multiplications_; }
  std::size_t additions() const { return additions_; }

  /// Rows that passes read and write.
  std::size_t loads() const { return loads_; }
  std::size_t stores() const { return stores_; }

  /// Multiplies out the steps, from the last one to the first: returns left · matrix(field).
  ///
  /// Shape:  left has a column for each output, and the result one for each input. Missing outputs
  ///         are 0.
  /// Errors: throws kInternal if a step reads rows that no step before it writes.
  /// Cost:   O(rows of left · (inputs + points) · log points) field operations.
  Matrix product(const Field& field, const Matrix& left) const;

  /// Each output as a combination of inputs.
  ///
  /// Shape: outputs x inputs. Rows of missing outputs are 0.
  Matrix matrix(const Field& field) const;

 private:
  void add_constants(const TransformStep& step, std::size_t point);
  void count(const TransformStep& step);

  std::size_t points_;
  std::size_t tables_;
  std::vector<bool> has_input_;
  std::vector<bool> has_output_;
  std::vector<TransformStep> steps_;
  std::vector<Field::Symbol> constants_;
  std::size_t multiplications_ = 0;
  std::size_t additions_ = 0;
  std::size_t loads_ = 0;
  std::size_t stores_ = 0;
};

/// The levels of a transform that one pass goes through. The blocks of the pass follow each other.
struct PassLevels {
  std::size_t first;  ///< lowest level, counted from the bottom
  std::size_t levels;

  std::size_t distance() const { return std::size_t{1} << first; }  ///< between rows of a block
  std::size_t block() const { return distance() << levels; }

  /// The pass over the blocks that begin at a row and those after it, from a table to a table.
  TransformStep step(TransformKind kind, std::size_t row, std::uint8_t from, std::uint8_t to) const;

  /// Returns the first rows of the blocks that have a flag that is set. Sets all flags of these
  /// blocks.
  std::vector<std::size_t> spread(std::vector<bool>& flags) const;
};

/// The fewest passes over all levels of transforms, with about equal numbers of levels. The first
/// passes have more.
///
/// Shape: passes have up to `most` levels; there are at least `fewest` passes.
std::vector<PassLevels> passes_over(std::size_t points, std::size_t most, std::size_t fewest = 1);

/// Calls add(pass, row) for each block that passes downwards compute so that the rows in
/// `is_needed` are known after the last pass. Goes from the highest pass down; `row` is the first
/// one of the block.
template <typename Add>
void go_downwards(std::span<const PassLevels> passes, std::vector<bool> is_needed, const Add& add) {
  std::vector<std::vector<std::size_t>> rows;
  for (const PassLevels& pass : passes) rows.push_back(pass.spread(is_needed));
  for (std::size_t p = passes.size(); p-- > 0;) {
    for (const std::size_t row : rows[p]) add(p, row);
  }
}

/// By symbol: true if it is not 0.
std::vector<bool> nonzero(std::span<const Field::Symbol> symbols);

/// True if any of the `count` flags from `first` on is set. Flags past the end are not set.
bool any_set(const std::vector<bool>& flags, std::size_t first, std::size_t count);

}  // namespace xorloom
