#include <immintrin.h>

#include "runtime/kernels/plain_xor_kernel.hpp"

namespace xorloom {
namespace {

constexpr std::size_t kLine = 64;
constexpr std::size_t kVector = 32;  ///< half a line
constexpr std::size_t kGroup = 8;    ///< streams at a time in a slice

/// Some of the streams over a range of bytes. A sum is added to what is carried in, if anything,
/// and goes to what is carried out, if anything, instead of the written streams; both begin with
/// the range.
struct Pass {
  const std::uint8_t* const* reads;
  std::size_t num_reads;
  std::uint8_t* const* writes;
  std::size_t num_writes;
  const std::uint8_t* carry_in;
  std::uint8_t* carry_out;
};

__m256i load(const std::uint8_t* from) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}

template <bool kNonTemporal, std::size_t Vectors>
void store(std::uint8_t* to, const __m256i (&sum)[Vectors]) {
#pragma GCC unroll 8
  for (std::size_t v = 0; v < Vectors; ++v) {
    const auto at = reinterpret_cast<__m256i*>(to + v * kVector);
    if constexpr (kNonTemporal) {
      _mm256_stream_si256(at, sum[v]);
    } else {
      _mm256_storeu_si256(at, sum[v]);
    }
  }
}

template <std::size_t Lines>
void prefetch(const std::uint8_t* from) {
#pragma GCC unroll 8
  for (std::size_t l = 0; l < Lines; ++l) {
    _mm_prefetch(reinterpret_cast<const char*>(from + l * kLine), _MM_HINT_T0);
  }
}

template <std::size_t Lines, bool kNonTemporal, bool kPrefetch>
void run_pass(const Pass& pass, std::size_t begin, std::size_t end, std::size_t ahead) {
  constexpr std::size_t kVectors = Lines * kLine / kVector;
  for (std::size_t at = begin; at < end; at += Lines * kLine) {
    __m256i sum[kVectors];
    const std::uint8_t* first = pass.reads[0] + at;
    if constexpr (kPrefetch) prefetch<Lines>(first + ahead);
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kVectors; ++v) sum[v] = load(first + v * kVector);
    const auto add = [&](const std::uint8_t* from) {
#pragma GCC unroll 8
      for (std::size_t v = 0; v < kVectors; ++v) {
        sum[v] = _mm256_xor_si256(sum[v], load(from + v * kVector));
      }
    };
    for (std::size_t i = 1; i < pass.num_reads; ++i) {
      if constexpr (kPrefetch) prefetch<Lines>(pass.reads[i] + at + ahead);
      add(pass.reads[i] + at);
    }
    if (pass.carry_in != nullptr) add(pass.carry_in + (at - begin));
    if (pass.carry_out != nullptr) {
      store<false>(pass.carry_out + (at - begin), sum);
      continue;
    }
    for (std::size_t w = 0; w < pass.num_writes; ++w) {
      if constexpr (kPrefetch && !kNonTemporal) prefetch<Lines>(pass.writes[w] + at + ahead);
      store<kNonTemporal>(pass.writes[w] + at, sum);
    }
  }
}

template <std::size_t Lines, bool kNonTemporal, bool kPrefetch>
void run_tiles(const PlainXorStreams& s, const PlainXorShape& shape, std::size_t begin,
               std::size_t end) {
  constexpr auto run = run_pass<Lines, kNonTemporal, kPrefetch>;
  if (shape.slice_bytes == 0) {
    return run({s.reads, s.num_reads, s.writes, s.num_writes, nullptr, nullptr}, begin, end,
               shape.prefetch_bytes);
  }
  alignas(kLine) std::uint8_t carried[kMaxSliceBytes];
  while (begin < end) {
    const std::size_t slice_end = end - begin < shape.slice_bytes ? end : begin + shape.slice_bytes;
    for (std::size_t i = 0; i < s.num_reads; i += kGroup) {
      const bool is_last = s.num_reads - i <= kGroup;
      run({s.reads + i, is_last ? s.num_reads - i : kGroup, s.writes, s.num_writes,
           i == 0 ? nullptr : carried, is_last ? nullptr : carried},
          begin, slice_end, shape.prefetch_bytes);
    }
    begin = slice_end;
  }
}

using Run = void (*)(const PlainXorStreams&, const PlainXorShape&, std::size_t, std::size_t);

template <std::size_t Lines>
Run tiles_of(bool non_temporal, bool prefetches) {
  if (non_temporal)
    return prefetches ? run_tiles<Lines, true, true> : run_tiles<Lines, true, false>;
  return prefetches ? run_tiles<Lines, false, true> : run_tiles<Lines, false, false>;
}

bool can_stream(const PlainXorStreams& streams, std::size_t begin) {
  for (std::size_t i = 0; i < streams.num_writes; ++i) {
    if (reinterpret_cast<std::uintptr_t>(streams.writes[i] + begin) % kLine != 0) return false;
  }
  return true;
}

}  // namespace

void plain_xor_avx2(const PlainXorStreams& streams, const PlainXorShape& shape, std::size_t begin,
                    std::size_t end) noexcept {
  const bool non_temporal = shape.non_temporal && can_stream(streams, begin);
  const bool prefetches = shape.prefetch_bytes != 0;
  const Run run = shape.lines == 1   ? tiles_of<1>(non_temporal, prefetches)
                  : shape.lines == 2 ? tiles_of<2>(non_temporal, prefetches)
                                     : tiles_of<4>(non_temporal, prefetches);
  // Sixteen registers hold the sums of four lines.
  const std::size_t tile = (shape.lines < 4 ? shape.lines : 4) * kLine;
  const std::size_t whole = begin + (end - begin) / tile * tile;
  run(streams, shape, begin, whole);
  if (non_temporal) _mm_sfence();
  plain_xor_portable(streams, shape, whole, end);
}

}  // namespace xorloom
