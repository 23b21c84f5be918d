#pragma once

// Products of polynomials on x86. For the kernels' files alone: each includes its own copy.
//
//   low_products    of the even words of two registers, 128 bits each
//   high_products   of the odd words

#include <immintrin.h>

#include "runtime/kernels/fingerprint_loops.hpp"

namespace xorloom {
namespace {

struct Half {
  using Register = __m128i;
  static constexpr std::size_t kBytes = 16;

  static Register zero() { return _mm_setzero_si128(); }
  static Register load(const std::uint8_t* from) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  }
  static void store(std::uint8_t* to, Register x) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), x);
  }
  static Register all(std::uint64_t word) { return _mm_set1_epi64x(static_cast<long long>(word)); }
  static Register add(Register a, Register b) { return _mm_xor_si128(a, b); }
  static Register both(Register a, Register b) { return _mm_and_si128(a, b); }
  template <std::size_t kBits>
  static Register left(Register x) {
    return _mm_slli_epi64(x, static_cast<int>(kBits));
  }
  template <std::size_t kBits>
  static Register right(Register x) {
    return _mm_srli_epi64(x, static_cast<int>(kBits));
  }
  static Register low_products(Register a, Register b) { return _mm_clmulepi64_si128(a, b, 0x00); }
  static Register high_products(Register a, Register b) { return _mm_clmulepi64_si128(a, b, 0x11); }
  static __m128i sum_of_products(Register x) { return x; }
};

inline __m128i load_word(const void* from) {
  return _mm_loadl_epi64(static_cast<const __m128i*>(from));
}

template <class Lanes>
void add_products(const WordRuns& words, const std::uint64_t* keys, PolynomialSum& sum) noexcept {
  constexpr std::size_t kWords = Lanes::kBytes / 8;
  typename Lanes::Register sums[4] = {Lanes::zero(), Lanes::zero(), Lanes::zero(), Lanes::zero()};
  const auto multiply = [&](const std::uint8_t* from, const std::uint64_t* key, std::size_t to) {
    const auto word = Lanes::load(from);
    const auto factor = Lanes::load(reinterpret_cast<const std::uint8_t*>(key));
    sums[to] = Lanes::add(sums[to], Lanes::low_products(word, factor));
    sums[to + 1] = Lanes::add(sums[to + 1], Lanes::high_products(word, factor));
  };
  __m128i single = _mm_setzero_si128();
  for (std::size_t run = 0; run < words.runs; ++run) {
    const std::uint8_t* const from = words.begin + run * words.stride;
    std::size_t i = 0;
    for (; i + 2 * kWords <= words.run_words; i += 2 * kWords) {
      multiply(from + 8 * i, keys + i, 0);
      multiply(from + 8 * (i + kWords), keys + i + kWords, 2);
    }
    for (; i + kWords <= words.run_words; i += kWords) multiply(from + 8 * i, keys + i, 0);
    for (; i < words.run_words; ++i) {
      const __m128i product =
          _mm_clmulepi64_si128(load_word(from + 8 * i), load_word(keys + i), 0x00);
      single = _mm_xor_si128(single, product);
    }
    keys += words.run_words;
  }
  for (const auto& each : sums) single = _mm_xor_si128(single, Lanes::sum_of_products(each));
  sum.low ^= static_cast<std::uint64_t>(_mm_cvtsi128_si64(single));
  sum.high ^= static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_unpackhi_epi64(single, single)));
}

}  // namespace
}  // namespace xorloom
