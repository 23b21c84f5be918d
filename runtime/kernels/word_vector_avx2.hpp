#pragma once

// A register of 32 bytes, for the kernels' files alone (see word_kernel_loops.hpp).

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

}  // namespace
}  // namespace xorloom
