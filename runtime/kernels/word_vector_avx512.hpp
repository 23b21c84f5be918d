#pragma once

// A register of 64 bytes and how it multiplies, for the kernels' files alone (see
// word_kernel_loops.hpp).

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
  /// The high half of a becomes the low one of b, and the other way round.
  static void exchange_halves(Register& a, Register& b) {
    const Register low = _mm512_maskz_shuffle_i64x2(0xff, a, b, 0x44);
    b = _mm512_maskz_shuffle_i64x2(0xff, a, b, 0xee);
    a = low;
  }

 private:
  static __mmask64 first(std::size_t bytes) {
    return bytes < 64 ? (__mmask64{1} << bytes) - 1 : kAllBytes;
  }
};

constexpr int kXorOfThree = 0x96;

struct Avx512Nibbles : Avx512Vector {
  struct Prepared {
    Register low;
    Register high;
  };
  struct Map {
    Register low;
    Register high;
  };
  static constexpr std::size_t kMapBytes = 32;
  static constexpr std::size_t kRegisters = 28;
  static constexpr std::size_t kSourceRegisters = 2;

  static Prepared prepare(Register x) {
    const Register nibble = _mm512_set1_epi8(0x0f);
    return {_mm512_and_si512(x, nibble), _mm512_and_si512(_mm512_srli_epi16(x, 4), nibble)};
  }
  static Map map(const std::uint8_t* factor) {
    const auto* table = reinterpret_cast<const __m128i*>(factor);
    return {_mm512_maskz_broadcast_i32x4(0xffff, _mm_loadu_si128(table)),
            _mm512_maskz_broadcast_i32x4(0xffff, _mm_loadu_si128(table + 1))};
  }
  static Register multiply_add(Register sum, Map map, Prepared x) {
    return _mm512_ternarylogic_epi64(sum, _mm512_shuffle_epi8(map.low, x.low),
                                     _mm512_shuffle_epi8(map.high, x.high), kXorOfThree);
  }
};

#if defined(__GFNI__)

struct Avx512Gfni : Avx512Vector {
  using Prepared = Register;
  using Map = Register;
  static constexpr std::size_t kMapBytes = 8;
  static constexpr std::size_t kRegisters = 30;
  static constexpr std::size_t kSourceRegisters = 1;

  static Prepared prepare(Register x) { return x; }
  static Map map(const std::uint8_t* factor) {
    long long bits = 0;
    __builtin_memcpy(&bits, factor, sizeof bits);
    Map matrix = _mm512_set1_epi64(bits);
    // clang 14 scales the offset of a matrix that it lets the instruction broadcast from memory
    // wrongly; so it has to come from a register.
    __asm__("" : "+v"(matrix));
    return matrix;
  }
  static Register multiply_add(Register sum, Map map, Prepared x) {
    return _mm512_xor_si512(sum, _mm512_gf2p8affine_epi64_epi8(x, map, 0));
  }
};

#endif

}  // namespace
}  // namespace xorloom
