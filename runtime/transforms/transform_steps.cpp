#include "runtime/transforms/transform_steps.hpp"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

namespace xorloom {
namespace {

bool is_upwards(TransformKind kind) {
  using enum TransformKind;
  return kind == kInputs || kind == kInputsAdded || kind == kUp || kind == kUpAdded;
}

bool is_added(TransformKind kind) {
  return kind == TransformKind::kInputsAdded || kind == TransformKind::kUpAdded;
}

bool is_from_inputs(TransformKind kind) {
  return kind == TransformKind::kInputs || kind == TransformKind::kInputsAdded;
}

bool has_zero(TransformKind kind) {
  return kind == TransformKind::kDownZero || kind == TransformKind::kOutputsZero;
}

/// As few passes as possible, of about as many levels each; the first ones have more.
std::vector<std::size_t> passes_of(std::size_t levels, std::size_t most) {
  const std::size_t passes = (levels + most - 1) / most;
  std::vector<std::size_t> result;
  for (std::size_t p = 0; p < passes; ++p) {
    result.push_back(levels / passes + (p < levels % passes ? 1 : 0));
  }
  return result;
}

bool any(const std::vector<bool>& flags, std::size_t first, std::size_t count, std::size_t step) {
  for (std::size_t i = 0; i < count; ++i) {
    if (first + i * step < flags.size() && flags[first + i * step]) return true;
  }
  return false;
}

}  // namespace

TransformSteps::TransformSteps(TransformShape shape, std::size_t max_levels)
    : shape_(std::move(shape)) {
  shape_.has_output.resize(shape_.points);
  const auto levels = static_cast<std::size_t>(std::countr_zero(shape_.points));
  levels_of_pass_ = passes_of(levels, max_levels);
  for (std::size_t g = 0; g * shape_.points < shape_.has_input.size(); ++g) add_group(g);
  add_outputs();
}

/// Blocks whose rows are all 0 stay so, and take no step.
void TransformSteps::add_group(std::size_t group) {
  const std::size_t points = shape_.points;
  const std::size_t first_input = group * points;
  const bool is_first = group == 0;
  std::vector<bool> is_there(points);
  for (std::size_t i = 0; i < points && first_input + i < shape_.has_input.size(); ++i) {
    is_there[i] = shape_.has_input[first_input + i];
  }
  if (!is_first && !any(is_there, 0, points, 1)) return;
  std::size_t level = 0;
  for (std::size_t p = 0; p < levels_of_pass_.size(); ++p) {
    const std::size_t levels = levels_of_pass_[p];
    const std::size_t distance = std::size_t{1} << level;
    const std::size_t rows = std::size_t{1} << levels;
    const bool is_last = p + 1 == levels_of_pass_.size();
    for (std::size_t row = 0; row < points; row += distance * rows) {
      TransformStep step;
      step.to = is_last ? TransformStep::To::kSums : TransformStep::To::kWork;
      step.levels = static_cast<std::uint8_t>(levels);
      step.row = static_cast<std::uint32_t>(row);
      step.input = static_cast<std::uint32_t>(first_input + row);
      step.count = static_cast<std::uint32_t>(distance);
      step.distance = static_cast<std::uint32_t>(distance);
      const bool adds = is_last && !is_first;
      step.kind = p == 0 ? (adds ? TransformKind::kInputsAdded : TransformKind::kInputs)
                         : (adds ? TransformKind::kUpAdded : TransformKind::kUp);
      if (any(is_there, row, distance * rows, 1)) {
        add_pass(step, points + first_input + row, level);
        std::fill_n(is_there.begin() + static_cast<std::ptrdiff_t>(row), distance * rows, true);
      } else if (p == 0 || (is_last && is_first)) {
        step.is_clear = true;
        step.count = static_cast<std::uint32_t>(distance * rows);
        steps_.push_back(step);
        stores_ += step.count;
      }
    }
    level += levels;
  }
}

/// From the last pass to the first, since a pass is needed for the blocks that later ones read.
void TransformSteps::add_outputs() {
  const std::size_t points = shape_.points;
  std::vector<bool> is_needed = shape_.has_output;
  std::vector<std::pair<TransformStep, std::size_t>> passes;  // with their levels
  std::size_t level = 0;
  for (std::size_t p = 0; p < levels_of_pass_.size(); ++p) {
    const std::size_t levels = levels_of_pass_[p];
    const std::size_t distance = std::size_t{1} << level;
    const std::size_t block = distance << levels;
    for (std::size_t end = points; end > 0; end -= block) {
      const std::size_t row = end - block;
      if (!any(is_needed, row, block, 1)) continue;
      std::fill_n(is_needed.begin() + static_cast<std::ptrdiff_t>(row), block, true);
      TransformStep step;
      const bool is_zero = row == 0;
      step.to = p == 0 ? TransformStep::To::kOutputs : TransformStep::To::kSums;
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
  for (const auto& [step, first_level] : passes) add_pass(step, step.row, first_level);
}

/// The constant of a butterfly of level l whose part begins at point P is the symbol P >> l.
void TransformSteps::add_pass(TransformStep step, std::size_t point, std::size_t level) {
  step.first_constant = static_cast<std::uint32_t>(constants_.size());
  for (std::size_t t = 0; t < step.levels; ++t) {
    const std::size_t parts = std::size_t{1} << (step.levels - t - 1);
    for (std::size_t part = 0; part < parts; ++part) {
      const std::size_t begin = point + (part << (level + t + 1));
      constants_.push_back(static_cast<Field::Symbol>(begin >> (level + t)));
    }
  }
  count(step);
  steps_.push_back(step);
}

void TransformSteps::count(const TransformStep& step) {
  const std::size_t rows = std::size_t{1} << step.levels;
  const std::size_t zeros = has_zero(step.kind) ? rows - 1 : 0;  // butterflies of first parts
  multiplications_ += step.count * (step.levels * rows / 2 - zeros);
  additions_ += step.count * step.levels * rows / 2;
  const bool adds = is_added(step.kind);
  additions_ += adds ? step.count * rows : 0;
  loads_ += step.count * rows * (adds ? 2 : 1);
  stores_ += step.count * rows;
}

namespace {

/// Takes rows of symbols through a pass.
void compute(const Field& field, const TransformStep& step,
             std::span<const Field::Symbol> constants,
             std::vector<std::vector<Field::Symbol>>& rows) {
  const std::size_t count = rows.size();
  const auto butterflies = [&](std::size_t t) {
    const std::size_t distance = std::size_t{1} << t;
    const std::size_t first = count - (count >> t);
    for (std::size_t part = 0; part < count >> (t + 1); ++part) {
      const Field::Symbol constant = constants[step.first_constant + first + part];
      for (std::size_t i = 0; i < distance; ++i) {
        auto& low = rows[2 * part * distance + i];
        auto& high = rows[(2 * part + 1) * distance + i];
        if (is_upwards(step.kind)) add_scaled(field, high, 1, low);
        // A pass with zeros does not look at their constants.
        if (!has_zero(step.kind) || part != 0) add_scaled(field, low, constant, high);
        if (!is_upwards(step.kind)) add_scaled(field, high, 1, low);
      }
    }
  };
  for (std::size_t t = 0; t < step.levels; ++t) {
    butterflies(is_upwards(step.kind) ? t : step.levels - 1 - t);
  }
}

}  // namespace

/// A group's rows in `work` are zero but for the columns of its inputs: `first` and those after it.
Matrix TransformSteps::matrix(const Field& field) const {
  const std::size_t points = shape_.points;
  const std::size_t inputs = shape_.has_input.size();
  using Row = std::vector<Field::Symbol>;
  std::vector<Row> work(points, Row(points));
  std::vector<Row> sums(points, Row(inputs));
  Matrix result(points, inputs);
  for (const TransformStep& step : steps_) {
    const bool is_up = is_upwards(step.kind);
    const std::size_t first = step.input / points * points;
    if (step.is_clear) {
      for (std::size_t row = step.row; row < step.row + step.count; ++row) {
        std::ranges::fill(step.to == TransformStep::To::kWork ? work[row] : sums[row], 0);
      }
      continue;
    }
    for (std::size_t b = 0; b < step.count; ++b) {
      std::vector<Row> rows;
      for (std::size_t i = 0; i < std::size_t{1} << step.levels; ++i) {
        const std::size_t row = step.row + b + i * step.distance;
        if (is_from_inputs(step.kind)) {
          rows.emplace_back(points);
          const std::size_t input = step.input + b + i * step.distance;
          if (input < inputs && shape_.has_input[input]) rows.back()[row] = 1;
        } else {
          rows.push_back(is_up ? work[row] : sums[row]);
        }
      }
      compute(field, step, constants_, rows);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::size_t row = step.row + b + i * step.distance;
        if (step.to == TransformStep::To::kWork) {
          work[row] = std::move(rows[i]);
        } else if (step.to == TransformStep::To::kOutputs) {
          if (shape_.has_output[row]) std::ranges::copy(rows[i], result.row(row).begin());
        } else if (!is_up) {
          sums[row] = std::move(rows[i]);
        } else {
          if (!is_added(step.kind)) std::ranges::fill(sums[row], 0);
          const std::size_t columns = std::min(points, inputs - first);
          add_scaled(field, std::span(sums[row]).subspan(first, columns), 1, rows[i]);
        }
      }
    }
  }
  return result;
}

}  // namespace xorloom
