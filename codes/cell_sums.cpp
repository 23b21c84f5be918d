#include "codes/cell_sums.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "codes/error.hpp"
#include "codes/families.hpp"

namespace xorloom {

CellSums::CellSums(Field field, std::size_t locations, std::size_t subchunks,
                   std::vector<Cell> data, std::size_t hidden)
    : field_(std::move(field)),
      locations_(locations),
      subchunks_(subchunks),
      data_(std::move(data)),
      hidden_(hidden) {
  const std::size_t cells = locations * subchunks;
  const std::size_t redundant = cells - data_.size();
  if (redundant > kMaxSymbols / std::max<std::size_t>(1, data_.size())) {
    fail(Status::kInvalidArgument,
         fmt::format("a matrix of {} redundant cells from {} data cells exceeds {} symbols",
                     redundant, data_.size(), kMaxSymbols));
  }
  rows_.resize(cells + hidden);
  for (std::size_t i = 0; i < data_.size(); ++i) {
    rows_[data_[i]].resize(data_.size());
    rows_[data_[i]][i] = 1;
  }
}

void CellSums::add(Cell target, std::vector<CellSum::Term> terms) {
  Row& sum = rows_[target];
  sum.resize(data_.size());
  for (const CellSum::Term& term : terms) add_scaled(field_, sum, term.factor, rows_[term.cell]);
  sums_.push_back({target, std::move(terms)});
}

void CellSums::add(Cell target, std::span<const Cell> cells) {
  std::vector<CellSum::Term> terms;
  for (const Cell cell : cells) terms.push_back({cell, 1});
  add(target, std::move(terms));
}

Code CellSums::code(std::string family) const {
  Code code;
  code.family = std::move(family);
  code.field = field_;
  code.locations = locations_;
  code.subchunks = subchunks_;
  code.data = data_;
  code.sums = sums_;
  code.hidden = hidden_;
  for (const CellSum& sum : sums_) {
    if (sum.target < code.num_cells()) code.redundant.push_back(sum.target);
  }
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
