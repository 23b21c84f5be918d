#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "codes/field/field.hpp"
#include "codes/field/matrix.hpp"
#include "runtime/transforms/transform_kernel.hpp"

namespace xorloom {

/// What a transform takes and gives.
///
///   point    0 … M-1                  M … 2M-1   2M … 3M-1   …
///   holds    outputs, as many as are  group 0    group 1     …  of inputs; those that are not
///            wanted                                             there are 0
///
/// The outputs are the values that a polynomial of few terms has at the points 0 … M-1, if it has
/// the inputs as values at the others.
struct TransformShape {
  std::size_t points = 0;        ///< M, a power of two from 2 on
  std::vector<bool> has_input;   ///< by input: point M + j
  std::vector<bool> has_output;  ///< by output: up to M of them
};

/// A step of a transform: a pass over the blocks of rows that share their constants. Rows are those
/// of two tables of M rows each: `work`, for a group of inputs, and `sums`.
///
///     inputs of a group  --kInputs-->  work  --kUp-->  work  --kUpAdded-->  sums     upwards
///     sums  --kDown-->  sums  --kOutputs-->  outputs                                 downwards
///
/// Transforms of few levels have one pass upwards, and add inputs to sums at once.
struct TransformStep {
  enum class To : std::uint8_t { kWork, kSums, kOutputs };

  bool is_clear = false;  ///< no pass: rows `row` to `row + count - 1` become 0
  TransformKind kind{};
  To to{};                           ///< what is written
  std::uint8_t levels = 0;           ///< of the pass
  std::uint32_t row = 0;             ///< of the first block the first row
  std::uint32_t input = 0;           ///< passes from inputs: the number of the first one
  std::uint32_t count = 0;           ///< blocks, which begin at this row and those after it
  std::uint32_t distance = 0;        ///< of rows that follow each other in a block
  std::uint32_t first_constant = 0;  ///< of 2^levels - 1
};

/// The additive Fourier transforms from inputs to outputs, as steps. The list is what runs, and
/// what is proved.
///
/// Source: S.-J. Lin, T. Y. Al-Naffouri, Y. S. Han and W.-H. Chung, Novel polynomial basis with fast
///         Fourier transform and its application to Reed-Solomon erasure codes, IEEE Trans. Inf.
///         Theory 62(11), 2016.
class TransformSteps {
 public:
  /// Shape: max_levels is the most levels of a pass, 1 to 3.
  TransformSteps(TransformShape shape, std::size_t max_levels);

  const TransformShape& shape() const { return shape_; }
  const std::vector<TransformStep>& steps() const { return steps_; }
  const std::vector<Field::Symbol>& constants() const { return constants_; }

  /// Of a column, over all steps: products, and sums of two rows.
  std::size_t multiplications() const { return multiplications_; }
  std::size_t additions() const { return additions_; }

  /// Rows that passes read and write.
  std::size_t loads() const { return loads_; }
  std::size_t stores() const { return stores_; }

  /// What the steps make of unit vectors: each output as a combination of inputs, computed step by
  /// step. Rows of outputs that are not there are 0.
  ///
  /// Shape: M x inputs. The constants are symbols of the field.
  /// Cost:  O(inputs · M · log M) field operations.
  Matrix matrix(const Field& field) const;

 private:
  void add_group(std::size_t group);
  void add_outputs();
  void add_pass(TransformStep step, std::size_t point, std::size_t level);
  void count(const TransformStep& step);

  TransformShape shape_;
  std::vector<std::size_t> levels_of_pass_;  ///< from the bottom
  std::vector<TransformStep> steps_;
  std::vector<Field::Symbol> constants_;
  std::size_t multiplications_ = 0;
  std::size_t additions_ = 0;
  std::size_t loads_ = 0;
  std::size_t stores_ = 0;
};

}  // namespace xorloom
