#include "codes/cell_sums.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "codes/text/error.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kNoColumn = ~std::size_t{0};

}  // namespace

CellSums::CellSums(Field field, std::size_t locations, std::size_t subchunks,
                   std::vector<Cell> data, const SpecLimits& limits, std::size_t hidden)
    : field_(std::move(field)),
      locations_(locations),
      subchunks_(subchunks),
      data_(std::move(data)),
      hidden_(hidden),
      limits_(limits) {
  const std::size_t cells = locations * subchunks;
  const std::size_t redundant = cells - data_.size();
  const auto text = [&](const char* kind, std::size_t rows) {
    return fmt::format("a matrix of {} {} cells from {} data cells, {} symbols,", rows, kind,
                       data_.size(), rows * data_.size());
  };
  check_symbols(limits, redundant, data_.size(), text("redundant", redundant));
  if (limits.symbols < kMaxSymbols) {
    check_symbols(limits, hidden / 4, data_.size(), text("hidden", hidden));
  }
  rows_.resize(cells + hidden);
  column_of_.resize(cells + hidden, kNoColumn);
  for (std::size_t i = 0; i < data_.size(); ++i) column_of_[data_[i]] = i;
}

void CellSums::add(Cell target, std::vector<CellSum::Term> terms) {
  Row& sum = rows_[target];
  sum.resize(data_.size());
  for (const CellSum::Term& term : terms) {
    if (const std::size_t column = column_of_[term.cell]; column != kNoColumn) {
      sum[column] ^= term.factor;
      continue;
    }
    operations_ += data_.size();
    check_operations(limits_, operations_);
    add_scaled(field_, sum, term.factor, rows_[term.cell]);
  }
  sums_.push_back({target, std::move(terms)});
}

void CellSums::add(Cell target, std::span<const Cell> cells) {
  std::vector<CellSum::Term> terms;
  for (const Cell cell : cells) terms.push_back({cell, 1});
  add(target, std::move(terms));
}

Code CellSums::code(std::string family, std::size_t k, std::size_t m, std::size_t w,
                    std::string proof) const {
  Code code;
  code.family = std::move(family);
  code.k = k;
  code.m = m;
  code.w = w;
  code.promised_losses = m;
  code.proof = std::move(proof);
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

std::vector<Cell> cells_of_locations(std::size_t locations, std::size_t subchunks,
                                     std::size_t rows) {
  std::vector<Cell> cells;
  for (std::size_t location = 0; location < locations; ++location) {
    for (std::size_t row = 0; row < rows; ++row) {
      cells.push_back(static_cast<Cell>(location * subchunks + row));
    }
  }
  return cells;
}

}  // namespace xorloom
