#pragma once

// A register of 64 bytes, for the kernels' files alone (see word_kernel_loops.hpp).

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

namespace xorloom {
namespace {

/// Some unmasked intrinsics of g++ 12 warn of uninitialised values that are none (GCC bug 105593).
constexpr __mmask64 kAllBytes = ~__mmask64{0};

struct Avx512Vector {
  using Register = __m512i;
  static constexpr std::size_t kBytes = 64;
  static constexpr bool kStreams = true;
  static constexpr int kPrefetchLocality = 2;

  static Register zero() { return _mm512_setzero_si512(); }
  static Register load(const std::uint8_t* from) { return _mm512_loadu_si512(from); }
  static Register load_part(const std::uint8_t* from, std::size_t bytes) {
    return _mm512_maskz_loadu_epi8(first(bytes), from);
  }
  static void store(std::uint8_t* to, Register x) { _mm512_storeu_si512(to, x); }
  static void store_part(std::uint8_t* to, std::size_t bytes, Register x) {
    _mm512_mask_storeu_epi8(to, first(bytes), x);
  }
  static void stream(std::uint8_t* to, Register x) {
    _mm512_stream_si512(reinterpret_cast<__m512i*>(to), x);
  }
  static Register add(Register a, Register b) { return _mm512_xor_si512(a, b); }
  static void split(Register& a, Register& b) {
    const Register even = _mm512_set1_epi16(0xff);
    const Register low =
        _mm512_maskz_packus_epi16(kAllBytes, _mm512_and_si512(a, even), _mm512_and_si512(b, even));
    b = _mm512_maskz_packus_epi16(kAllBytes, _mm512_srli_epi16(a, 8), _mm512_srli_epi16(b, 8));
    a = low;
  }
  static void join(Register& a, Register& b) {
    const Register low = _mm512_maskz_unpacklo_epi8(kAllBytes, a, b);
    b = _mm512_maskz_unpackhi_epi8(kAllBytes, a, b);
    a = low;
  }

 private:
  static __mmask64 first(std::size_t bytes) {
    return bytes < 64 ? (__mmask64{1} << bytes) - 1 : kAllBytes;
  }
};

}  // namespace
}  // namespace xorloom
