#include "integrations/jerasure/statistics.hpp"

#include <atomic>

namespace xorloom::jerasure {
namespace {

using Counter = std::atomic<std::uint64_t>;
Counter xored;
Counter multiplied;
Counter copied;

/// No atomic addition: threads would wait for each other in every call.
void add(Counter& counter, std::uint64_t bytes) {
  if (bytes == 0) return;
  counter.store(counter.load(std::memory_order_relaxed) + bytes, std::memory_order_relaxed);
}

}  // namespace

Operations operations_of(const MatrixView& matrix) {
  const bool is_words = matrix.packet_bytes == 0;
  const std::size_t rows = is_words ? matrix.m : matrix.m * matrix.w;
  const std::size_t columns = is_words ? matrix.k : matrix.k * matrix.w;
  Operations operations;
  for (std::size_t i = 0; i < rows; ++i) {
    std::uint64_t ones = 0;
    for (std::size_t j = 0; j < columns; ++j) {
      const int entry = matrix.entries[i * columns + j];
      ones += entry == 1 ? 1 : 0;
      operations.multiplied += entry != 0 && entry != 1 ? 1 : 0;
    }
    operations.copied += ones == 0 ? 0 : 1;
    operations.xored += ones == 0 ? 0 : ones - 1;
  }
  return operations;
}

void count_operations(const Operations& operations, std::size_t times) {
  add(xored, operations.xored * times);
  add(multiplied, operations.multiplied * times);
  add(copied, operations.copied * times);
}

Operations take_operations() {
  return {xored.exchange(0, std::memory_order_relaxed),
          multiplied.exchange(0, std::memory_order_relaxed),
          copied.exchange(0, std::memory_order_relaxed)};
}

}  // namespace xorloom::jerasure
