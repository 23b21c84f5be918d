#include "equations/search/lower_bound.hpp"

#include <algorithm>
#include <vector>

#include "equations/ir/circuit.hpp"

namespace xorloom {
namespace {

struct Rows {
  std::size_t nonzero = 0;
  std::size_t gates = 0;  ///< that the rows need at least
};

Rows count_rows(const BitMatrix& matrix) {
  Rows rows;
  std::vector<std::vector<std::size_t>> sums;
  for (std::size_t r = 0; r < matrix.rows(); ++r) {
    std::vector<std::size_t> ones = matrix.ones(r);
    if (!ones.empty()) ++rows.nonzero;
    if (ones.size() > 1) sums.push_back(std::move(ones));
  }
  std::ranges::sort(sums);
  const auto repeated = std::unique(sums.begin(), sums.end());
  sums.erase(repeated, sums.end());
  const bool has_pair =
      std::ranges::any_of(sums, [](const auto& ones) { return ones.size() == 2; });
  rows.gates = sums.size() + (sums.empty() || has_pair ? 0 : 1);
  return rows;
}

}  // namespace

std::size_t lower_bound(const BitMatrix& matrix) {
  const Rows rows = count_rows(matrix);
  const Rows columns = count_rows(transposed(matrix));
  const std::size_t backwards = columns.gates + columns.nonzero;
  return std::max(rows.gates, backwards - std::min(backwards, rows.nonzero));
}

}  // namespace xorloom
