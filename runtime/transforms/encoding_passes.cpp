#include "runtime/transforms/encoding_passes.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

namespace xorloom {
namespace {

constexpr std::uint8_t kWork = 0;
constexpr std::uint8_t kSums = 1;
constexpr std::size_t kTables = 2;

class EncodingBuilder {
 public:
  EncodingBuilder(const EncodingShape& shape, std::size_t max_levels)
      : shape_(shape),
        levels_of_pass_(
            levels_of_passes(static_cast<std::size_t>(std::countr_zero(shape.points)), max_levels)),
        passes_(shape.points, kTables, shape.has_input, shape.has_output) {}

  TransformPasses build() {
    for (std::size_t g = 0; g * shape_.points < shape_.has_input.size(); ++g) add_group(g);
    add_outputs();
    return std::move(passes_);
  }

 private:
  void add_group(std::size_t group);
  void add_outputs();

  const EncodingShape& shape_;
  std::vector<std::size_t> levels_of_pass_;  ///< from the bottom
  TransformPasses passes_;
};

/// Blocks whose rows are all 0 stay so, and take no step.
void EncodingBuilder::add_group(std::size_t group) {
  const std::size_t points = shape_.points;
  const std::size_t first_input = group * points;
  const bool is_first = group == 0;
  std::vector<bool> is_there(points);
  for (std::size_t i = 0; i < points && first_input + i < shape_.has_input.size(); ++i) {
    is_there[i] = shape_.has_input[first_input + i];
  }
  if (!is_first && !any_set(is_there, 0, points)) return;
  std::size_t level = 0;
  for (std::size_t p = 0; p < levels_of_pass_.size(); ++p) {
    const std::size_t levels = levels_of_pass_[p];
    const std::size_t distance = std::size_t{1} << level;
    const std::size_t block = distance << levels;
    const bool is_last = p + 1 == levels_of_pass_.size();
    for (std::size_t row = 0; row < points; row += block) {
      TransformStep step;
      step.from = p == 0 ? TransformStep::kNoTable : kWork;
      step.to = is_last ? kSums : kWork;
      step.levels = static_cast<std::uint8_t>(levels);
      step.row = static_cast<std::uint32_t>(row);
      step.input = static_cast<std::uint32_t>(first_input + row);
      step.count = static_cast<std::uint32_t>(distance);
      step.distance = static_cast<std::uint32_t>(distance);
      const bool adds = is_last && !is_first;
      step.kind = p == 0 ? (adds ? TransformKind::kInputsAdded : TransformKind::kInputs)
                         : (adds ? TransformKind::kUpAdded : TransformKind::kUp);
      if (any_set(is_there, row, block)) {
        passes_.add_pass(step, points + first_input + row, level);
        std::fill_n(is_there.begin() + static_cast<std::ptrdiff_t>(row), block, true);
      } else if (p == 0 || (is_last && is_first)) {
        passes_.add_clear(step.to, row, block);
      }
    }
    level += levels;
  }
}

/// From the last pass to the first, since a pass is needed for the blocks that later ones read.
void EncodingBuilder::add_outputs() {
  const std::size_t points = shape_.points;
  std::vector<bool> is_needed = shape_.has_output;
  is_needed.resize(points);
  std::vector<std::pair<TransformStep, std::size_t>> passes;  // with their levels
  std::size_t level = 0;
  for (std::size_t p = 0; p < levels_of_pass_.size(); ++p) {
    const std::size_t levels = levels_of_pass_[p];
    const std::size_t distance = std::size_t{1} << level;
    const std::size_t block = distance << levels;
    for (std::size_t end = points; end > 0; end -= block) {
      const std::size_t row = end - block;
      if (!any_set(is_needed, row, block)) continue;
      std::fill_n(is_needed.begin() + static_cast<std::ptrdiff_t>(row), block, true);
      TransformStep step;
      const bool is_zero = row == 0;
      step.from = kSums;
      step.to = p == 0 ? TransformStep::kNoTable : kSums;
      step.kind = p == 0 ? (is_zero ? TransformKind::kOutputsZero : TransformKind::kOutputs)
                         : (is_zero ? TransformKind::kDownZero : TransformKind::kDown);
      step.levels = static_cast<std::uint8_t>(levels);
      step.row = static_cast<std::uint32_t>(row);
      step.count = static_cast<std::uint32_t>(distance);
      step.distance = static_cast<std::uint32_t>(distance);
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
