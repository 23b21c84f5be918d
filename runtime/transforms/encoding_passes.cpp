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

/// Maximum number of groups that one step sums.
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
        points_(shape.points),
        levels_(passes_over(shape.points, max_levels)),
        has_one_pass_(levels_.size() == 1),
        tables_(static_cast<std::uint8_t>(has_one_pass_ ? 0 : groups_at_once(shape, rows_at_once))),
        passes_(shape.points, tables_ + 1U, std::move(has_input), std::move(has_output)) {}

  TransformPasses encode(bool is_all_in_strips) {
    is_all_in_strips_ = is_all_in_strips;
    add_inputs();
    add_outputs();
    return std::move(passes_);
  }

  TransformPasses recover(const RecoveringShape& shape) {
    add_inputs();
    add_solution(shape);
    for (std::size_t g = 0; g * points_ < shape.wanted.size(); ++g) add_wanted(shape, g);
    return std::move(passes_);
  }

 private:
  static constexpr std::uint8_t kNone = TransformStep::kNoTable;

  /// The table of sums: after the tables of groups; if all passes are in strips, the first table.
  std::uint8_t sums() const { return is_all_in_strips_ ? 0 : tables_; }

  bool has_group(std::size_t group) const {
    return any_set(shape_.has_input, group * points_, points_);
  }

  void add_inputs() {
    for (std::size_t g = 0; g < groups_of(shape_);) {
      if (!has_group(g)) {
        ++g;
      } else {
        g = has_one_pass_ ? add_sums_of_inputs(g) : add_groups(g);
      }
    }
  }

  /// Adds one pass from the inputs of `group` to the sums. Returns the next group.
  std::size_t add_sums_of_inputs(std::size_t group) {
    TransformStep step = levels_.front().step(
        has_sums_ ? TransformKind::kInputsAdded : TransformKind::kInputs, 0, kNone, sums());
    step.input = static_cast<std::uint32_t>(group * points_);
    passes_.add_pass(step, (group + 1) * points_);
    has_sums_ = true;
    return group + 1;
  }

  /// Adds the passes over groups from `first` on, each with inputs and a table of its own, and the
  /// step that sums them. Returns the next group.
  std::size_t add_groups(std::size_t first) {
    std::size_t group = first;
    for (std::uint8_t table = 0; table < tables_ && has_group(group); ++table) {
      add_group(group++, table);
    }
    const bool is_last = !any_set(shape_.has_input, group * points_, shape_.has_input.size());
    TransformStep step = levels_.back().step(
        is_last ? TransformKind::kSummedDown : TransformKind::kSummed, 0, 0, sums());
    step.is_in_strips = true;
    step.ends_strips = !is_all_in_strips_;
    step.tables = static_cast<std::uint8_t>(group - first);
    step.input = static_cast<std::uint32_t>(first * points_);
    step.adds = has_sums_;
    passes_.add_pass(step, points_ + first * points_);
    has_sums_ = true;
    return group;
  }

  /// Adds the passes upwards over `group`. The first pass clears blocks without inputs; later
  /// passes skip blocks whose rows are all 0.
  void add_group(std::size_t group, std::uint8_t table) {
    const std::size_t first_input = group * points_;
    std::vector<bool> is_there(points_);
    for (std::size_t i = 0; i < points_ && first_input + i < shape_.has_input.size(); ++i) {
      is_there[i] = shape_.has_input[first_input + i];
    }
    for (std::size_t p = 0; p + 1 < levels_.size(); ++p) {
      const std::size_t block = levels_[p].block();
      for (std::size_t row = 0; row < points_; row += block) {
        if (any_set(is_there, row, block)) {
          TransformStep step = levels_[p].step(p == 0 ? TransformKind::kInputs : TransformKind::kUp,
                                               row, p == 0 ? kNone : table, table);
          step.is_in_strips = true;
          step.input = static_cast<std::uint32_t>(first_input + row);
          passes_.add_pass(step, points_ + first_input + row);
        } else if (p == 0) {
          passes_.add_clear(table, row, block, true);
        }
      }
      levels_[p].spread(is_there);
    }
  }

  TransformStep step_down(std::size_t pass, std::size_t row) const {
    return levels_[pass].step(row == 0 ? TransformKind::kDownZero : TransformKind::kDown, row,
                              sums(), sums());
  }

  /// Adds the passes from the sums down to the outputs. The step that sums includes the pass of the
  /// highest levels, unless that is the only pass.
  void add_outputs() {
    const std::size_t passes = has_one_pass_ ? 1 : levels_.size() - 1;
    std::vector<bool> is_needed = shape_.has_output;
    is_needed.resize(points_);
    std::vector<TransformStep> steps;
    go_downwards(std::span(levels_).first(passes), is_needed, [&](std::size_t p, std::size_t row) {
      TransformStep& step = steps.emplace_back(step_down(p, row));
      step.is_in_strips = is_all_in_strips_;
      if (p != 0) return;
      step.kind = row == 0 ? TransformKind::kOutputsZero : TransformKind::kOutputs;
      step.to = kNone;
      step.output = step.row;
    });
    if (is_all_in_strips_) steps.back().ends_strips = true;
    for (const TransformStep& step : steps) passes_.add_pass(step, step.row);
  }

  /// Adds the passes from the sums to N: downwards, kSolved for the lowest levels, and upwards. If
  /// no data is left, the stored outputs are the syndromes, and kScaledInputs replaces kSolved.
  void add_solution(const RecoveringShape& shape) {
    const std::size_t first_stored = groups_of(shape_) * points_;
    std::vector<bool> all(points_, true);
    go_downwards(std::span(levels_).first(levels_.size() - 1), all,
                 [&](std::size_t p, std::size_t row) {
                   if (p != 0 && has_sums_) passes_.add_pass(step_down(p, row), row);
                 });
    for (const PassLevels& pass : levels_) {
      const bool is_first = pass.first == 0;
      for (const std::size_t row : pass.spread(all)) {
        TransformStep step = pass.step(TransformKind::kUp, row, sums(), sums());
        step.input = static_cast<std::uint32_t>(first_stored + row);
        if (is_first && !has_sums_) step.from = kNone;
        if (is_first) {
          step.kind = has_sums_ ? TransformKind::kSolved : TransformKind::kScaledInputs;
        }
        passes_.add_pass(step, row,
                         is_first ? std::span(shape.stored).subspan(row, pass.block())
                                  : std::span<const Field::Symbol>());
      }
    }
  }

  /// Adds the passes from N to the wanted cells of `group`, through the first table.
  void add_wanted(const RecoveringShape& shape, std::size_t group) {
    const std::size_t first = group * points_;
    std::vector<Field::Symbol> factors(shape.wanted.begin() + static_cast<std::ptrdiff_t>(first),
                                       shape.wanted.end());
    factors.resize(points_);
    go_downwards(levels_, nonzero(factors), [&](std::size_t p, std::size_t row) {
      TransformStep step = levels_[p].step(
          p == 0 ? TransformKind::kScaledOutputs : TransformKind::kDown, row,
          p + 1 == levels_.size() ? sums() : std::uint8_t{0}, p == 0 ? kNone : std::uint8_t{0});
      step.output = static_cast<std::uint32_t>(points_ + first + row);
      passes_.add_pass(step, points_ + first + row,
                       p == 0 ? std::span(factors).subspan(row, levels_[p].block())
                              : std::span<Field::Symbol>());
    });
  }

  const EncodingShape& shape_;
  std::size_t points_;
  std::vector<PassLevels> levels_;  ///< levels of each pass, lowest pass first
  bool has_one_pass_;
  std::uint8_t tables_;  ///< number of tables that hold groups; 0 if one pass is enough
  bool is_all_in_strips_ = false;
  bool has_sums_ = false;
  TransformPasses passes_;
};

}  // namespace

TransformPasses encoding_passes(const EncodingShape& shape, std::size_t max_levels,
                                std::size_t rows_at_once) {
  return EncodingBuilder(shape, max_levels, rows_at_once, shape.has_input, shape.has_output)
      .encode(false);
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
      .encode(true);
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

RecoveringShape with_factors(const Field& field, RecoveringShape shape) {
  const std::size_t points = shape.data.points;
  const auto levels = static_cast<std::size_t>(std::countr_zero(points));
  std::vector<Field::Symbol> roots;
  for (std::size_t i = 0; i < points; ++i) {
    if (shape.stored[i] == 0) roots.push_back(static_cast<Field::Symbol>(i));
  }
  for (std::size_t j = 0; j < shape.data.has_input.size(); ++j) {
    if (!shape.data.has_input[j]) roots.push_back(static_cast<Field::Symbol>(points + j));
  }
  const auto product = [&](std::size_t point) {
    return product_of_differences(field, roots, static_cast<Field::Symbol>(point));
  };
  for (std::size_t i = 0; i < points; ++i) {
    if (shape.stored[i] != 0) shape.stored[i] = product(i);
  }
  for (std::size_t j = 0; j < shape.wanted.size(); ++j) {
    if (shape.wanted[j] == 0) continue;
    const std::size_t point = points + j;
    const auto vanishing = static_cast<Field::Symbol>(point >> levels);
    shape.wanted[j] = field.invert(field.multiply(vanishing, product(point)));
  }
  return shape;
}

}  // namespace xorloom
