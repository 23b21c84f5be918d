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
/// are those of tables, as many in each as the transforms have points.
struct TransformStep {
  static constexpr std::uint8_t kNoTable = 0xff;

  bool is_clear = false;  ///< no pass: rows `row` to `row + count - 1` of a table become 0
  /// Steps up to one that ends them, where no later step reads the tables which they write. So they
  /// may run for some columns first, and then for the following ones. The last one writes sums that
  /// later steps read, or outputs.
  bool is_in_strips = false;
  bool ends_strips = false;
  TransformKind kind{};
  std::uint8_t levels = 0;           ///< of the pass
  std::uint8_t from = kNoTable;      ///< the table it reads; none: inputs
  std::uint8_t to = kNoTable;        ///< the table it writes; none: outputs
  std::uint8_t tables = 1;           ///< summed: how many it reads, from the first one on
  bool adds = false;                 ///< summed: whether the rows that it writes are added
  std::uint8_t derived = kNoTable;   ///< the table whose derivative it adds, if it adds one
  std::uint32_t row = 0;             ///< of the first block the first row
  std::uint32_t input = 0;           ///< passes from inputs, and sums of them: the first one
  std::uint32_t output = 0;          ///< passes to outputs: the number of the first one
  std::uint32_t count = 0;           ///< blocks, which begin at this row and those after it
  std::uint32_t distance = 0;        ///< of rows that follow each other in a block
  std::uint32_t first_constant = 0;  ///< of 2^levels - 1 for each table, then of those downwards;
                                     ///< and as many more as rows are scaled

  bool is_up() const {
    using enum TransformKind;
    return kind == kInputs || kind == kInputsAdded || kind == kUp || kind == kScaledInputs;
  }
  /// Downwards alone, from sums of tables on.
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
/// Source: S.-J. Lin, T. Y. Al-Naffouri, Y. S. Han and W.-H. Chung, Novel polynomial basis with fast
///         Fourier transform and its application to Reed-Solomon erasure codes, IEEE Trans. Inf.
///         Theory 62(11), 2016.
class TransformPasses {
 public:
  /// Shape: points is a power of two from 2 on. Inputs that are not there are 0. Outputs are by
  ///        number; those that a list leaves out are not there.
  TransformPasses(std::size_t points, std::size_t tables, std::vector<bool> has_input,
                  std::vector<bool> has_output);

  /// Appends a pass, whose first block begins at a point. Rows are scaled by factors, if its kind
  /// scales any.
  ///
  /// Shape: as many factors as rows of a block, of one block. Zeros: the input or output is not
  ///        there. Where rows are summed, table i begins `points` points after the one before it.
  ///        Rows of a block are 2^l apart, l the first level of its butterflies.
  void add_pass(TransformStep step, std::size_t point, std::span<const Field::Symbol> factors = {});
  void add_clear(std::uint8_t table, std::size_t row, std::size_t count, bool is_in_strips = false);

  std::size_t points() const { return points_; }
  std::size_t tables() const { return tables_; }
  const std::vector<bool>& has_input() const { return has_input_; }
  const std::vector<bool>& has_output() const { return has_output_; }
  const std::vector<TransformStep>& steps() const { return steps_; }
  const std::vector<Field::Symbol>& constants() const { return constants_; }

  /// Of a column, over all steps: products, and sums of two rows.
  std::size_t multiplications() const { return multiplications_; }
  std::size_t additions() const { return additions_; }

  /// Rows that passes read and write.
  std::size_t loads() const { return loads_; }
  std::size_t stores() const { return stores_; }

  /// What the steps compute, multiplied out: a matrix times each output as a combination of inputs.
  /// The steps are gone through backwards.
  ///
  /// Shape:  left has a column for each output, result(r, i) is the sum over outputs p of
  ///         left(r, p) · output p as a combination of inputs. Outputs that are not there are 0.
  /// Errors: throws kInternal if a step reads rows that no step before it writes.
  /// Cost:   O(rows of left · (inputs + points) · log points) field operations.
  Matrix product(const Field& field, const Matrix& left) const;

  /// Each output as a combination of inputs.
  ///
  /// Shape: outputs x inputs. Rows of outputs that are not there are 0.
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

/// Some levels of a transform, which a pass goes through at once. Its blocks follow each other.
struct PassLevels {
  std::size_t first;  ///< from the bottom
  std::size_t levels;

  std::size_t distance() const { return std::size_t{1} << first; }  ///< of rows of a block
  std::size_t block() const { return distance() << levels; }

  /// The pass over the blocks that begin at a row and those after it, from a table to a table.
  TransformStep step(TransformKind kind, std::size_t row, std::uint8_t from, std::uint8_t to) const;

  /// The blocks with a flag that is set, by their first rows. Sets all flags of these blocks.
  std::vector<std::size_t> spread(std::vector<bool>& flags) const;
};

/// As few passes as possible over the levels of transforms, of about as many levels each. The first
/// ones have more.
///
/// Shape: passes have up to `most` levels; there are at least `fewest` passes.
std::vector<PassLevels> passes_over(std::size_t points, std::size_t most, std::size_t fewest = 1);

/// Calls add(pass, row) for the blocks that passes downwards compute, so that some rows are known
/// after the last one: from the highest pass on, each with its number and the first row of a block.
template <typename Add>
void go_downwards(std::span<const PassLevels> passes, std::vector<bool> is_needed, const Add& add) {
  std::vector<std::vector<std::size_t>> rows;
  for (const PassLevels& pass : passes) rows.push_back(pass.spread(is_needed));
  for (std::size_t p = passes.size(); p-- > 0;) {
    for (const std::size_t row : rows[p]) add(p, row);
  }
}

/// By symbol whether it is not 0.
std::vector<bool> nonzero(std::span<const Field::Symbol> symbols);

/// Whether any of some flags is set: those from `first` on. Flags past the end are not.
bool any_set(const std::vector<bool>& flags, std::size_t first, std::size_t count);

}  // namespace xorloom
