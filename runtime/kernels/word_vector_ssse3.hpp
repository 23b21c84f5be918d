#pragma once

// A register of 16 bytes and how it multiplies, for the kernels' files alone (see
// word_kernel_loops.hpp).

#include <tmmintrin.h>

#include <cstddef>
#include <cstdint>

namespace xorloom {
namespace {

struct Ssse3 {
  using Register = __m128i;
  struct Prepared {
    Register low;
    Register high;
  };
  struct Map {
    Register low;
    Register high;
  };
  static constexpr std::size_t kBytes = 16;
  static constexpr bool kStreams = false;
  static constexpr int kPrefetchLocality = 2;
  static constexpr std::size_t kMapBytes = 32;
  static constexpr std::size_t kRegisters = 13;
  static constexpr std::size_t kSourceRegisters = 2;

  static Register zero() { return _mm_setzero_si128(); }
  static Register load(const std::uint8_t* from) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  }
  static Register load_part(const std::uint8_t* from, std::size_t bytes) {
    if (bytes == kBytes) return load(from);
    alignas(16) std::uint8_t padded[kBytes] = {};
    __builtin_memcpy(padded, from, bytes);
    return load(padded);
  }
  static void store(std::uint8_t* to, Register x) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), x);
  }
  static void store_part(std::uint8_t* to, std::size_t bytes, Register x) {
    if (bytes == kBytes) return store(to, x);
    alignas(16) std::uint8_t padded[kBytes];
    store(padded, x);
    __builtin_memcpy(to, padded, bytes);
  }
  static Register add(Register a, Register b) { return _mm_xor_si128(a, b); }
  static void split(Register& a, Register& b) {
    const Register even = _mm_set1_epi16(0xff);
    const Register low = _mm_packus_epi16(_mm_and_si128(a, even), _mm_and_si128(b, even));
    b = _mm_packus_epi16(_mm_srli_epi16(a, 8), _mm_srli_epi16(b, 8));
    a = low;
  }
  static void join(Register& a, Register& b) {
    const Register low = _mm_unpacklo_epi8(a, b);
    b = _mm_unpackhi_epi8(a, b);
    a = low;
  }

  static Prepared prepare(Register x) {
    const Register nibble = _mm_set1_epi8(0x0f);
    return {_mm_and_si128(x, nibble), _mm_and_si128(_mm_srli_epi16(x, 4), nibble)};
  }
  static Map map(const std::uint8_t* factor) { return {load(factor), load(factor + 16)}; }
  static Register multiply_add(Register sum, Map map, Prepared x) {
    sum = _mm_xor_si128(sum, _mm_shuffle_epi8(map.low, x.low));
    return _mm_xor_si128(sum, _mm_shuffle_epi8(map.high, x.high));
  }
};

}  // namespace
}  // namespace xorloom
