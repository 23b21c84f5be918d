#pragma once

// A register of 32 bytes and how it multiplies, for the kernels' files alone (see
// word_kernel_loops.hpp).

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

namespace xorloom {
namespace {

struct Avx2Vector {
  using Register = __m256i;
  static constexpr std::size_t kBytes = 32;
  static constexpr bool kStreams = true;
  static constexpr int kPrefetchLocality = 2;

  static Register zero() { return _mm256_setzero_si256(); }
  static Register load(const std::uint8_t* from) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  }
  static Register load_part(const std::uint8_t* from, std::size_t bytes) {
    if (bytes == kBytes) return load(from);
    alignas(32) std::uint8_t padded[kBytes] = {};
    __builtin_memcpy(padded, from, bytes);
    return load(padded);
  }
  static void store(std::uint8_t* to, Register x) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), x);
  }
  static void store_part(std::uint8_t* to, std::size_t bytes, Register x) {
    if (bytes == kBytes) return store(to, x);
    alignas(32) std::uint8_t padded[kBytes];
    store(padded, x);
    __builtin_memcpy(to, padded, bytes);
  }
  static void stream(std::uint8_t* to, Register x) {
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to), x);
  }
  static Register add(Register a, Register b) { return _mm256_xor_si256(a, b); }
  static void split(Register& a, Register& b) {
    const Register even = _mm256_set1_epi16(0xff);
    const Register low = _mm256_packus_epi16(_mm256_and_si256(a, even), _mm256_and_si256(b, even));
    b = _mm256_packus_epi16(_mm256_srli_epi16(a, 8), _mm256_srli_epi16(b, 8));
    a = low;
  }
  static void join(Register& a, Register& b) {
    const Register low = _mm256_unpacklo_epi8(a, b);
    b = _mm256_unpackhi_epi8(a, b);
    a = low;
  }
};

struct Avx2Nibbles : Avx2Vector {
  struct Prepared {
    Register low;
    Register high;
  };
  struct Map {
    Register low;
    Register high;
  };
  static constexpr std::size_t kMapBytes = 32;
  static constexpr std::size_t kRegisters = 13;
  static constexpr std::size_t kSourceRegisters = 2;

  static Prepared prepare(Register x) {
    const Register nibble = _mm256_set1_epi8(0x0f);
    return {_mm256_and_si256(x, nibble), _mm256_and_si256(_mm256_srli_epi16(x, 4), nibble)};
  }
  static Map map(const std::uint8_t* factor) {
    const auto* table = reinterpret_cast<const __m128i*>(factor);
    return {_mm256_broadcastsi128_si256(_mm_loadu_si128(table)),
            _mm256_broadcastsi128_si256(_mm_loadu_si128(table + 1))};
  }
  static Register multiply_add(Register sum, Map map, Prepared x) {
    sum = _mm256_xor_si256(sum, _mm256_shuffle_epi8(map.low, x.low));
    return _mm256_xor_si256(sum, _mm256_shuffle_epi8(map.high, x.high));
  }
};

#if defined(__GFNI__)

struct Avx2Gfni : Avx2Vector {
  using Prepared = Register;
  using Map = Register;
  static constexpr std::size_t kMapBytes = 8;
  static constexpr std::size_t kRegisters = 14;
  static constexpr std::size_t kSourceRegisters = 1;

  static Prepared prepare(Register x) { return x; }
  static Map map(const std::uint8_t* factor) {
    long long bits = 0;
    __builtin_memcpy(&bits, factor, sizeof bits);
    return _mm256_set1_epi64x(bits);
  }
  static Register multiply_add(Register sum, Map map, Prepared x) {
    return _mm256_xor_si256(sum, _mm256_gf2p8affine_epi64_epi8(x, map, 0));
  }
};

#endif

}  // namespace
}  // namespace xorloom
