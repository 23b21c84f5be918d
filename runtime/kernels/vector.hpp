#pragma once

// A register of the instruction set that a kernel's file is compiled for, and how it multiplies.
// For the kernels' files alone: each includes its own copy, which nothing outside it can see.
//
//   Register  kBytes bytes; the processor has kAllRegisters registers
//   stream    stores past the caches, aligned, if kStreams; fence() orders those stores
//   add       adds two or three registers; three take one instruction if kAddsThree
//   split     collects the bytes at even places of a and b in a, the others in b, in some order
//             that join undoes
//   look_up   replaces each byte, which is less than 16, by its entry in a table of 16 bytes

#if defined(__ARM_NEON)
#include <arm_neon.h>
#else
#include <immintrin.h>
#endif

#include <cstddef>
#include <cstdint>

namespace xorloom {
namespace {

#if defined(__AVX512BW__)

/// All bytes of a register. Without a mask, some intrinsics of g++ 12 warn of uninitialised values
/// that are none (GCC bug 105593).
constexpr __mmask64 kAllBytes = ~__mmask64{0};

constexpr int kXorOfThree = 0x96;

struct Vector {
  using Register = __m512i;
  static constexpr std::size_t kBytes = 64;
  static constexpr std::size_t kAllRegisters = 32;
  static constexpr bool kStreams = true;
  static constexpr bool kAddsThree = true;

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
  static void fence() { _mm_sfence(); }
  static Register add(Register a, Register b) { return _mm512_xor_si512(a, b); }
  static Register add(Register a, Register b, Register c) {
    return _mm512_ternarylogic_epi64(a, b, c, kXorOfThree);
  }
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
  static Register low_nibbles(Register x) { return _mm512_and_si512(x, _mm512_set1_epi8(0x0f)); }
  static Register high_nibbles(Register x) { return low_nibbles(_mm512_srli_epi16(x, 4)); }
  static Register table(const std::uint8_t* bytes) {
    const __m128i table = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
    return _mm512_maskz_broadcast_i32x4(0xffff, table);
  }
  static Register look_up(Register table, Register x) { return _mm512_shuffle_epi8(table, x); }

 private:
  static __mmask64 first(std::size_t bytes) {
    return bytes < 64 ? (__mmask64{1} << bytes) - 1 : kAllBytes;
  }
};

#else

#if defined(__AVX2__)

struct WholeVector {
  using Register = __m256i;
  static constexpr std::size_t kBytes = 32;
  static constexpr std::size_t kAllRegisters = 16;
  static constexpr bool kStreams = true;

  static Register zero() { return _mm256_setzero_si256(); }
  static Register load(const std::uint8_t* from) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  }
  static void store(std::uint8_t* to, Register x) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), x);
  }
  static void stream(std::uint8_t* to, Register x) {
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to), x);
  }
  static void fence() { _mm_sfence(); }
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
  static Register low_nibbles(Register x) { return _mm256_and_si256(x, _mm256_set1_epi8(0x0f)); }
  static Register high_nibbles(Register x) { return low_nibbles(_mm256_srli_epi16(x, 4)); }
  static Register table(const std::uint8_t* bytes) {
    const __m128i table = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
    return _mm256_broadcastsi128_si256(table);
  }
  static Register look_up(Register table, Register x) { return _mm256_shuffle_epi8(table, x); }
};

#elif defined(__SSSE3__)

struct WholeVector {
  using Register = __m128i;
  static constexpr std::size_t kBytes = 16;
  static constexpr std::size_t kAllRegisters = 16;
  static constexpr bool kStreams = false;

  static Register zero() { return _mm_setzero_si128(); }
  static Register load(const std::uint8_t* from) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  }
  static void store(std::uint8_t* to, Register x) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), x);
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
  static Register low_nibbles(Register x) { return _mm_and_si128(x, _mm_set1_epi8(0x0f)); }
  static Register high_nibbles(Register x) { return low_nibbles(_mm_srli_epi16(x, 4)); }
  static Register table(const std::uint8_t* bytes) { return load(bytes); }
  static Register look_up(Register table, Register x) { return _mm_shuffle_epi8(table, x); }
};

#elif defined(__ARM_NEON)

struct WholeVector {
  using Register = uint8x16_t;
  static constexpr std::size_t kBytes = 16;
  static constexpr std::size_t kAllRegisters = 32;
  static constexpr bool kStreams = false;

  static Register zero() { return vdupq_n_u8(0); }
  static Register load(const std::uint8_t* from) { return vld1q_u8(from); }
  static void store(std::uint8_t* to, Register x) { vst1q_u8(to, x); }
  static void stream(std::uint8_t* to, Register x) { store(to, x); }
  static void fence() {}
  static Register add(Register a, Register b) { return veorq_u8(a, b); }
  static void split(Register& a, Register& b) {
    const Register low = vuzp1q_u8(a, b);
    b = vuzp2q_u8(a, b);
    a = low;
  }
  static void join(Register& a, Register& b) {
    const Register low = vzip1q_u8(a, b);
    b = vzip2q_u8(a, b);
    a = low;
  }
  static Register low_nibbles(Register x) { return vandq_u8(x, vdupq_n_u8(0x0f)); }
  static Register high_nibbles(Register x) { return vshrq_n_u8(x, 4); }
  static Register table(const std::uint8_t* bytes) { return load(bytes); }
  static Register look_up(Register table, Register x) { return vqtbl1q_u8(table, x); }
};

#endif

/// Replaces instructions that only AVX-512 has. Parts of a vector are copied through memory. Three
/// vectors are added in two steps, unless there is SHA3.
struct Vector : WholeVector {
  using WholeVector::add;
#if defined(__ARM_FEATURE_SHA3)
  static constexpr bool kAddsThree = true;
#else
  static constexpr bool kAddsThree = false;
#endif

  static Register load_part(const std::uint8_t* from, std::size_t bytes) {
    if (bytes == kBytes) return load(from);
    alignas(kBytes) std::uint8_t padded[kBytes] = {};
    __builtin_memcpy(padded, from, bytes);
    return load(padded);
  }
  static void store_part(std::uint8_t* to, std::size_t bytes, Register x) {
    if (bytes == kBytes) return store(to, x);
    alignas(kBytes) std::uint8_t padded[kBytes];
    store(padded, x);
    __builtin_memcpy(to, padded, bytes);
  }
  static Register add(Register a, Register b, Register c) {
#if defined(__ARM_FEATURE_SHA3)
    return veor3q_u8(a, b, c);
#else
    return add(add(a, b), c);
#endif
  }
};

#endif

/// Multiplies by looking up the products of both nibbles of a byte.
struct Nibbles : Vector {
  struct Prepared {
    Register low;
    Register high;
  };
  using Map = Prepared;
  static constexpr std::size_t kMapBytes = 32;
  static constexpr std::size_t kRegisters =
      kAllRegisters == 32 ? 28 : 13;  ///< for sums and sources
  static constexpr std::size_t kSourceRegisters = 2;

  static Prepared prepare(Register x) { return {low_nibbles(x), high_nibbles(x)}; }
  static Map map(const std::uint8_t* factor) { return {table(factor), table(factor + 16)}; }
  static Register multiply_add(Register sum, Map map, Prepared x) {
    if constexpr (kAddsThree) {
      return add(sum, look_up(map.low, x.low), look_up(map.high, x.high));
    }
    sum = add(sum, look_up(map.low, x.low));
    return add(sum, look_up(map.high, x.high));
  }
};

#if defined(__GFNI__)

/// Multiplies by matrices of bits.
struct Matrices : Vector {
  using Prepared = Register;
  using Map = Register;
  static constexpr std::size_t kMapBytes = 8;
  static constexpr std::size_t kRegisters = kAllRegisters - 2;
  static constexpr std::size_t kSourceRegisters = 1;

  static Prepared prepare(Register x) { return x; }
  static Map map(const std::uint8_t* factor) {
    long long bits = 0;
    __builtin_memcpy(&bits, factor, sizeof bits);
#if defined(__AVX512BW__)
    Map matrix = _mm512_set1_epi64(bits);
    // clang 14 scales the offset of a matrix that it lets the instruction broadcast from memory
    // wrongly; so it has to come from a register.
    __asm__("" : "+v"(matrix));
    return matrix;
#else
    return _mm256_set1_epi64x(bits);
#endif
  }
  static Register multiply_add(Register sum, Map map, Prepared x) {
#if defined(__AVX512BW__)
    return add(sum, _mm512_gf2p8affine_epi64_epi8(x, map, 0));
#else
    return add(sum, _mm256_gf2p8affine_epi64_epi8(x, map, 0));
#endif
  }
};

#endif

}  // namespace
}  // namespace xorloom
