#include "runtime/transforms/encoding_passes.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

namespace xorloom {
namespace {

/// Rows of groups that are summed at once, unless one group has more. Long tiles of so many rows
/// still are in the second cache of a core.
constexpr std::size_t kRowsAtOnce = 128;
constexpr std::size_t kMostTables = 64;

std::size_t groups_of(const EncodingShape& shape) {
  return (shape.has_input.size() + shape.points - 1) / shape.points;
}

/// Groups that are summed at once, at most.
std::size_t groups_at_once(const EncodingShape& shape) {
  const std::size_t most = std::clamp<std::size_t>(kRowsAtOnce / shape.points, 1, kMostTables);
  return std::min(most, groups_of(shape));
}

class EncodingBuilder {
 public:
  EncodingBuilder(const EncodingShape& shape, std::size_t max_levels)
      : shape_(shape),
        levels_of_pass_(
            levels_of_passes(static_cast<std::size_t>(std::countr_zero(shape.points)), max_levels)),
        has_one_pass_(levels_of_pass_.size() == 1),
        sums_(static_cast<std::uint8_t>(has_one_pass_ ? 0 : groups_at_once(shape))),
        passes_(shape.points, sums_ + 1U, shape.has_input, shape.has_output) {}

  TransformPasses build() {
    for (std::size_t g = 0; g < groups_of(shape_);) {
      if (!any_set(shape_.has_input, g * shape_.points, shape_.points)) {
        ++g;
      } else {
        g = has_one_pass_ ? add_sums_of_inputs(g) : add_groups(g);
      }
    }
    add_outputs();
    return std::move(passes_);
  }

 private:
  std::size_t add_sums_of_inputs(std::size_t group);
  std::size_t add_groups(std::size_t first);
  void add_group(std::size_t group, std::uint8_t table);
  void add_outputs();

  TransformStep step(std::size_t levels, std::size_t distance, std::size_t row) const {
    TransformStep step;
    step.levels = static_cast<std::uint8_t>(levels);
    step.row = static_cast<std::uint32_t>(row);
    step.count = static_cast<std::uint32_t>(distance);
    step.distance = static_cast<std::uint32_t>(distance);
    return step;
  }

  const EncodingShape& shape_;
  std::vector<std::size_t> levels_of_pass_;  ///< from the bottom
  bool has_one_pass_;
  std::uint8_t sums_;  ///< the table behind those of groups
  bool has_sums_ = false;
  TransformPasses passes_;
};

/// One pass over a group. Returns the next one.
std::size_t EncodingBuilder::add_sums_of_inputs(std::size_t group) {
  TransformStep step = this->step(levels_of_pass_.front(), 1, 0);
  step.kind = has_sums_ ? TransformKind::kInputsAdded : TransformKind::kInputs;
  step.to = sums_;
  step.input = static_cast<std::uint32_t>(group * shape_.points);
  passes_.add_pass(step, (group + 1) * shape_.points, 0);
  has_sums_ = true;
  return group + 1;
}

/// Some groups that follow each other, all with inputs, and their sums. Returns the next group.
std::size_t EncodingBuilder::add_groups(std::size_t first) {
  const std::size_t points = shape_.points;
  std::size_t group = first;
  for (std::uint8_t table = 0; table < sums_ && any_set(shape_.has_input, group * points, points);
       ++table) {
    add_group(group++, table);
  }
  const bool is_last = !any_set(shape_.has_input, group * points, shape_.has_input.size());
  const std::size_t levels = levels_of_pass_.back();
  TransformStep step = this->step(levels, points >> levels, 0);
  step.kind = is_last ? TransformKind::kSummedDown : TransformKind::kSummed;
  step.from = 0;
  step.tables = static_cast<std::uint8_t>(group - first);
  step.to = sums_;
  step.adds = has_sums_;
  passes_.add_pass(step, points + first * points,
                   static_cast<std::size_t>(std::countr_zero(points)) - levels);
  has_sums_ = true;
  return group;
}

/// Blocks whose rows are all 0 stay so, and take no step.
void EncodingBuilder::add_group(std::size_t group, std::uint8_t table) {
  const std::size_t points = shape_.points;
  const std::size_t first_input = group * points;
  std::vector<bool> is_there(points);
  for (std::size_t i = 0; i < points && first_input + i < shape_.has_input.size(); ++i) {
    is_there[i] = shape_.has_input[first_input + i];
  }
  std::size_t level = 0;
  for (std::size_t p = 0; p + 1 < levels_of_pass_.size(); ++p) {
    const std::size_t levels = levels_of_pass_[p];
    const std::size_t distance = std::size_t{1} << level;
    const std::size_t block = distance << levels;
    for (std::size_t row = 0; row < points; row += block) {
      TransformStep step = this->step(levels, distance, row);
      step.kind = p == 0 ? TransformKind::kInputs : TransformKind::kUp;
      step.from = p == 0 ? TransformStep::kNoTable : table;
      step.to = table;
      step.input = static_cast<std::uint32_t>(first_input + row);
      if (any_set(is_there, row, block)) {
        passes_.add_pass(step, points + first_input + row, level);
        std::fill_n(is_there.begin() + static_cast<std::ptrdiff_t>(row), block, true);
      } else if (p == 0) {
        passes_.add_clear(step.to, row, block);
      }
    }
    level += levels;
  }
}

/// The pass of the highest levels is with the sums, unless it is the only one.
void EncodingBuilder::add_outputs() {
  const std::size_t points = shape_.points;
  std::vector<bool> is_needed = shape_.has_output;
  is_needed.resize(points);
  std::vector<std::pair<TransformStep, std::size_t>> passes;  // with their levels
  std::size_t level = 0;
  const std::size_t count = has_one_pass_ ? 1 : levels_of_pass_.size() - 1;
  for (std::size_t p = 0; p < count; ++p) {
    const std::size_t levels = levels_of_pass_[p];
    const std::size_t distance = std::size_t{1} << level;
    const std::size_t block = distance << levels;
    for (std::size_t end = points; end > 0; end -= block) {
      const std::size_t row = end - block;
      if (!any_set(is_needed, row, block)) continue;
      std::fill_n(is_needed.begin() + static_cast<std::ptrdiff_t>(row), block, true);
      TransformStep step = this->step(levels, distance, row);
      const bool is_zero = row == 0;
      step.from = sums_;
      step.to = p == 0 ? TransformStep::kNoTable : sums_;
      step.kind = p == 0 ? (is_zero ? TransformKind::kOutputsZero : TransformKind::kOutputs)
                         : (is_zero ? TransformKind::kDownZero : TransformKind::kDown);
      passes.emplace_back(step, level);
    }
    level += levels;
  }
  std::ranges::reverse(passes);
  for (const auto& [step, first_level] : passes) passes_.add_pass(step, step.row, first_level);
}

}  // namespace

TransformPasses encoding_passes(const EncodingShape& shape, std::size_t max_levels) {
  return EncodingBuilder(shape, max_levels).build();
}

}  // namespace xorloom
