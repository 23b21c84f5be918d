#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "integrations/jerasure/matrix_products.hpp"

namespace xorloom::jerasure {

/// A matrix whose products are lost chunks, in the order in which they were named. Its columns are
/// chunks that are left.
struct RecoveryRows {
  std::vector<std::size_t> reads;  ///< locations, one for each column
  std::vector<int> entries;        ///< as of a MatrixView with the same w and packets
};

/// The rows that rebuild lost locations, which ascend. None if those that are left do not suffice.
/// That they rebuild the lost data is proved by a product.
///
/// Errors: throws Error for a matrix that no code can have.
/// Cost:   some microseconds for four lost words of 10 + 4; e^3 products for e lost chunks of data.
std::optional<RecoveryRows> recovery_rows(const MatrixView& matrix,
                                          std::span<const std::size_t> lost);

}  // namespace xorloom::jerasure
