#include "equations/build/solved_checks.hpp"

#include <algorithm>

namespace xorloom {
namespace {

/// Rows of parity checks being solved, column by column.
class Elimination {
 public:
  explicit Elimination(const Code& code)
      : field_(code.field), checks_(code.redundant.size(), code.num_cells()) {
    for (std::size_t row = 0; row < checks_.rows(); ++row) {
      checks_(row, code.redundant[row]) = 1;
      for (std::size_t column = 0; column < code.data.size(); ++column) {
        checks_(row, code.data[column]) = code.parity(row, column);
      }
    }
  }

  const Matrix& checks() const { return checks_; }
  std::size_t first_free() const { return done_; }

  /// Solves one of the rows that are left for a column, and takes the column out of those from
  /// `first` on. False if no row that is left has it.
  bool solve(Cell column, std::size_t first) {
    std::size_t row = done_;
    while (row < checks_.rows() && checks_(row, column) == 0) ++row;
    if (row == checks_.rows()) return false;
    std::ranges::swap_ranges(checks_.row(row), checks_.row(done_));
    scale_row(field_, checks_.row(done_), field_.invert(checks_(done_, column)));
    for (std::size_t other = first; other < checks_.rows(); ++other) {
      if (other == done_ || checks_(other, column) == 0) continue;
      add_scaled(field_, checks_.row(other), checks_(other, column), checks_.row(done_));
    }
    ++done_;
    return true;
  }

 private:
  const Field& field_;
  Matrix checks_;
  std::size_t done_ = 0;  ///< rows that are solved stand first
};

std::vector<Cell> cells_used(const std::vector<CellUse>& uses, CellUse use) {
  std::vector<Cell> cells;
  for (std::size_t cell = 0; cell < uses.size(); ++cell) {
    if (uses[cell] == use) cells.push_back(static_cast<Cell>(cell));
  }
  return cells;
}

}  // namespace

std::optional<SolvedChecks> solved_checks(const Code& code, const std::vector<CellUse>& uses) {
  SolvedChecks solved;
  solved.targets = cells_used(uses, CellUse::kTarget);
  solved.sources = cells_used(uses, CellUse::kSource);
  Elimination elimination(code);
  for (const Cell cell : cells_used(uses, CellUse::kUnknown)) {
    elimination.solve(cell, elimination.first_free());
  }
  const std::size_t first_target = elimination.first_free();
  for (const Cell cell : solved.targets) {
    if (!elimination.solve(cell, first_target)) return std::nullopt;
  }
  const Matrix& checks = elimination.checks();
  const auto part = [&](std::size_t first, std::size_t last) {
    Matrix rows(last - first, solved.sources.size());
    for (std::size_t row = 0; row < rows.rows(); ++row) {
      for (std::size_t column = 0; column < rows.columns(); ++column) {
        rows(row, column) = checks(first + row, solved.sources[column]);
      }
    }
    return rows;
  };
  solved.rows = part(first_target, elimination.first_free());
  solved.free_rows = part(elimination.first_free(), checks.rows());
  return solved;
}

std::size_t checks_work(const Code& code) {
  return code.redundant.size() * code.redundant.size() * code.num_cells();
}

}  // namespace xorloom
