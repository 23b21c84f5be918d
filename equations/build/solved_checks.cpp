#include "equations/build/solved_checks.hpp"

#include "codes/field/elimination.hpp"

namespace xorloom {
namespace {

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
  Matrix checks = parity_checks(code);
  Elimination elimination(code.field, checks);
  for (const Cell cell : cells_used(uses, CellUse::kUnknown)) {
    elimination.solve(cell, elimination.solved());
  }
  const std::size_t first_target = elimination.solved();
  for (const Cell cell : solved.targets) {
    if (!elimination.solve(cell, first_target)) return std::nullopt;
  }
  const auto part = [&](std::size_t first, std::size_t last) {
    Matrix rows(last - first, solved.sources.size());
    for (std::size_t row = 0; row < rows.rows(); ++row) {
      for (std::size_t column = 0; column < rows.columns(); ++column) {
        rows(row, column) = checks(first + row, solved.sources[column]);
      }
    }
    return rows;
  };
  solved.rows = part(first_target, elimination.solved());
  solved.free_rows = part(elimination.solved(), checks.rows());
  return solved;
}

std::size_t checks_work(const Code& code) {
  return code.redundant.size() * code.redundant.size() * code.num_cells();
}

}  // namespace xorloom
