#include "integrations/jerasure/matrix_code.hpp"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <memory>
#include <numeric>
#include <utility>

#include "codes/field/matrix.hpp"

namespace xorloom::jerasure {
namespace {

constexpr std::size_t kPacketUnit = 8;

Code words_code(const MatrixView& view) {
  if (view.w != 8 && view.w != 16 && view.w != 32) {
    throw Error(Status::kInvalidArgument, fmt::format("w = {} is not one of 8, 16 and 32", view.w));
  }
  Code code = systematic_code("jerasure", field_of(static_cast<int>(view.w)),
                              symbols_of(view.entries, view.m, view.k, std::uint64_t{1} << view.w));
  code.arrangement = Arrangement::kWord;
  return code;
}

Code packets_code(const MatrixView& view) {
  if (view.packet_bytes % kPacketUnit != 0) {
    throw Error(Status::kInvalidArgument, fmt::format("packets of {} bytes are no multiple of {}",
                                                      view.packet_bytes, kPacketUnit));
  }
  Code code;
  code.family = "jerasure";
  code.k = view.k;
  code.m = view.m;
  code.w = view.w;
  code.locations = view.k + view.m;
  code.subchunks = view.w;
  code.data.resize(view.k * view.w);
  std::iota(code.data.begin(), code.data.end(), Cell{0});
  code.redundant.resize(view.m * view.w);
  std::iota(code.redundant.begin(), code.redundant.end(), static_cast<Cell>(code.data.size()));
  code.parity = symbols_of(view.entries, view.m * view.w, view.k * view.w, 2);
  code.packet_bytes = view.packet_bytes;
  return code;
}

}  // namespace

Matrix symbols_of(const int* entries, std::size_t rows, std::size_t columns, std::uint64_t bound) {
  Matrix matrix(rows, columns);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      const auto entry = static_cast<unsigned int>(entries[i * columns + j]);
      if (entry >= bound) {
        throw Error(
            Status::kInvalidArgument,
            fmt::format("entry ({}, {}) of the matrix is {}, not below {}", i, j, entry, bound));
      }
      matrix(i, j) = entry;
    }
  }
  return matrix;
}

const Field& field_of(int w) {
  // They are never freed: threads may still use them while the process ends.
  static std::array<std::atomic<const Field*>, 33> fields;
  if (w < 1 || (w > 16 && w != 32)) {
    throw Error(Status::kInvalidArgument, fmt::format("w = {} is not one of 1 to 16 and 32", w));
  }
  std::atomic<const Field*>& place = fields[static_cast<std::size_t>(w)];
  if (const Field* const made = place.load(std::memory_order_acquire)) return *made;
  auto made = std::make_unique<const Field>(static_cast<std::size_t>(w));
  const Field* kept = nullptr;
  if (place.compare_exchange_strong(kept, made.get(), std::memory_order_acq_rel)) {
    return *made.release();
  }
  return *kept;
}

Code matrix_code(const MatrixView& view) {
  Code code = view.packet_bytes == 0 ? words_code(view) : packets_code(view);
  code.spec = "jerasure";
  return code;
}

}  // namespace xorloom::jerasure
