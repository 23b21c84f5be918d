#pragma once

#include <cstddef>
#include <cstdint>

#include "integrations/jerasure/matrix_products.hpp"

namespace xorloom::jerasure {

/// Bytes that Jerasure's operations go over: what jerasure_get_stats() answers.
struct Operations {
  std::uint64_t xored = 0;
  std::uint64_t multiplied = 0;
  std::uint64_t copied = 0;
};

/// The operations by which Jerasure computes the product of a matrix with chunks of one byte; on
/// packets, with chunks of w bytes. In each row the first one is a copy, other ones are XORs.
Operations operations_of(const MatrixView& matrix);

/// Adds `times` times `operations` to the process's counts. Concurrent additions may be lost, as in
/// Jerasure.
void count_operations(const Operations& operations, std::size_t times);

/// The operations since the last call.
Operations take_operations();

}  // namespace xorloom::jerasure
