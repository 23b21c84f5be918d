// The functions of Jerasure's galois.h: arithmetic on symbols and on regions of words. Their names,
// arguments and results are facts of that interface; what they do is Xorloom's.

#include <algorithm>
#include <array>
#include <cstring>

#include "integrations/jerasure/matrix_code.hpp"
#include "integrations/jerasure/matrix_codecs.hpp"
#include "integrations/jerasure/memory.hpp"
#include "runtime/stripes/add_sums.hpp"

namespace xorloom::jerasure {
namespace {

constexpr std::size_t kPieceBytes = 4096;

Field::Symbol symbol(int value) { return static_cast<Field::Symbol>(value); }

void add_bytes(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes) {
  if (check_adder() == Status::kOk) {
    add_to(to, from, bytes);
  } else {
    for (std::size_t i = 0; i < bytes; ++i) to[i] = static_cast<std::uint8_t>(to[i] ^ from[i]);
  }
}

/// to = factor times from, or added to it; they may be the same.
void multiply_region(char* region, int factor, int bytes, char* to, int add, int w) {
  std::uint8_t* const from = bytes_of(region);
  std::uint8_t* const written = to == nullptr ? from : bytes_of(to);
  alignas(64) std::array<std::uint8_t, kPieceBytes> product;
  for (std::size_t at = 0; at < size(bytes); at += kPieceBytes) {
    const std::size_t piece = std::min(kPieceBytes, size(bytes) - at);
    const std::uint8_t* const data = from + at;
    std::uint8_t* const made = product.data();
    if (!encode({1, 1, size(w), 0, &factor}, &data, &made, piece)) {
      give_up("galois_region_multiply", last_error());
    }
    if (to != nullptr && add != 0) {
      add_bytes(written + at, made, piece);
    } else {
      std::memcpy(written + at, made, piece);
    }
  }
}

}  // namespace
}  // namespace xorloom::jerasure

using namespace xorloom::jerasure;  // NOLINT(google-build-using-namespace): the functions are C's

XORLOOM_JERASURE int galois_init_default_field(int w) {
  try {
    field_of(w);
    return 0;
  } catch (...) {
    return -1;
  }
}

/// Fields live as long as the process.
XORLOOM_JERASURE int galois_uninit_field(int /*w*/) { return 0; }

XORLOOM_JERASURE int galois_single_multiply(int a, int b, int w) {
  if (a == 0 || b == 0) return 0;
  return or_give_up("galois_single_multiply",
                    [&] { return static_cast<int>(field_of(w).multiply(symbol(a), symbol(b))); });
}

/// Answer: -1 where b is 0.
XORLOOM_JERASURE int galois_single_divide(int a, int b, int w) {
  if (b == 0) return -1;
  if (a == 0) return 0;
  return or_give_up("galois_single_divide", [&] {
    const xorloom::Field& field = field_of(w);
    return static_cast<int>(field.multiply(symbol(a), field.invert(symbol(b))));
  });
}

XORLOOM_JERASURE int galois_inverse(int a, int w) { return galois_single_divide(1, a, w); }

XORLOOM_JERASURE void galois_w08_region_multiply(char* region, int multby, int nbytes, char* r2,
                                                 int add) {
  multiply_region(region, multby, nbytes, r2, add, 8);
}
XORLOOM_JERASURE void galois_w16_region_multiply(char* region, int multby, int nbytes, char* r2,
                                                 int add) {
  multiply_region(region, multby, nbytes, r2, add, 16);
}
XORLOOM_JERASURE void galois_w32_region_multiply(char* region, int multby, int nbytes, char* r2,
                                                 int add) {
  multiply_region(region, multby, nbytes, r2, add, 32);
}

XORLOOM_JERASURE void galois_region_xor(char* src, char* dest, int nbytes) {
  add_bytes(bytes_of(dest), bytes_of(src), size(nbytes));
}

XORLOOM_JERASURE void reed_sol_galois_w08_region_multby_2(char* region, int nbytes) {
  multiply_region(region, 2, nbytes, nullptr, 0, 8);
}
XORLOOM_JERASURE void reed_sol_galois_w16_region_multby_2(char* region, int nbytes) {
  multiply_region(region, 2, nbytes, nullptr, 0, 16);
}
XORLOOM_JERASURE void reed_sol_galois_w32_region_multby_2(char* region, int nbytes) {
  multiply_region(region, 2, nbytes, nullptr, 0, 32);
}
