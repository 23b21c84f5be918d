#include <immintrin.h>

#include "runtime/word_kernel.hpp"

namespace xorloom {
namespace {

/// Registers · 32 bytes of the output.
template <std::size_t Registers>
void combine(const WordBlock& block, std::size_t done) {
  const __m256i low_nibbles = _mm256_set1_epi8(0x0f);
  const auto source = [&](const WordTerm& term) {
    return reinterpret_cast<const __m256i*>(
        block.chunks[term.location] + term.subchunk * block.subchunk_bytes + block.column + done);
  };
  __m256i sum[Registers];
#pragma GCC unroll 4
  for (std::size_t i = 0; i < Registers; ++i) sum[i] = _mm256_setzero_si256();
  std::size_t t = 0;
  for (; t < block.num_plain; ++t) {
    const __m256i* from = source(block.terms[t]);
#pragma GCC unroll 4
    for (std::size_t i = 0; i < Registers; ++i) {
      sum[i] = _mm256_xor_si256(sum[i], _mm256_loadu_si256(from + i));
    }
  }
  for (; t < block.num_terms; ++t) {
    const __m256i* from = source(block.terms[t]);
    const auto* table =
        reinterpret_cast<const __m128i*>(block.tables + std::size_t{32} * block.terms[t].table);
    const __m256i low = _mm256_broadcastsi128_si256(_mm_loadu_si128(table));
    const __m256i high = _mm256_broadcastsi128_si256(_mm_loadu_si128(table + 1));
#pragma GCC unroll 4
    for (std::size_t i = 0; i < Registers; ++i) {
      const __m256i bytes = _mm256_loadu_si256(from + i);
      const __m256i products = _mm256_xor_si256(
          _mm256_shuffle_epi8(low, _mm256_and_si256(bytes, low_nibbles)),
          _mm256_shuffle_epi8(high, _mm256_and_si256(_mm256_srli_epi64(bytes, 4), low_nibbles)));
      sum[i] = _mm256_xor_si256(sum[i], products);
    }
  }
  auto* to = reinterpret_cast<__m256i*>(block.target + done);
#pragma GCC unroll 4
  for (std::size_t i = 0; i < Registers; ++i) _mm256_storeu_si256(to + i, sum[i]);
}

}  // namespace

void combine_bytes_avx2(const WordBlock& block) noexcept {
  std::size_t done = 0;
  for (; block.bytes - done >= 128; done += 128) combine<4>(block, done);
  for (; done < block.bytes; done += 32) combine<1>(block, done);
}

}  // namespace xorloom
