#include "runtime/transforms/encoding_passes.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>

#include "codes/transform_recovery.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kMostTables = 64;

std::size_t groups_of(const EncodingShape& shape) {
  return (shape.has_input.size() + shape.points - 1) / shape.points;
}

/// Groups that are summed at once, at most.
std::size_t groups_at_once(const EncodingShape& shape, std::size_t rows) {
  const std::size_t most = std::clamp<std::size_t>(rows / shape.points, 1, kMostTables);
  return std::min(most, groups_of(shape));
}

bool has_one_pass(std::size_t points, std::size_t max_levels) {
  return static_cast<std::size_t>(std::countr_zero(points)) <= max_levels;
}

class EncodingBuilder {
 public:
  EncodingBuilder(const EncodingShape& shape, std::size_t max_levels, std::size_t rows_at_once,
                  std::vector<bool> has_input, std::vector<bool> has_output)
      : shape_(shape),
        levels_of_pass_(
            levels_of_passes(static_cast<std::size_t>(std::countr_zero(shape.points)), max_levels)),
        has_one_pass_(has_one_pass(shape.points, max_levels)),
        tables_(static_cast<std::uint8_t>(has_one_pass_ ? 0 : groups_at_once(shape, rows_at_once))),
        passes_(shape.points, tables_ + 1U, std::move(has_input), std::move(has_output)) {}

  TransformPasses encode() {
    add_inputs();
    add_outputs();
    return std::move(passes_);
  }

  TransformPasses encode_in_strips() {
    is_all_in_strips_ = true;
    return encode();
  }

  TransformPasses recover(const RecoveringShape& shape) {
    add_inputs();
    add_solution(shape);
    for (std::size_t g = 0; g * shape_.points < shape.wanted.size(); ++g) add_wanted(shape, g);
    return std::move(passes_);
  }

 private:
  void add_inputs();
  std::size_t add_sums_of_inputs(std::size_t group);
  std::size_t add_groups(std::size_t first);
  void add_group(std::size_t group, std::uint8_t table);
  void add_outputs();
  void add_solution(const RecoveringShape& shape);
  void add_wanted(const RecoveringShape& shape, std::size_t group);

  /// The steps of the passes downwards over the lowest levels, each with its first level.
  using Steps = std::vector<std::pair<TransformStep, std::size_t>>;
  Steps downwards(std::vector<bool> is_needed, std::size_t passes) const;

  /// The table of sums: behind those of groups, or in place of the first one.
  std::uint8_t sums() const { return is_all_in_strips_ ? 0 : tables_; }

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
  std::uint8_t tables_;  ///< of groups
  bool is_all_in_strips_ = false;
  bool has_sums_ = false;
  TransformPasses passes_;
};

void EncodingBuilder::add_inputs() {
  for (std::size_t g = 0; g < groups_of(shape_);) {
    if (!any_set(shape_.has_input, g * shape_.points, shape_.points)) {
      ++g;
    } else {
      g = has_one_pass_ ? add_sums_of_inputs(g) : add_groups(g);
    }
  }
}

/// One pass over a group. Returns the next one.
std::size_t EncodingBuilder::add_sums_of_inputs(std::size_t group) {
  TransformStep step = this->step(levels_of_pass_.front(), 1, 0);
  step.kind = has_sums_ ? TransformKind::kInputsAdded : TransformKind::kInputs;
  step.to = sums();
  step.input = static_cast<std::uint32_t>(group * shape_.points);
  passes_.add_pass(step, (group + 1) * shape_.points, 0);
  has_sums_ = true;
  return group + 1;
}

/// Some groups that follow each other, all with inputs, and their sums. Returns the next group.
std::size_t EncodingBuilder::add_groups(std::size_t first) {
  const std::size_t points = shape_.points;
  std::size_t group = first;
  for (std::uint8_t table = 0; table < tables_ && any_set(shape_.has_input, group * points, points);
       ++table) {
    add_group(group++, table);
  }
  const bool is_last = !any_set(shape_.has_input, group * points, shape_.has_input.size());
  const std::size_t levels = levels_of_pass_.back();
  TransformStep step = this->step(levels, points >> levels, 0);
  step.kind = is_last ? TransformKind::kSummedDown : TransformKind::kSummed;
  step.from = 0;
  step.is_in_strips = true;
  step.ends_strips = !is_all_in_strips_;
  step.tables = static_cast<std::uint8_t>(group - first);
  step.input = static_cast<std::uint32_t>(first * points);
  step.to = sums();
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
      step.is_in_strips = true;
      step.from = p == 0 ? TransformStep::kNoTable : table;
      step.to = table;
      step.input = static_cast<std::uint32_t>(first_input + row);
      if (any_set(is_there, row, block)) {
        passes_.add_pass(step, points + first_input + row, level);
        std::fill_n(is_there.begin() + static_cast<std::ptrdiff_t>(row), block, true);
      } else if (p == 0) {
        passes_.add_clear(step.to, row, block, true);
      }
    }
    level += levels;
  }
}

EncodingBuilder::Steps EncodingBuilder::downwards(std::vector<bool> is_needed,
                                                  std::size_t passes) const {
  const std::size_t points = shape_.points;
  is_needed.resize(points);
  Steps steps;
  std::size_t level = 0;
  for (std::size_t p = 0; p < passes; ++p) {
    const std::size_t levels = levels_of_pass_[p];
    const std::size_t distance = std::size_t{1} << level;
    const std::size_t block = distance << levels;
    for (std::size_t end = points; end > 0; end -= block) {
      const std::size_t row = end - block;
      if (!any_set(is_needed, row, block)) continue;
      std::fill_n(is_needed.begin() + static_cast<std::ptrdiff_t>(row), block, true);
      TransformStep step = this->step(levels, distance, row);
      step.kind = row == 0 ? TransformKind::kDownZero : TransformKind::kDown;
      step.from = sums();
      step.to = sums();
      step.is_in_strips = is_all_in_strips_;
      steps.emplace_back(step, level);
    }
    level += levels;
  }
  std::ranges::reverse(steps);
  return steps;
}

/// The pass of the highest levels is with the sums, unless it is the only one.
void EncodingBuilder::add_outputs() {
  Steps steps = downwards(shape_.has_output, has_one_pass_ ? 1 : levels_of_pass_.size() - 1);
  if (is_all_in_strips_) steps.back().first.ends_strips = true;
  for (auto& [step, level] : steps) {
    if (level == 0) {
      const bool is_zero = step.kind == TransformKind::kDownZero;
      step.kind = is_zero ? TransformKind::kOutputsZero : TransformKind::kOutputs;
      step.to = TransformStep::kNoTable;
      step.output = step.row;
    }
    passes_.add_pass(step, step.row, level);
  }
}

/// From the sums, down but for the first levels, to N, up all levels. Where no data is left the
/// stored outputs are syndromes as they are.
void EncodingBuilder::add_solution(const RecoveringShape& shape) {
  const std::size_t points = shape_.points;
  const std::size_t first_stored = groups_of(shape_) * points;
  const Steps steps = downwards(std::vector<bool>(points, true), levels_of_pass_.size() - 1);
  for (const auto& [step, level] : steps) {
    if (level != 0 && has_sums_) passes_.add_pass(step, step.row, level);
  }
  std::size_t level = 0;
  for (const std::size_t levels : levels_of_pass_) {
    const std::size_t distance = std::size_t{1} << level;
    const std::size_t block = distance << levels;
    for (std::size_t row = 0; row < points; row += block) {
      TransformStep step = this->step(levels, distance, row);
      step.from = level == 0 && !has_sums_ ? TransformStep::kNoTable : sums();
      step.to = sums();
      step.kind = level != 0  ? TransformKind::kUp
                  : has_sums_ ? TransformKind::kSolved
                              : TransformKind::kScaledInputs;
      step.input = static_cast<std::uint32_t>(first_stored + row);
      std::span<const Field::Symbol> factors;
      if (level == 0) factors = std::span(shape.stored).subspan(row, block);
      passes_.add_pass(step, row, level, factors);
    }
    level += levels;
  }
}

/// N at the points of a group, if any is wanted, in the first table.
void EncodingBuilder::add_wanted(const RecoveringShape& shape, std::size_t group) {
  const std::size_t points = shape_.points;
  const std::size_t first = group * points;
  std::vector<Field::Symbol> factors(points);
  std::vector<bool> is_wanted(points);
  for (std::size_t i = 0; i < points && first + i < shape.wanted.size(); ++i) {
    factors[i] = shape.wanted[first + i];
    is_wanted[i] = factors[i] != 0;
  }
  if (!any_set(is_wanted, 0, points)) return;
  Steps steps = downwards(is_wanted, levels_of_pass_.size());
  for (auto& [step, level] : steps) {
    step.kind = level == 0 ? TransformKind::kScaledOutputs : TransformKind::kDown;
    step.from = step.count << step.levels == points ? sums() : 0;
    step.to = level == 0 ? TransformStep::kNoTable : 0;
    step.output = static_cast<std::uint32_t>(points + first + step.row);
    std::span<const Field::Symbol> of_block;
    if (level == 0) of_block = std::span(factors).subspan(step.row, std::size_t{1} << step.levels);
    passes_.add_pass(step, points + first + step.row, level, of_block);
  }
}

}  // namespace

TransformPasses encoding_passes(const EncodingShape& shape, std::size_t max_levels,
                                std::size_t rows_at_once) {
  return EncodingBuilder(shape, max_levels, rows_at_once, shape.has_input, shape.has_output)
      .encode();
}

std::optional<TransformPasses> encoding_passes_in_strips(const EncodingShape& shape,
                                                         std::size_t max_levels) {
  if (has_one_pass(shape.points, max_levels) || !any_set(shape.has_output, 0, shape.points)) {
    return {};
  }
  std::size_t groups = 0;
  while (any_set(shape.has_input, groups * shape.points, shape.points)) ++groups;
  const bool goes_on = any_set(shape.has_input, groups * shape.points, shape.has_input.size());
  if (goes_on || groups == 0 || groups > groups_at_once(shape, kRowsOfStrips)) return {};
  return EncodingBuilder(shape, max_levels, kRowsOfStrips, shape.has_input, shape.has_output)
      .encode_in_strips();
}

bool may_recover(std::size_t points, std::size_t max_levels) {
  return !has_one_pass(points, max_levels);
}

TransformPasses recovering_passes(const RecoveringShape& shape, std::size_t max_levels,
                                  std::size_t rows_at_once) {
  const std::size_t points = shape.data.points;
  std::vector<bool> has_input = shape.data.has_input;
  has_input.resize(groups_of(shape.data) * points);
  for (const Field::Symbol factor : shape.stored) has_input.push_back(factor != 0);
  std::vector<bool> has_output(points);
  for (const Field::Symbol factor : shape.wanted) has_output.push_back(factor != 0);
  has_output.resize((has_output.size() + points - 1) / points * points);
  return EncodingBuilder(shape.data, max_levels, rows_at_once, std::move(has_input),
                         std::move(has_output))
      .recover(shape);
}

RecoveringShape recovering_shape(const Field& field, EncodingShape data,
                                 const std::vector<bool>& is_stored,
                                 const std::vector<bool>& is_wanted) {
  const std::size_t points = data.points;
  const auto levels = static_cast<std::size_t>(std::countr_zero(points));
  std::vector<Field::Symbol> roots;
  for (std::size_t i = 0; i < points; ++i) {
    if (!is_stored[i]) roots.push_back(static_cast<Field::Symbol>(i));
  }
  for (std::size_t j = 0; j < data.has_input.size(); ++j) {
    if (!data.has_input[j]) roots.push_back(static_cast<Field::Symbol>(points + j));
  }
  const auto product = [&](std::size_t point) {
    return product_of_differences(field, roots, static_cast<Field::Symbol>(point));
  };
  RecoveringShape shape{std::move(data), std::vector<Field::Symbol>(points),
                        std::vector<Field::Symbol>(is_wanted.size())};
  for (std::size_t i = 0; i < points; ++i) {
    if (is_stored[i]) shape.stored[i] = product(i);
  }
  for (std::size_t j = 0; j < is_wanted.size(); ++j) {
    if (!is_wanted[j]) continue;
    const std::size_t point = points + j;
    const auto vanishing = static_cast<Field::Symbol>(point >> levels);
    shape.wanted[j] = field.invert(field.multiply(vanishing, product(point)));
  }
  return shape;
}

}  // namespace xorloom
