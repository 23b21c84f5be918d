#include "codes/cell_contents.hpp"

namespace xorloom {

CellContents::CellContents(const Code& code)
    : code_(code), is_data_(code.num_cells()), place_(code.num_cells()) {
  for (std::size_t c = 0; c < code.data.size(); ++c) {
    is_data_[code.data[c]] = true;
    place_[code.data[c]] = c;
  }
  for (std::size_t r = 0; r < code.redundant.size(); ++r) place_[code.redundant[r]] = r;
}

void CellContents::add(std::span<Field::Symbol> sum, Cell cell, Field::Symbol factor) const {
  if (factor == 0) return;
  if (is_data_[cell]) {
    sum[place_[cell]] ^= factor;
  } else {
    add_scaled(code_.field, sum, factor, code_.parity.row(place_[cell]));
  }
}

}  // namespace xorloom
