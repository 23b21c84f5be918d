#pragma once

#include <cstddef>
#include <cstdint>

#include "integrations/jerasure/matrix_products.hpp"

namespace xorloom::jerasure {

// Operations on regions of bytes, in the order in which Jerasure does them. That order matters only
// where what is written lies over what is read: then the bytes are Jerasure's by it alone.

/// Adds `from` to `to`, which may be the same.
void add_region(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes);

/// Copies `from` to `to`, which may be the same.
void copy_region(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes);

/// sums = matrix times reads: row after row, in each first its ones. On packets, super-block after
/// super-block.
///
/// Buffers: a sum may be one of the chunks that are read.
/// Errors:  throws Error as multiply_region() fails.
void multiply_in_order(const MatrixView& matrix, const std::uint8_t* const* reads,
                       std::uint8_t* const* sums, std::size_t bytes);

}  // namespace xorloom::jerasure
