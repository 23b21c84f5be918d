#include "codes/bits.hpp"

#include <algorithm>

#include "codes/text/error.hpp"

namespace xorloom {

Code bits_of(const Code& code) {
  if (code.arrangement != Arrangement::kPacket) {
    fail(Status::kUnsupported, "{} lays out words, whose bits cannot be read separately",
         code.name());
  }
  const std::size_t w = code.field.w();
  if (w == 1) return code;
  Code bits = code;
  bits.field = Field(1);
  bits.subchunks = code.rows();
  bits.data = elements_of(code, code.data);
  bits.redundant = elements_of(code, code.redundant);
  const BitMatrix ones = bitmatrix(code);
  bits.parity = Matrix(ones.rows(), ones.columns());
  for (std::size_t row = 0; row < ones.rows(); ++row) {
    for (const std::size_t column : ones.ones(row)) bits.parity(row, column) = 1;
  }
  bits.sums.clear();
  bits.hidden = 0;
  for (std::vector<Cell>& cells : bits.repair_cells) cells = elements_of(code, cells);
  return bits;
}

std::size_t units_of_chunk(const Code& code) {
  return code.arrangement == Arrangement::kPacket ? code.rows() : code.subchunks;
}

Code readable(const Code& code) {
  return code.arrangement == Arrangement::kPacket ? bits_of(code) : code;
}

std::vector<Cell> cells_holding(const Code& code, const std::vector<Element>& elements) {
  const std::size_t rows_of_cell = code.rows() / units_of_chunk(code);
  std::vector<Cell> cells;
  cells.reserve(elements.size());
  for (const Element element : elements) {
    cells.push_back(static_cast<Cell>(element / rows_of_cell));
  }
  std::ranges::sort(cells);
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  return cells;
}

}  // namespace xorloom
