// The functions of Jerasure's jerasure.h that invert matrices and decode.

#include <algorithm>
#include <optional>
#include <vector>

#include "codes/field/matrix.hpp"
#include "integrations/jerasure/matrix_code.hpp"
#include "integrations/jerasure/matrix_products.hpp"
#include "integrations/jerasure/memory.hpp"

namespace xorloom::jerasure {
namespace {

constexpr int kBit = 1;  ///< w of what a bitmatrix consists of

/// Locations in a list ended by -1, ascending. nullopt: one is out of range, or more than m are
/// lost.
std::optional<std::vector<std::size_t>> lost_of(const int* erasures, int k, int m) {
  std::vector<std::size_t> lost;
  for (; *erasures != -1; ++erasures) {
    if (*erasures < 0 || *erasures >= k + m) return std::nullopt;
    lost.push_back(size(*erasures));
  }
  std::sort(lost.begin(), lost.end());
  lost.erase(std::unique(lost.begin(), lost.end()), lost.end());
  if (lost.size() > size(m)) return std::nullopt;
  return lost;
}

int decoded(const MatrixView& matrix, const int* erasures, char** data, char** coding, int bytes) {
  try {
    const auto lost = lost_of(erasures, static_cast<int>(matrix.k), static_cast<int>(matrix.m));
    if (!lost) return -1;
    if (lost->empty()) return 0;
    return decode(matrix, *lost, chunks_of(data), chunks_of(coding), size(bytes)) ? 0 : -1;
  } catch (...) {
    return -1;
  }
}

/// Inverts rows x rows symbols of w bits. Answer: whether there is an inverse.
bool invert(int w, const int* from, int* to, std::size_t rows) noexcept try {
  const Field& field = field_of(w);
  const auto found = inverse(field, symbols_of(from, rows, rows, std::uint64_t{1} << w));
  if (!found) return false;
  for (std::size_t i = 0; to != nullptr && i < rows; ++i) {
    for (std::size_t j = 0; j < rows; ++j) to[i * rows + j] = static_cast<int>((*found)(i, j));
  }
  return true;
} catch (...) {
  return false;
}

/// The inverse of the generator's rows of the first k locations left, in blocks of w x w bits or of
/// one symbol, and those locations.
///
/// Answer: 0, or -1 if there is none.
int decoding_matrix(int w, std::size_t k, std::size_t m, std::size_t block, const int* matrix,
                    const int* erased, int* inverted, int* ids) noexcept try {
  std::size_t found = 0;
  for (std::size_t i = 0; i < k + m && found < k; ++i) {
    if (erased[i] == 0) ids[found++] = static_cast<int>(i);
  }
  if (found < k) return -1;
  const std::size_t columns = k * block;
  std::vector<int> rows(columns * columns, 0);
  for (std::size_t i = 0; i < k; ++i) {
    const std::size_t location = size(ids[i]);
    int* const to = rows.data() + i * block * columns;
    if (location < k) {
      for (std::size_t b = 0; b < block; ++b) to[b * columns + location * block + b] = 1;
    } else {
      std::copy_n(matrix + (location - k) * block * columns, block * columns, to);
    }
  }
  return invert(w, rows.data(), inverted, columns) ? 0 : -1;
} catch (...) {
  return -1;
}

/// Multiplies one row of a matrix by chunks: those in `ids`, or the data if `ids` is null.
void add_up(const char* name, const MatrixView& row, const int* ids, int destination, char** data,
            char** coding, int bytes) noexcept {
  or_give_up(name, [&] {
    const auto chunk = [&, k = static_cast<int>(row.k)](int i) {
      return bytes_of(i < k ? data[i] : coding[i - k]);
    };
    std::vector<std::uint8_t*> sources;
    sources.reserve(row.k);
    for (int j = 0; j < static_cast<int>(row.k); ++j) {
      sources.push_back(chunk(ids == nullptr ? j : ids[j]));
    }
    std::uint8_t* const sum = chunk(destination);
    if (!encode(row, sources.data(), &sum, size(bytes))) give_up(name, last_error());
  });
}

}  // namespace
}  // namespace xorloom::jerasure

using namespace xorloom::jerasure;  // NOLINT(google-build-using-namespace): the functions are C's

/// Returns a number for each location: 1 if it is lost, else 0. Null if fewer than k are left. The
/// caller frees it by free().
XORLOOM_JERASURE int* jerasure_erasures_to_erased(int k, int m, int* erasures) {
  int* const erased = new_ints(size(k + m));
  int left = k + m;
  for (; erased != nullptr && *erasures != -1; ++erasures) {
    if (*erasures < 0 || *erasures >= k + m || erased[*erasures] != 0) continue;
    erased[*erasures] = 1;
    if (--left < k) {
      std::free(erased);
      return nullptr;
    }
  }
  return erased;
}

XORLOOM_JERASURE int jerasure_invert_matrix(int* mat, int* inv, int rows, int w) {
  return invert(w, mat, inv, size(rows)) ? 0 : -1;
}
XORLOOM_JERASURE int jerasure_invert_bitmatrix(int* mat, int* inv, int rows) {
  return invert(kBit, mat, inv, size(rows)) ? 0 : -1;
}
/// Answer: 1 or 0.
XORLOOM_JERASURE int jerasure_invertible_matrix(int* mat, int rows, int w) {
  return invert(w, mat, nullptr, size(rows)) ? 1 : 0;
}
XORLOOM_JERASURE int jerasure_invertible_bitmatrix(int* mat, int rows) {
  return invert(kBit, mat, nullptr, size(rows)) ? 1 : 0;
}

XORLOOM_JERASURE int jerasure_make_decoding_matrix(int k, int m, int w, int* matrix, int* erased,
                                                   int* made, int* dm_ids) {
  return decoding_matrix(w, size(k), size(m), 1, matrix, erased, made, dm_ids);
}
XORLOOM_JERASURE int jerasure_make_decoding_bitmatrix(int k, int m, int w, int* matrix, int* erased,
                                                      int* made, int* dm_ids) {
  return decoding_matrix(kBit, size(k), size(m), size(w), matrix, erased, made, dm_ids);
}

/// Answer: 0, or -1 if too much is lost. The flag says what no decoder here needs to know.
XORLOOM_JERASURE int jerasure_matrix_decode(int k, int m, int w, int* matrix, int /*row_k_ones*/,
                                            int* erasures, char** data_ptrs, char** coding_ptrs,
                                            int bytes) {
  return decoded({size(k), size(m), size(w), 0, matrix}, erasures, data_ptrs, coding_ptrs, bytes);
}
XORLOOM_JERASURE int jerasure_bitmatrix_decode(int k, int m, int w, int* bitmatrix,
                                               int /*row_k_ones*/, int* erasures, char** data_ptrs,
                                               char** coding_ptrs, int bytes, int packetsize) {
  if (packetsize <= 0) return -1;
  return decoded({size(k), size(m), size(w), size(packetsize), bitmatrix}, erasures, data_ptrs,
                 coding_ptrs, bytes);
}
XORLOOM_JERASURE int jerasure_schedule_decode_lazy(int k, int m, int w, int* bitmatrix,
                                                   int* erasures, char** data_ptrs,
                                                   char** coding_ptrs, int bytes, int packetsize,
                                                   int /*smart*/) {
  return jerasure_bitmatrix_decode(k, m, w, bitmatrix, 0, erasures, data_ptrs, coding_ptrs, bytes,
                                   packetsize);
}

XORLOOM_JERASURE void jerasure_matrix_dotprod(int k, int w, int* matrix_row, int* src_ids,
                                              int dest_id, char** data_ptrs, char** coding_ptrs,
                                              int bytes) {
  add_up("jerasure_matrix_dotprod", {size(k), 1, size(w), 0, matrix_row}, src_ids, dest_id,
         data_ptrs, coding_ptrs, bytes);
}
XORLOOM_JERASURE void jerasure_bitmatrix_dotprod(int k, int w, int* bitmatrix_row, int* src_ids,
                                                 int dest_id, char** data_ptrs, char** coding_ptrs,
                                                 int bytes, int packetsize) {
  if (packetsize <= 0) give_up("jerasure_bitmatrix_dotprod", kNoPackets);
  add_up("jerasure_bitmatrix_dotprod", {size(k), 1, size(w), size(packetsize), bitmatrix_row},
         src_ids, dest_id, data_ptrs, coding_ptrs, bytes);
}
