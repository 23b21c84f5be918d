#include "equations/build/used_part.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "equations/ir/operands.hpp"

namespace xorloom {

UsedPart::UsedPart(const BitMatrix& whole)
    : whole_rows_(whole.rows()), whole_columns_(whole.columns()) {
  std::vector<std::uint64_t> used((whole.columns() + 63) / 64);
  for (std::size_t r = 0; r < whole.rows(); ++r) {
    std::uint64_t any = 0;
    for (std::size_t w = 0; w < used.size(); ++w) {
      used[w] |= whole.row(r)[w];
      any |= whole.row(r)[w];
    }
    if (any != 0) rows_.push_back(r);
  }
  // By word: the number of columns that stay before it.
  std::vector<std::size_t> before(used.size());
  for (std::size_t w = 0; w < used.size(); ++w) {
    before[w] = columns_.size();
    for (std::uint64_t left = used[w]; left != 0; left &= left - 1) {
      columns_.push_back(w * 64 + static_cast<std::size_t>(std::countr_zero(left)));
    }
  }
  if (rows_.empty()) {
    rows_.push_back(0);
    columns_.push_back(0);
  }
  matrix_ = BitMatrix(rows_.size(), columns_.size());
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    for (const std::size_t column : whole.ones(rows_[r])) {
      const std::uint64_t below = used[column / 64] & ((std::uint64_t{1} << column % 64) - 1);
      matrix_.flip(r, before[column / 64] + static_cast<std::size_t>(std::popcount(below)));
    }
  }
}

Element UsedPart::in_whole(Element element) const {
  if (element < columns_.size()) return static_cast<Element>(columns_[element]);
  const std::size_t row = element - columns_.size();
  if (row < rows_.size()) return static_cast<Element>(whole_columns_ + rows_[row]);
  return static_cast<Element>(row - rows_.size() + whole_columns_ + whole_rows_);
}

Program UsedPart::in_whole(const Program& program) const {
  Program whole = layout_of_matrix(whole_rows_, whole_columns_);
  ElementNames names;
  const Element end = program.end_of_elements();
  for (Element e = 0; e < end; ++e) names.push_back(in_whole(e));
  Element none = kUnnamed;
  for (const Equation& equation : program.equations) {
    whole.equations.push_back(renamed(equation, names, none));
  }
  for (std::size_t r = 0; r < whole_rows_; ++r) {
    if (!std::ranges::binary_search(rows_, r)) whole.equations.push_back({whole.outputs[r], {}});
  }
  return whole;
}

CoreSchedule UsedPart::in_whole(CoreSchedule plan) const {
  for (CoreStep& step : plan.steps) {
    step.target = in_whole(step.target);
    for (Element& operand : step.operands) operand = in_whole(operand);
  }
  return plan;
}

}  // namespace xorloom
