// The functions of ISA-L's erasure_code.h and gf_vect_mul.h. Their names, arguments and results are
// facts of that interface; what they do is Xorloom's.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "integrations/isal/matrix_plans.hpp"

#define XORLOOM_ISAL extern "C" __attribute__((visibility("default")))

namespace {

using Byte = unsigned char;
using xorloom::isal::add_product;
using xorloom::isal::kTableBytes;
using xorloom::isal::multiply;

/// For each coefficient, its products with 0 … 15 and with 0, 16 … 240.
using Tables = std::array<std::array<Byte, kTableBytes>, 256>;

constexpr Tables kTables = [] {
  Tables tables{};
  for (std::size_t c = 0; c < tables.size(); ++c) {
    std::size_t product = c;  // with 1, 2, 4 … 128
    for (std::size_t bit = 0; bit < 8; ++bit) {
      const std::size_t first = bit / 4 * 16;
      const std::size_t value = std::size_t{1} << bit % 4;
      for (std::size_t i = 0; i < value; ++i) {
        tables[c][first + value + i] = static_cast<Byte>(product ^ tables[c][first + i]);
      }
      product = product << 1U ^ (product >= 128 ? 0x11d : 0);
    }
  }
  return tables;
}();

constexpr Byte product(Byte a, Byte b) {
  return static_cast<Byte>(kTables[a][b & 0xf] ^ kTables[a][16 + (b >> 4)]);
}

/// The inverse a^254 of each a; 0 for 0.
constexpr std::array<Byte, 256> kInverses = [] {
  std::array<Byte, 256> inverses{};
  for (std::size_t a = 0; a < inverses.size(); ++a) {
    Byte square = static_cast<Byte>(a);
    Byte power = 1;
    for (int bit = 1; bit < 8; ++bit) {
      square = product(square, square);
      power = product(power, square);
    }
    inverses[a] = a == 0 ? Byte{0} : power;
  }
  return inverses;
}();

Byte inverse(Byte a) { return kInverses[a]; }

std::size_t size(int number) { return number > 0 ? static_cast<std::size_t>(number) : 0; }

void set_identity(Byte* matrix, int n, int columns) {
  std::memset(matrix, 0, size(n) * size(columns));
  for (int i = 0; i < n; ++i) matrix[i * columns + i] = 1;
}

/// Subtracts a multiple of a row from another; row += factor * other.
void add_row(Byte* row, const Byte* other, Byte factor, int n) {
  for (int j = 0; j < n; ++j) row[j] = static_cast<Byte>(row[j] ^ product(factor, other[j]));
}

void swap_rows(Byte* a, Byte* b, int n) {
  for (int j = 0; j < n; ++j) std::swap(a[j], b[j]);
}

}  // namespace

XORLOOM_ISAL Byte gf_mul(Byte a, Byte b) { return product(a, b); }

XORLOOM_ISAL Byte gf_inv(Byte a) { return inverse(a); }

XORLOOM_ISAL void gf_gen_rs_matrix(Byte* a, int m, int k) {
  set_identity(a, k < m ? k : m, k);
  Byte base = 1;
  for (int i = k; i < m; ++i) {
    Byte power = 1;
    for (int j = 0; j < k; ++j) {
      a[k * i + j] = power;
      power = product(power, base);
    }
    base = product(base, 2);
  }
}

XORLOOM_ISAL void gf_gen_cauchy1_matrix(Byte* a, int m, int k) {
  set_identity(a, k < m ? k : m, k);
  for (int i = k; i < m; ++i) {
    for (int j = 0; j < k; ++j) a[k * i + j] = inverse(static_cast<Byte>(i ^ j));
  }
}

/// The inverse of a matrix, which is lost. Answer: 0, or -1 if there is none.
XORLOOM_ISAL int gf_invert_matrix(Byte* in, Byte* out, const int n) {
  set_identity(out, n, n);
  for (int i = 0; i < n; ++i) {
    int pivot = i;
    while (pivot < n && in[pivot * n + i] == 0) ++pivot;
    if (pivot == n) return -1;
    if (pivot != i) {
      swap_rows(in + pivot * n, in + i * n, n);
      swap_rows(out + pivot * n, out + i * n, n);
    }
    const Byte factor = inverse(in[i * n + i]);
    for (int j = 0; j < n; ++j) {
      in[i * n + j] = product(in[i * n + j], factor);
      out[i * n + j] = product(out[i * n + j], factor);
    }
    for (int row = 0; row < n; ++row) {
      const Byte lead = in[row * n + i];
      if (row == i || lead == 0) continue;
      add_row(in + row * n, in + i * n, lead, n);
      add_row(out + row * n, out + i * n, lead, n);
    }
  }
  return 0;
}

/// The products of a coefficient with 0 … 15, and with 0, 16 … 240.
XORLOOM_ISAL void gf_vect_mul_init(Byte c, Byte* gftbl) {
  std::memcpy(gftbl, kTables[c].data(), kTableBytes);
}

XORLOOM_ISAL void ec_init_tables(int k, int rows, Byte* a, Byte* gftbls) {
  for (std::size_t i = 0; i < size(k) * size(rows); ++i) {
    std::memcpy(gftbls + i * kTableBytes, kTables[a[i]].data(), kTableBytes);
  }
}

XORLOOM_ISAL void ec_encode_data(int len, int k, int rows, Byte* gftbls, Byte** data,
                                 Byte** coding) {
  multiply(size(len), size(k), size(rows), size(k), gftbls, data, coding);
}

XORLOOM_ISAL void ec_encode_data_update(int len, int k, int rows, int vec_i, Byte* g_tbls,
                                        Byte* data, Byte** coding) {
  if (vec_i < 0 || vec_i >= k) return;
  add_product(size(len), size(rows), size(k), g_tbls + size(vec_i) * kTableBytes, data, coding);
}

XORLOOM_ISAL void gf_vect_dot_prod(int len, int vlen, Byte* gftbls, Byte** src, Byte* dest) {
  multiply(size(len), size(vlen), 1, size(vlen), gftbls, src, &dest);
}

XORLOOM_ISAL void gf_vect_mad(int len, int vec, int vec_i, Byte* gftbls, Byte* src, Byte* dest) {
  if (vec_i < 0 || vec_i >= vec) return;
  add_product(size(len), 1, size(vec), gftbls + size(vec_i) * kTableBytes, src, &dest);
}

/// Answer: 0, or a number that is not 0 if len is no multiple of 32.
XORLOOM_ISAL int gf_vect_mul(int len, Byte* gftbl, void* src, void* dest) {
  if (len % 32 != 0) return -1;
  const auto* const from = static_cast<const Byte*>(src);
  auto* const to = static_cast<Byte*>(dest);
  multiply(size(len), 1, 1, 1, gftbl, &from, &to);
  return 0;
}

// The same functions under the names of ISA-L's implementations. All of them run what is best on
// this machine. Two come from versions after 2.30.

XORLOOM_ISAL void gf_vect_mul_init_base(Byte c, Byte* gftbl) { gf_vect_mul_init(c, gftbl); }
XORLOOM_ISAL void ec_init_tables_base(int k, int rows, Byte* a, Byte* gftbls) {
  ec_init_tables(k, rows, a, gftbls);
}

XORLOOM_ISAL void ec_encode_data_base(int len, int srcs, int dests, Byte* v, Byte** src,
                                      Byte** dest) {
  ec_encode_data(len, srcs, dests, v, src, dest);
}
XORLOOM_ISAL void ec_encode_data_update_base(int len, int k, int rows, int vec_i, Byte* v,
                                             Byte* data, Byte** dest) {
  ec_encode_data_update(len, k, rows, vec_i, v, data, dest);
}
XORLOOM_ISAL void gf_vect_dot_prod_base(int len, int vlen, Byte* v, Byte** src, Byte* dest) {
  gf_vect_dot_prod(len, vlen, v, src, dest);
}
XORLOOM_ISAL void gf_vect_mad_base(int len, int vec, int vec_i, Byte* v, Byte* src, Byte* dest) {
  gf_vect_mad(len, vec, vec_i, v, src, dest);
}
/// Unlike gf_vect_mul, for any length.
XORLOOM_ISAL void gf_vect_mul_base(int len, Byte* a, Byte* src, Byte* dest) {
  const Byte* const from = src;
  multiply(size(len), 1, 1, 1, a, &from, &dest);
}

#if defined(__x86_64__)

#define XORLOOM_ISAL_VECTORS(count, isa)                                                         \
  XORLOOM_ISAL void gf_##count##vect_dot_prod_##isa(int len, int vlen, Byte* gftbls, Byte** src, \
                                                    Byte** dest) {                               \
    ec_encode_data(len, vlen, count, gftbls, src, dest);                                         \
  }                                                                                              \
  XORLOOM_ISAL void gf_##count##vect_mad_##isa(int len, int vec, int vec_i, Byte* gftbls,        \
                                               Byte* src, Byte** dest) {                         \
    ec_encode_data_update(len, vec, count, vec_i, gftbls, src, dest);                            \
  }

#define XORLOOM_ISAL_NAMES(isa)                                                                    \
  XORLOOM_ISAL void ec_encode_data_##isa(int len, int k, int rows, Byte* gftbls, Byte** data,      \
                                         Byte** coding) {                                          \
    ec_encode_data(len, k, rows, gftbls, data, coding);                                            \
  }                                                                                                \
  XORLOOM_ISAL void ec_encode_data_update_##isa(int len, int k, int rows, int vec_i, Byte* g_tbls, \
                                                Byte* data, Byte** coding) {                       \
    ec_encode_data_update(len, k, rows, vec_i, g_tbls, data, coding);                              \
  }                                                                                                \
  XORLOOM_ISAL void gf_vect_dot_prod_##isa(int len, int vlen, Byte* gftbls, Byte** src,            \
                                           Byte* dest) {                                           \
    gf_vect_dot_prod(len, vlen, gftbls, src, dest);                                                \
  }                                                                                                \
  XORLOOM_ISAL void gf_vect_mad_##isa(int len, int vec, int vec_i, Byte* gftbls, Byte* src,        \
                                      Byte* dest) {                                                \
    gf_vect_mad(len, vec, vec_i, gftbls, src, dest);                                               \
  }                                                                                                \
  XORLOOM_ISAL_VECTORS(2, isa)                                                                     \
  XORLOOM_ISAL_VECTORS(3, isa)                                                                     \
  XORLOOM_ISAL_VECTORS(4, isa)                                                                     \
  XORLOOM_ISAL_VECTORS(5, isa)                                                                     \
  XORLOOM_ISAL_VECTORS(6, isa)

XORLOOM_ISAL_NAMES(sse)
XORLOOM_ISAL_NAMES(avx)
XORLOOM_ISAL_NAMES(avx2)
XORLOOM_ISAL_NAMES(avx512)

XORLOOM_ISAL int gf_vect_mul_sse(int len, Byte* gftbl, void* src, void* dest) {
  return gf_vect_mul(len, gftbl, src, dest);
}
XORLOOM_ISAL int gf_vect_mul_avx(int len, Byte* gftbl, void* src, void* dest) {
  return gf_vect_mul(len, gftbl, src, dest);
}

#endif
