// The functions of Jerasure's galois.h: arithmetic on symbols and on regions of words. Their names,
// arguments and results are facts of that interface; what they do is Xorloom's.

#include <algorithm>
#include <array>
#include <cstring>

#include "integrations/jerasure/matrix_code.hpp"
#include "integrations/jerasure/matrix_products.hpp"
#include "integrations/jerasure/memory.hpp"
#include "integrations/jerasure/regions.hpp"

namespace xorloom::jerasure {
namespace {

Field::Symbol symbol(int value) { return static_cast<Field::Symbol>(value); }

/// Multiplies `region` into `to`, or in place if `to` is null; adds to `to` if `add` is not 0.
void multiply_in(char* region, int factor, int bytes, char* to, int add, std::size_t w) {
  const bool is_in_place = to == nullptr;
  if (!multiply_region(w, factor, bytes_of(region), bytes_of(is_in_place ? region : to),
                       size(bytes), !is_in_place && add != 0)) {
    give_up("galois_region_multiply", last_error());
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
  multiply_in(region, multby, nbytes, r2, add, 8);
}
XORLOOM_JERASURE void galois_w16_region_multiply(char* region, int multby, int nbytes, char* r2,
                                                 int add) {
  multiply_in(region, multby, nbytes, r2, add, 16);
}
XORLOOM_JERASURE void galois_w32_region_multiply(char* region, int multby, int nbytes, char* r2,
                                                 int add) {
  multiply_in(region, multby, nbytes, r2, add, 32);
}

XORLOOM_JERASURE void galois_region_xor(char* src, char* dest, int nbytes) {
  add_region(bytes_of(dest), bytes_of(src), size(nbytes));
}

XORLOOM_JERASURE void galois_w8_region_xor(void* src, void* dest, int nbytes) {
  galois_region_xor(static_cast<char*>(src), static_cast<char*>(dest), nbytes);
}
XORLOOM_JERASURE void galois_w16_region_xor(void* src, void* dest, int nbytes) {
  galois_region_xor(static_cast<char*>(src), static_cast<char*>(dest), nbytes);
}
XORLOOM_JERASURE void galois_w32_region_xor(void* src, void* dest, int nbytes) {
  galois_region_xor(static_cast<char*>(src), static_cast<char*>(dest), nbytes);
}

/// Answer: 0, as 1 times 2 is 2 here.
XORLOOM_JERASURE int jerasure_autoconf_test() {
  return galois_single_multiply(1, 2, 8) == 2 ? 0 : -1;
}

XORLOOM_JERASURE void reed_sol_galois_w08_region_multby_2(char* region, int nbytes) {
  multiply_in(region, 2, nbytes, nullptr, 0, 8);
}
XORLOOM_JERASURE void reed_sol_galois_w16_region_multby_2(char* region, int nbytes) {
  multiply_in(region, 2, nbytes, nullptr, 0, 16);
}
XORLOOM_JERASURE void reed_sol_galois_w32_region_multby_2(char* region, int nbytes) {
  multiply_in(region, 2, nbytes, nullptr, 0, 32);
}
