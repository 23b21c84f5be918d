#include <immintrin.h>

#include "runtime/word_kernel.hpp"

namespace xorloom {
namespace {

constexpr int kXorOfThree = 0x96;

/// Some unmasked intrinsics of g++ 12 warn of uninitialised values that are none (GCC bug 105593).
constexpr __mmask16 kAll = 0xffff;

/// Registers · 64 bytes of the output.
template <std::size_t Registers>
void combine(const WordBlock& block, std::size_t done) {
  const __m512i low_nibbles = _mm512_set1_epi8(0x0f);
  const auto source = [&](const WordTerm& term) {
    return block.chunks[term.location] + term.subchunk * block.subchunk_bytes + block.column + done;
  };
  __m512i sum[Registers];
#pragma GCC unroll 4
  for (std::size_t i = 0; i < Registers; ++i) sum[i] = _mm512_setzero_si512();
  std::size_t t = 0;
  for (; t < block.num_plain; ++t) {
    const std::uint8_t* from = source(block.terms[t]);
#pragma GCC unroll 4
    for (std::size_t i = 0; i < Registers; ++i) {
      sum[i] = _mm512_xor_si512(sum[i], _mm512_loadu_si512(from + 64 * i));
    }
  }
  for (; t < block.num_terms; ++t) {
    const std::uint8_t* from = source(block.terms[t]);
    const auto* table =
        reinterpret_cast<const __m128i*>(block.tables + std::size_t{32} * block.terms[t].table);
    const __m512i low = _mm512_maskz_broadcast_i32x4(kAll, _mm_loadu_si128(table));
    const __m512i high = _mm512_maskz_broadcast_i32x4(kAll, _mm_loadu_si128(table + 1));
#pragma GCC unroll 4
    for (std::size_t i = 0; i < Registers; ++i) {
      const __m512i bytes = _mm512_loadu_si512(from + 64 * i);
      const __m512i from_low = _mm512_shuffle_epi8(low, _mm512_and_si512(bytes, low_nibbles));
      const __m512i from_high =
          _mm512_shuffle_epi8(high, _mm512_and_si512(_mm512_srli_epi16(bytes, 4), low_nibbles));
      sum[i] = _mm512_ternarylogic_epi64(sum[i], from_low, from_high, kXorOfThree);
    }
  }
#pragma GCC unroll 4
  for (std::size_t i = 0; i < Registers; ++i)
    _mm512_storeu_si512(block.target + done + 64 * i, sum[i]);
}

}  // namespace

void combine_bytes_avx512(const WordBlock& block) noexcept {
  std::size_t done = 0;
  for (; block.bytes - done >= 256; done += 256) combine<4>(block, done);
  for (; done < block.bytes; done += 64) combine<1>(block, done);
}

}  // namespace xorloom
