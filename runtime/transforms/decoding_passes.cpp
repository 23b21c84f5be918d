#include "runtime/transforms/decoding_passes.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>

#include "codes/transform_recovery.hpp"

namespace xorloom {
namespace {

std::vector<bool> nonzero(const std::vector<Field::Symbol>& symbols) {
  std::vector<bool> flags;
  for (const Field::Symbol symbol : symbols) flags.push_back(symbol != 0);
  return flags;
}

class DecodingBuilder {
 public:
  DecodingBuilder(const DecodingShape& shape, std::size_t max_levels)
      : shape_(shape),
        levels_of_pass_(levels_of_passes(static_cast<std::size_t>(std::countr_zero(shape.points)),
                                         max_levels, 2)),
        is_there_(levels_of_pass_.size(), std::vector<bool>(shape.points)),
        passes_(shape.points, levels_of_pass_.size(), nonzero(shape.known), nonzero(shape.wanted)) {
    is_there_.front() = nonzero(shape.known);
    std::size_t level = 0;
    for (const std::size_t levels : levels_of_pass_) {
      first_level_.push_back(level);
      level += levels;
    }
  }

  TransformPasses build() {
    for (std::size_t p = 0; p + 1 < levels_of_pass_.size(); ++p) add_upwards(p);
    add_turn();
    std::vector<std::vector<std::size_t>> blocks = needed_blocks();
    for (std::size_t p = levels_of_pass_.size() - 1; p-- > 0;) add_downwards(p, blocks[p]);
    return std::move(passes_);
  }

 private:
  static constexpr std::size_t kTurnRow = 0;

  /// Table p holds what pass p upwards makes. The last one holds what passes downwards make.
  static std::uint8_t table(std::size_t pass) { return static_cast<std::uint8_t>(pass); }
  std::uint8_t last_table() const { return table(levels_of_pass_.size() - 1); }

  std::size_t distance(std::size_t pass) const { return std::size_t{1} << first_level_[pass]; }
  std::size_t block(std::size_t pass) const { return distance(pass) << levels_of_pass_[pass]; }

  TransformStep step(std::size_t pass, std::size_t row) const {
    TransformStep step;
    step.levels = static_cast<std::uint8_t>(levels_of_pass_[pass]);
    step.row = static_cast<std::uint32_t>(row);
    step.input = static_cast<std::uint32_t>(row);
    step.count = static_cast<std::uint32_t>(distance(pass));
    step.distance = static_cast<std::uint32_t>(distance(pass));
    return step;
  }

  /// Rows of a block that a pass reads and none before it has written, since all are 0.
  void clear_missing(std::size_t pass, std::size_t row) {
    const std::vector<bool>& is_there = is_there_[pass];
    const std::size_t end = row + block(pass);
    while (row < end) {
      std::size_t next = row;
      while (next < end && !is_there[next]) ++next;
      if (next != row) passes_.add_clear(table(pass - 1), row, next - row);
      row = next;
      while (row < end && is_there[row]) ++row;
    }
  }

  void add_upwards(std::size_t pass) {
    for (std::size_t row = 0; row < shape_.points; row += block(pass)) {
      if (!any_set(is_there_[pass], row, block(pass))) continue;
      if (pass != 0) clear_missing(pass, row);
      TransformStep step = this->step(pass, row);
      step.kind = pass == 0 ? TransformKind::kScaledInputs : TransformKind::kUp;
      if (pass != 0) step.from = table(pass - 1);
      step.to = table(pass);
      std::span<const Field::Symbol> factors;
      if (pass == 0) factors = std::span(shape_.known).subspan(row, block(pass));
      passes_.add_pass(step, row, first_level_[pass], factors);
      std::fill_n(is_there_[pass + 1].begin() + static_cast<std::ptrdiff_t>(row), block(pass),
                  true);
    }
  }

  void add_turn() {
    const std::size_t pass = levels_of_pass_.size() - 1;
    clear_missing(pass, kTurnRow);
    TransformStep step = this->step(pass, kTurnRow);
    step.kind = TransformKind::kTurn;
    step.from = table(pass - 1);
    step.to = last_table();
    passes_.add_pass(step, kTurnRow, first_level_[pass]);
  }

  /// By pass the blocks, by their first row, that have to be computed downwards.
  std::vector<std::vector<std::size_t>> needed_blocks() const {
    std::vector<std::vector<std::size_t>> blocks(levels_of_pass_.size());
    std::vector<bool> is_needed = nonzero(shape_.wanted);
    for (std::size_t pass = 0; pass < blocks.size(); ++pass) {
      for (std::size_t row = 0; row < shape_.points; row += block(pass)) {
        if (any_set(is_needed, row, block(pass))) blocks[pass].push_back(row);
      }
      for (const std::size_t row : blocks[pass]) {
        std::fill_n(is_needed.begin() + static_cast<std::ptrdiff_t>(row), block(pass), true);
      }
    }
    return blocks;
  }

  void add_downwards(std::size_t pass, const std::vector<std::size_t>& blocks) {
    for (const std::size_t row : blocks) {
      const bool derives = is_there_[pass + 1][row];
      TransformStep step = this->step(pass, row);
      step.from = last_table();
      if (derives) step.derived = table(pass);
      std::span<const Field::Symbol> factors;
      if (pass == 0) {
        step.kind = TransformKind::kScaledOutputs;
        step.output = step.row;
        factors = std::span(shape_.wanted).subspan(row, block(pass));
      } else {
        step.kind = derives ? TransformKind::kDownDerived
                            : (row == 0 ? TransformKind::kDownZero : TransformKind::kDown);
        step.to = last_table();
      }
      passes_.add_pass(step, row, first_level_[pass], factors);
    }
  }

  const DecodingShape& shape_;
  std::vector<std::size_t> levels_of_pass_;  ///< from the bottom
  std::vector<std::size_t> first_level_;     ///< by pass
  std::vector<std::vector<bool>> is_there_;  ///< by pass upwards: the rows it reads that are not 0
  TransformPasses passes_;
};

}  // namespace

DecodingShape decoding_shape(const Field& field, const std::vector<bool>& is_known,
                             const std::vector<bool>& is_zero, const std::vector<bool>& is_wanted) {
  const std::size_t points = is_known.size();
  std::vector<Field::Symbol> lost;
  for (std::size_t i = 0; i < points; ++i) {
    if (!is_known[i] && !is_zero[i]) lost.push_back(static_cast<Field::Symbol>(i));
  }
  /// L(i), or L'(i) where i is one of its roots.
  const auto product = [&](std::size_t point) {
    return product_of_differences(field, lost, static_cast<Field::Symbol>(point));
  };
  DecodingShape shape{points, std::vector<Field::Symbol>(points),
                      std::vector<Field::Symbol>(points)};
  for (std::size_t i = 0; i < points; ++i) {
    if (is_known[i]) shape.known[i] = product(i);
    if (is_wanted[i]) shape.wanted[i] = field.invert(product(i));
  }
  return shape;
}

TransformPasses decoding_passes(const DecodingShape& shape, std::size_t max_levels) {
  return DecodingBuilder(shape, max_levels).build();
}

}  // namespace xorloom
