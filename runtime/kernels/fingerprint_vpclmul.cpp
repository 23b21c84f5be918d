#include "runtime/kernels/fingerprint_products.hpp"

namespace xorloom {
namespace {

struct Whole {
  using Register = __m256i;
  static constexpr std::size_t kBytes = 32;

  static Register zero() { return _mm256_setzero_si256(); }
  static Register load(const std::uint8_t* from) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  }
  static void store(std::uint8_t* to, Register x) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), x);
  }
  static Register all(std::uint64_t word) {
    return _mm256_set1_epi64x(static_cast<long long>(word));
  }
  static Register add(Register a, Register b) { return _mm256_xor_si256(a, b); }
  static Register both(Register a, Register b) { return _mm256_and_si256(a, b); }
  template <std::size_t kBits>
  static Register left(Register x) {
    return _mm256_slli_epi64(x, static_cast<int>(kBits));
  }
  template <std::size_t kBits>
  static Register right(Register x) {
    return _mm256_srli_epi64(x, static_cast<int>(kBits));
  }
  static Register low_products(Register a, Register b) {
    return _mm256_clmulepi64_epi128(a, b, 0x00);
  }
  static Register high_products(Register a, Register b) {
    return _mm256_clmulepi64_epi128(a, b, 0x11);
  }
  static __m128i sum_of_products(Register x) {
    return _mm_xor_si128(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
  }
};

}  // namespace

extern constinit const FingerprintKernels kVpclmulFingerprints = {add_products<Whole>,
                                                                  slice_symbols<Whole>};

}  // namespace xorloom
