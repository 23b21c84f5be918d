#include "runtime/transforms/transform_passes.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace xorloom {
TransformStep PassLevels::step(TransformKind kind, std::size_t row, std::uint8_t from,
                               std::uint8_t to) const {
  TransformStep step;
  step.kind = kind;
  step.levels = static_cast<std::uint8_t>(levels);
  step.from = from;
  step.to = to;
  step.row = static_cast<std::uint32_t>(row);
  step.count = static_cast<std::uint32_t>(distance());
  step.distance = step.count;
  return step;
}

std::vector<std::size_t> PassLevels::spread(std::vector<bool>& flags) const {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < flags.size(); row += block()) {
    if (!any_set(flags, row, block())) continue;
    rows.push_back(row);
    std::fill_n(flags.begin() + static_cast<std::ptrdiff_t>(row), block(), true);
  }
  return rows;
}

std::vector<PassLevels> passes_over(std::size_t points, std::size_t most, std::size_t fewest) {
  const auto levels = static_cast<std::size_t>(std::countr_zero(points));
  const std::size_t passes = std::max((levels + most - 1) / most, fewest);
  std::vector<PassLevels> result;
  std::size_t first = 0;
  for (std::size_t p = 0; p < passes; ++p) {
    result.push_back({first, levels / passes + (p < levels % passes ? 1 : 0)});
    first += result.back().levels;
  }
  return result;
}

std::vector<bool> nonzero(std::span<const Field::Symbol> symbols) {
  std::vector<bool> flags;
  for (const Field::Symbol symbol : symbols) flags.push_back(symbol != 0);
  return flags;
}

bool any_set(const std::vector<bool>& flags, std::size_t first, std::size_t count) {
  const std::size_t begin = std::min(first, flags.size());
  const std::size_t end = std::min(first + count, flags.size());
  const auto at = [&](std::size_t i) { return flags.begin() + static_cast<std::ptrdiff_t>(i); };
  return std::find(at(begin), at(end), true) != at(end);
}

TransformPasses::TransformPasses(std::size_t points, std::size_t tables,
                                 std::vector<bool> has_input, std::vector<bool> has_output)
    : points_(points),
      tables_(tables),
      has_input_(std::move(has_input)),
      has_output_(std::move(has_output)) {
  has_output_.resize(std::max(points, has_output_.size()));
}

/// The constant of a butterfly of level l whose part begins at point P is the symbol P >> l.
void TransformPasses::add_constants(const TransformStep& step, std::size_t point) {
  const auto level = static_cast<std::size_t>(std::countr_zero(step.distance));
  for (std::size_t t = 0; t < step.levels; ++t) {
    const std::size_t parts = std::size_t{1} << (step.levels - t - 1);
    for (std::size_t part = 0; part < parts; ++part) {
      const std::size_t begin = point + (part << (level + t + 1));
      constants_.push_back(static_cast<Field::Symbol>(begin >> (level + t)));
    }
  }
}

void TransformPasses::add_pass(TransformStep step, std::size_t point,
                               std::span<const Field::Symbol> factors) {
  step.first_constant = static_cast<std::uint32_t>(constants_.size());
  const bool scales_outputs = step.kind == TransformKind::kScaledOutputs;
  if (!scales_outputs) constants_.insert(constants_.end(), factors.begin(), factors.end());
  for (std::size_t table = 0; table < step.tables; ++table) {
    add_constants(step, point + table * points_);
  }
  if (step.kind == TransformKind::kSummedDown) add_constants(step, 0);
  if (scales_outputs) constants_.insert(constants_.end(), factors.begin(), factors.end());
  multiplications_ += factors.size() - static_cast<std::size_t>(std::ranges::count(factors, 0U));
  count(step);
  steps_.push_back(step);
}

void TransformPasses::add_clear(std::uint8_t table, std::size_t row, std::size_t count,
                                bool is_in_strips) {
  TransformStep step;
  step.is_clear = true;
  step.is_in_strips = is_in_strips;
  step.to = table;
  step.row = static_cast<std::uint32_t>(row);
  step.count = static_cast<std::uint32_t>(count);
  steps_.push_back(step);
  stores_ += count;
}

void TransformPasses::count(const TransformStep& step) {
  const std::size_t rows = std::size_t{1} << step.levels;
  const std::size_t butterflies = step.levels * rows / 2;
  if (step.kind == TransformKind::kTurn) {
    const std::size_t there = butterflies - rows / 2;  // without those of the highest level
    const std::size_t zeros = rows / 2 - 1;
    multiplications_ += 2 * step.count * (there - zeros);
    additions_ += step.count * (3 * there + rows / 2);
  } else {
    const std::size_t zeros = step.has_zero() ? rows - 1 : 0;  // butterflies of first parts
    multiplications_ += step.count * (step.tables * butterflies - zeros);
    additions_ += step.count * step.tables * butterflies;
  }
  if (step.kind == TransformKind::kSummedDown) {
    multiplications_ += step.count * (butterflies - (rows - 1));
    additions_ += step.count * butterflies;
  }
  if (step.kind == TransformKind::kSolved) {
    multiplications_ += step.count * butterflies;
    additions_ += step.count * (butterflies + rows);
    loads_ += step.count * rows;
  }
  const bool adds = step.kind == TransformKind::kInputsAdded || step.adds;
  const std::size_t read = step.tables + (adds ? std::size_t{1} : 0);
  additions_ += step.count * rows * (read - 1);
  loads_ += step.count * rows * read;
  stores_ += step.count * rows;
  if (step.derived == TransformStep::kNoTable) return;
  additions_ += step.count * butterflies;
  loads_ += step.count * (rows - 1);
}

Matrix TransformPasses::matrix(const Field& field) const {
  return product(field, identity(has_output_.size()));
}

}  // namespace xorloom
