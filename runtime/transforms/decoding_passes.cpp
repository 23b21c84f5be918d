#include "runtime/transforms/decoding_passes.hpp"

#include <cstdint>
#include <span>
#include <utility>

#include "codes/transform_recovery.hpp"

namespace xorloom {
namespace {

class DecodingBuilder {
 public:
  DecodingBuilder(const DecodingShape& shape, std::size_t max_levels)
      : shape_(shape),
        levels_(passes_over(shape.points, max_levels, 2)),
        is_there_{nonzero(shape.known)},
        passes_(shape.points, levels_.size(), nonzero(shape.known), nonzero(shape.wanted)) {}

  TransformPasses build() {
    const std::size_t last = levels_.size() - 1;
    for (std::size_t p = 0; p < last; ++p) add_upwards(p);
    clear_missing(last, kTurnRow);
    passes_.add_pass(
        levels_[last].step(TransformKind::kTurn, kTurnRow, table(last - 1), last_table()),
        kTurnRow);
    go_downwards(std::span(levels_).first(last), nonzero(shape_.wanted),
                 [&](std::size_t p, std::size_t row) { add_downwards(p, row); });
    return std::move(passes_);
  }

 private:
  static constexpr std::size_t kTurnRow = 0;

  /// Table p holds the result of pass p upwards. The last table holds the results of passes
  /// downwards.
  static std::uint8_t table(std::size_t pass) { return static_cast<std::uint8_t>(pass); }
  std::uint8_t last_table() const { return table(levels_.size() - 1); }

  /// Clears the rows of the block at `row` that `pass` reads and no earlier pass has written, since
  /// all of them are 0.
  void clear_missing(std::size_t pass, std::size_t row) {
    const std::vector<bool>& is_there = is_there_[pass];
    const std::size_t end = row + levels_[pass].block();
    while (row < end) {
      std::size_t next = row;
      while (next < end && !is_there[next]) ++next;
      if (next != row) passes_.add_clear(table(pass - 1), row, next - row);
      row = next;
      while (row < end && is_there[row]) ++row;
    }
  }

  /// The factors by which the first pass scales the block that begins at `row`; empty for other
  /// passes.
  std::span<const Field::Symbol> factors_of(const std::vector<Field::Symbol>& factors,
                                            std::size_t pass, std::size_t row) const {
    if (pass != 0) return {};
    return std::span(factors).subspan(row, levels_[pass].block());
  }

  void add_upwards(std::size_t pass) {
    std::vector<bool> is_there = is_there_[pass];
    for (const std::size_t row : levels_[pass].spread(is_there)) {
      if (pass != 0) clear_missing(pass, row);
      TransformStep step =
          levels_[pass].step(pass == 0 ? TransformKind::kScaledInputs : TransformKind::kUp, row,
                             pass == 0 ? TransformStep::kNoTable : table(pass - 1), table(pass));
      step.input = step.row;
      passes_.add_pass(step, row, factors_of(shape_.known, pass, row));
    }
    is_there_.push_back(std::move(is_there));
  }

  void add_downwards(std::size_t pass, std::size_t row) {
    const bool derives = is_there_[pass + 1][row];
    const TransformKind kind = pass == 0  ? TransformKind::kScaledOutputs
                               : derives  ? TransformKind::kDownDerived
                               : row == 0 ? TransformKind::kDownZero
                                          : TransformKind::kDown;
    TransformStep step = levels_[pass].step(kind, row, last_table(),
                                            pass == 0 ? TransformStep::kNoTable : last_table());
    if (derives) step.derived = table(pass);
    if (pass == 0) step.output = step.row;
    passes_.add_pass(step, row, factors_of(shape_.wanted, pass, row));
  }

  const DecodingShape& shape_;
  std::vector<PassLevels> levels_;
  std::vector<std::vector<bool>> is_there_;  ///< by pass upwards: the rows it reads that are not 0
  TransformPasses passes_;
};

}  // namespace

DecodingShape with_factors(const Field& field, DecodingShape shape,
                           const std::vector<bool>& is_zero) {
  std::vector<Field::Symbol> lost;
  for (std::size_t i = 0; i < shape.points; ++i) {
    if (shape.known[i] == 0 && !is_zero[i]) lost.push_back(static_cast<Field::Symbol>(i));
  }
  for (std::size_t i = 0; i < shape.points; ++i) {
    if (shape.known[i] == 0 && shape.wanted[i] == 0) continue;
    // L(i), or L'(i) if i is a root of L.
    const Field::Symbol product =
        product_of_differences(field, lost, static_cast<Field::Symbol>(i));
    if (shape.known[i] != 0) shape.known[i] = product;
    if (shape.wanted[i] != 0) shape.wanted[i] = field.invert(product);
  }
  return shape;
}

TransformPasses decoding_passes(const DecodingShape& shape, std::size_t max_levels) {
  return DecodingBuilder(shape, max_levels).build();
}

}  // namespace xorloom
