#include "codes/cell_sums.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "codes/error.hpp"
#include "codes/families.hpp"

namespace xorloom {

CellSums::CellSums(Field field, std::size_t locations, std::size_t subchunks,
                   std::vector<Cell> data)
    : field_(std::move(field)),
      locations_(locations),
      subchunks_(subchunks),
      data_(std::move(data)) {
  const std::size_t cells = locations * subchunks;
  const std::size_t redundant = cells - data_.size();
  if (redundant > kMaxSymbols / std::max<std::size_t>(1, data_.size())) {
    fail(Status::kInvalidArgument,
         fmt::format("a matrix of {} redundant cells from {} data cells exceeds {} symbols",
                     redundant, data_.size(), kMaxSymbols));
  }
  rows_.resize(cells);
  for (std::size_t i = 0; i < data_.size(); ++i) {
    rows_[data_[i]].resize(data_.size());
    rows_[data_[i]][i] = 1;
  }
}

void CellSums::add(Cell redundant, std::span<const Term> terms) {
  Row sum(data_.size());
  for (const Term& term : terms) add_scaled(field_, sum, term.factor, rows_[term.cell]);
  add_row(redundant, std::move(sum));
}

void CellSums::add(Cell redundant, std::span<const Cell> cells) {
  std::vector<Term> terms;
  for (const Cell cell : cells) terms.push_back({cell, 1});
  add(redundant, terms);
}

void CellSums::add_row(Cell redundant, std::vector<Field::Symbol> row) {
  rows_[redundant] = std::move(row);
  redundant_.push_back(redundant);
}

Code CellSums::code(std::string family) const {
  Code code;
  code.family = std::move(family);
  code.field = field_;
  code.locations = locations_;
  code.subchunks = subchunks_;
  code.data = data_;
  code.redundant = redundant_;
  std::ranges::sort(code.redundant);
  code.parity = Matrix(code.redundant.size(), code.data.size());
  for (std::size_t r = 0; r < code.redundant.size(); ++r) {
    std::ranges::copy(rows_[code.redundant[r]], code.parity.row(r).begin());
  }
  return code;
}

std::vector<Cell> cells_of_locations(std::size_t first, std::size_t count, std::size_t subchunks) {
  std::vector<Cell> cells(count * subchunks);
  std::iota(cells.begin(), cells.end(), static_cast<Cell>(first * subchunks));
  return cells;
}

}  // namespace xorloom
