#include <immintrin.h>

#include "runtime/kernels/plain_xor_kernel.hpp"

namespace xorloom {
namespace {

constexpr int kXorOfThree = 0x96;
constexpr std::size_t kLine = 64;
constexpr std::size_t kGroup = 8;  ///< streams at a time in a slice

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

template <std::size_t Lines, bool kNonTemporal>
void store(std::uint8_t* to, const __m512i (&sum)[Lines]) {
#pragma GCC unroll 8
  for (std::size_t l = 0; l < Lines; ++l) {
    if constexpr (kNonTemporal) {
      _mm512_stream_si512(reinterpret_cast<__m512i*>(to + l * kLine), sum[l]);
    } else {
      _mm512_storeu_si512(to + l * kLine, sum[l]);
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
  for (std::size_t at = begin; at < end; at += Lines * kLine) {
    __m512i sum[Lines];
    const std::uint8_t* first = pass.reads[0] + at;
    if constexpr (kPrefetch) prefetch<Lines>(first + ahead);
#pragma GCC unroll 8
    for (std::size_t l = 0; l < Lines; ++l) sum[l] = _mm512_loadu_si512(first + l * kLine);
    std::size_t i = 1;
    for (; i + 1 < pass.num_reads; i += 2) {
      const std::uint8_t* a = pass.reads[i] + at;
      const std::uint8_t* b = pass.reads[i + 1] + at;
      if constexpr (kPrefetch) {
        prefetch<Lines>(a + ahead);
        prefetch<Lines>(b + ahead);
      }
      // All lines of one stream come before those of the next.
      __m512i from_a[Lines];
#pragma GCC unroll 8
      for (std::size_t l = 0; l < Lines; ++l) from_a[l] = _mm512_loadu_si512(a + l * kLine);
#pragma GCC unroll 8
      for (std::size_t l = 0; l < Lines; ++l) {
        sum[l] = _mm512_ternarylogic_epi64(sum[l], from_a[l], _mm512_loadu_si512(b + l * kLine),
                                           kXorOfThree);
      }
    }
    const auto add = [&](const std::uint8_t* from) {
#pragma GCC unroll 8
      for (std::size_t l = 0; l < Lines; ++l) {
        sum[l] = _mm512_xor_si512(sum[l], _mm512_loadu_si512(from + l * kLine));
      }
    };
    if (i < pass.num_reads) {
      if constexpr (kPrefetch) prefetch<Lines>(pass.reads[i] + at + ahead);
      add(pass.reads[i] + at);
    }
    if (pass.carry_in != nullptr) add(pass.carry_in + (at - begin));
    if (pass.carry_out != nullptr) {
      store<Lines, false>(pass.carry_out + (at - begin), sum);
      continue;
    }
    for (std::size_t w = 0; w < pass.num_writes; ++w) {
      if constexpr (kPrefetch && !kNonTemporal) prefetch<Lines>(pass.writes[w] + at + ahead);
      store<Lines, kNonTemporal>(pass.writes[w] + at, sum);
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

void plain_xor_avx512(const PlainXorStreams& streams, const PlainXorShape& shape, std::size_t begin,
                      std::size_t end) noexcept {
  const bool non_temporal = shape.non_temporal && can_stream(streams, begin);
  const bool prefetches = shape.prefetch_bytes != 0;
  const Run run = shape.lines == 1   ? tiles_of<1>(non_temporal, prefetches)
                  : shape.lines == 2 ? tiles_of<2>(non_temporal, prefetches)
                  : shape.lines == 4 ? tiles_of<4>(non_temporal, prefetches)
                                     : tiles_of<8>(non_temporal, prefetches);
  const std::size_t whole = begin + (end - begin) / (shape.lines * kLine) * (shape.lines * kLine);
  run(streams, shape, begin, whole);
  if (non_temporal) _mm_sfence();
  plain_xor_portable(streams, shape, whole, end);
}

}  // namespace xorloom
