#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "codes/code.hpp"
#include "codes/field/matrix.hpp"

namespace xorloom::test {

/// Whether all of a location can be told from these cells, by rank. `rows` is the code's generator.
inline bool suffice(const Code& code, const Matrix& rows, const std::vector<Cell>& cells,
                    std::size_t location) {
  std::vector<Cell> with_location = cells;
  for (std::size_t i = 0; i < code.subchunks; ++i) {
    with_location.push_back(static_cast<Cell>(location * code.subchunks + i));
  }
  const auto rank_of = [&](const std::vector<Cell>& some) {
    Matrix read(some.size(), rows.columns());
    for (std::size_t i = 0; i < some.size(); ++i) {
      std::ranges::copy(rows.row(some[i]), read.row(i).begin());
    }
    return rank(code.field, std::move(read));
  };
  return rank_of(cells) == rank_of(with_location);
}

}  // namespace xorloom::test
