#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "integrations/jerasure/matrix_products.hpp"

namespace xorloom::jerasure {

/// A matrix that computes the lost chunks, one row each in the given order, from surviving chunks,
/// one column each.
struct RecoveryRows {
  std::vector<std::size_t> reads;  ///< locations, one for each column
  std::vector<int> entries;        ///< laid out as MatrixView::entries
};

/// The rows that rebuild `lost`, which ascends. nullopt if the surviving chunks do not suffice. A
/// product of matrices proves the rows of lost data.
///
/// Errors: throws Error for a matrix that no code can have.
/// Cost:   some microseconds for four lost words of 10 + 4; e^3 products for e lost chunks of data.
std::optional<RecoveryRows> recovery_rows(const MatrixView& matrix,
                                          std::span<const std::size_t> lost);

}  // namespace xorloom::jerasure
