// Row-diagonal parity: row parity, and the parity of diagonals that run through the row parity as
// well. A prime p gives p - 1 rows; locations past k are taken to be zero.

#include <fmt/format.h>

#include "codes/array.hpp"
#include "codes/cell_sums.hpp"
#include "codes/families.hpp"

namespace xorloom {

Code build_rdp(const Spec& spec) {
  const std::size_t k = spec.number("k", 1, kMaxArrayRows);
  const std::size_t p =
      spec.number_or("p", 3, kMaxArrayRows, prime_from(std::max<std::size_t>(3, k + 1)));
  check_prime("p", p);
  check_at_most("k", k, "p - 1", p - 1);
  const std::size_t rows = p - 1;
  check_xors_fit(k, 2 * rows);
  CellSums sums(Field(1), k + 2, rows, cells_of_locations(0, k, rows));
  const auto cell = [rows](std::size_t location, std::size_t row) {
    return static_cast<Cell>(location * rows + row);
  };
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<Cell> row;
    for (std::size_t j = 0; j < k; ++j) row.push_back(cell(j, i));
    sums.add(cell(k, i), row);
  }
  for (std::size_t i = 0; i < rows; ++i) {
    std::vector<Cell> diagonal;
    // Column p - 1 of the array is the row parity. Row p - 1 is zero, and so is not there.
    const auto add = [&](std::size_t column, std::size_t location) {
      const std::size_t row = (i + p - column) % p;
      if (row != p - 1) diagonal.push_back(cell(location, row));
    };
    for (std::size_t j = 0; j < k; ++j) add(j, j);
    add(p - 1, k);
    sums.add(cell(k + 1, i), diagonal);
  }
  Code code = sums.code("rdp");
  code.k = k;
  code.m = 2;
  code.w = rows;
  code.promised_losses = 2;
  code.proof = "Corbett et al.'s theorem: p is a prime above 2, k < p";
  finish_packets(code, spec, fmt::format("rdp:k={},p={}", k, p));
  return code;
}

}  // namespace xorloom
