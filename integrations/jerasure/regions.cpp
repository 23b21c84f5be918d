#include "integrations/jerasure/regions.hpp"

#include <cstring>

#include "integrations/jerasure/memory.hpp"
#include "runtime/machine/last_error.hpp"
#include "runtime/stripes/add_sums.hpp"

namespace xorloom::jerasure {
namespace {

void multiply_row_of_words(const MatrixView& matrix, const int* row,
                           const std::uint8_t* const* reads, std::uint8_t* sum, std::size_t bytes) {
  bool adds = false;
  for (std::size_t j = 0; j < matrix.k; ++j) {
    if (row[j] != 1) continue;
    if (adds) {
      add_region(sum, reads[j], bytes);
    } else {
      copy_region(sum, reads[j], bytes);
    }
    adds = true;
  }
  for (std::size_t j = 0; j < matrix.k; ++j) {
    if (row[j] == 0 || row[j] == 1) continue;
    if (!multiply_region(matrix.w, row[j], reads[j], sum, bytes, adds)) {
      throw Error(Status::kInvalidArgument, last_error());
    }
    adds = true;
  }
}

void multiply_row_of_packets(const MatrixView& matrix, const int* rows,
                             const std::uint8_t* const* reads, std::uint8_t* sum,
                             std::size_t bytes) {
  const std::size_t packet = matrix.packet_bytes;
  const std::size_t columns = matrix.k * matrix.w;
  for (std::size_t at = 0; at < bytes; at += matrix.w * packet) {
    for (std::size_t i = 0; i < matrix.w; ++i) {
      bool adds = false;
      std::uint8_t* const to = sum + at + i * packet;
      for (std::size_t j = 0; j < columns; ++j) {
        if (rows[i * columns + j] == 0) continue;
        const std::uint8_t* const from = reads[j / matrix.w] + at + j % matrix.w * packet;
        if (adds) {
          add_region(to, from, packet);
        } else {
          copy_region(to, from, packet);
        }
        adds = true;
      }
    }
  }
}

}  // namespace

void add_region(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes) {
  if (to == from) {
    std::memset(to, 0, bytes);
  } else if (bytes > kFewBytes && check_adder() == Status::kOk) {
    add_to(to, from, bytes);
  } else {
    add_few(to, from, bytes);
  }
}

void copy_region(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes) {
  if (to != from) std::memcpy(to, from, bytes);
}

void multiply_in_order(const MatrixView& matrix, const std::uint8_t* const* reads,
                       std::uint8_t* const* sums, std::size_t bytes) {
  const bool is_words = matrix.packet_bytes == 0;
  for (std::size_t i = 0; i < matrix.m; ++i) {
    const int* const row = matrix.entries + i * matrix.size() / matrix.m;
    (is_words ? multiply_row_of_words : multiply_row_of_packets)(matrix, row, reads, sums[i],
                                                                 bytes);
  }
}

}  // namespace xorloom::jerasure
