#pragma once

// The loops of XOR kernels, for the vector kernels' files alone: each includes its own copy, which
// nothing outside it can see, and compiles it for its instruction set.

#include "runtime/kernels/vector.hpp"
#include "runtime/kernels/xor_kernel.hpp"

namespace xorloom {
namespace {

using V = Vector;

/// Computes lines `line` … `line` + Lines-1 of a step.
template <std::size_t Lines>
void xor_step(const PacketBlock& block, const PacketStep& step, std::size_t line) {
  constexpr std::size_t kVectors = 64 / V::kBytes;  // vectors of a line
  const std::size_t offset = block.offset + line * block.stride;
  std::uint8_t* const temporaries = block.temporaries + line * block.temporary_stride;
  const PacketCell* cells = block.cells + step.first_cell;
  const std::uint32_t* slots = block.slots + step.first_slot;
  const auto packet = [&](const PacketCell& cell) {
    return block.chunks[cell.location] + cell.row * block.packet_bytes + offset;
  };
  V::Register sum[Lines * kVectors];
#pragma GCC unroll 16
  for (std::size_t i = 0; i < Lines * kVectors; ++i) sum[i] = V::zero();
  const auto add = [&](const std::uint8_t* from, std::size_t stride) {
#pragma GCC unroll 4
    for (std::size_t i = 0; i < Lines; ++i) {
      const std::uint8_t* const part = from + i * stride;
#pragma GCC unroll 4
      for (std::size_t v = 0; v < kVectors; ++v) {
        V::Register& to = sum[kVectors * i + v];
        to = V::add(to, V::load(part + v * V::kBytes));
      }
    }
  };
  std::uint32_t c = 0;
  if constexpr (V::kAddsThree) {
    for (; step.num_cells - c >= 2; c += 2) {
      const std::uint8_t* a = packet(cells[c]);
      const std::uint8_t* b = packet(cells[c + 1]);
#pragma GCC unroll 4
      for (std::size_t i = 0; i < Lines; ++i) {
#pragma GCC unroll 4
        for (std::size_t v = 0; v < kVectors; ++v) {
          const std::size_t at = i * block.stride + v * V::kBytes;
          V::Register& to = sum[kVectors * i + v];
          to = V::add(to, V::load(a + at), V::load(b + at));
        }
      }
    }
    if (c < step.num_cells) add(packet(cells[c]), block.stride);
  } else {
    for (; c < step.num_cells; ++c) add(packet(cells[c]), block.stride);
  }
  for (std::uint32_t t = 0; t < step.num_temporaries; ++t) {
    add(temporaries + slots[t] * block.slot_stride, block.temporary_stride);
  }
  std::uint8_t* to = step.to_temporary
                         ? temporaries + slots[step.num_temporaries] * block.slot_stride
                         : packet(step.target);
  const std::size_t stride = step.to_temporary ? block.temporary_stride : block.stride;
#pragma GCC unroll 4
  for (std::size_t i = 0; i < Lines; ++i) {
    std::uint8_t* const part = to + i * stride;
#pragma GCC unroll 4
    for (std::size_t v = 0; v < kVectors; ++v) {
      V::store(part + v * V::kBytes, sum[kVectors * i + v]);
    }
  }
}

[[gnu::always_inline]] inline void xor_lines(const PacketBlock& block) {
  for (std::size_t s = 0; s < block.num_steps; ++s) {
    std::size_t line = 0;
    for (; block.lines - line >= 4; line += 4) xor_step<4>(block, block.steps[s], line);
    for (; line < block.lines; ++line) xor_step<1>(block, block.steps[s], line);
  }
}

constexpr std::size_t kLine = 64;
constexpr std::size_t kGroup = 8;  ///< streams at a time in a slice

/// Most lines of a stream at once. Their sums fill at most half of the registers.
constexpr std::size_t kMaxLines = V::kBytes < kLine ? 4 : 8;

/// One pass over a range of bytes: XORs some streams. `carry_in` is added if it is not null. The
/// sum goes to `carry_out` if it is not null, else to the written streams. Both carries begin with
/// the range.
struct Pass : PlainXorStreams {
  const std::uint8_t* carry_in;
  std::uint8_t* carry_out;
};

template <bool kNonTemporal, std::size_t Vectors>
void store(std::uint8_t* to, const V::Register (&sum)[Vectors]) {
#pragma GCC unroll 16
  for (std::size_t v = 0; v < Vectors; ++v) {
    if constexpr (kNonTemporal) {
      V::stream(to + v * V::kBytes, sum[v]);
    } else {
      V::store(to + v * V::kBytes, sum[v]);
    }
  }
}

template <std::size_t Lines>
void prefetch(const std::uint8_t* from) {
#pragma GCC unroll 8
  for (std::size_t l = 0; l < Lines; ++l) {
    __builtin_prefetch(from + l * kLine);
  }
}

template <std::size_t Lines, bool kNonTemporal, bool kPrefetch>
void run_pass(const Pass& pass, std::size_t begin, std::size_t end, std::size_t ahead) {
  constexpr std::size_t kVectors = Lines * kLine / V::kBytes;
  for (std::size_t at = begin; at < end; at += Lines * kLine) {
    V::Register sum[kVectors];
    const std::uint8_t* first = pass.reads[0] + at;
    if constexpr (kPrefetch) prefetch<Lines>(first + ahead);
#pragma GCC unroll 16
    for (std::size_t v = 0; v < kVectors; ++v) sum[v] = V::load(first + v * V::kBytes);
    std::size_t i = 1;
    if constexpr (V::kAddsThree) {
      for (; i + 1 < pass.num_reads; i += 2) {
        const std::uint8_t* a = pass.reads[i] + at;
        const std::uint8_t* b = pass.reads[i + 1] + at;
        if constexpr (kPrefetch) {
          prefetch<Lines>(a + ahead);
          prefetch<Lines>(b + ahead);
        }
        // All lines of one stream come before those of the next.
        V::Register from_a[kVectors];
#pragma GCC unroll 16
        for (std::size_t v = 0; v < kVectors; ++v) from_a[v] = V::load(a + v * V::kBytes);
#pragma GCC unroll 16
        for (std::size_t v = 0; v < kVectors; ++v) {
          sum[v] = V::add(sum[v], from_a[v], V::load(b + v * V::kBytes));
        }
      }
    }
    const auto add = [&](const std::uint8_t* from) {
#pragma GCC unroll 16
      for (std::size_t v = 0; v < kVectors; ++v) {
        sum[v] = V::add(sum[v], V::load(from + v * V::kBytes));
      }
    };
    for (; i < pass.num_reads; ++i) {
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
    return run({s, nullptr, nullptr}, begin, end, shape.prefetch_bytes);
  }
  alignas(kLine) std::uint8_t carried[kMaxSliceBytes];
  while (begin < end) {
    const std::size_t slice_end = end - begin < shape.slice_bytes ? end : begin + shape.slice_bytes;
    for (std::size_t i = 0; i < s.num_reads; i += kGroup) {
      const bool is_last = s.num_reads - i <= kGroup;
      run({{s.reads + i, is_last ? s.num_reads - i : kGroup, s.writes, s.num_writes},
           i == 0 ? nullptr : carried,
           is_last ? nullptr : carried},
          begin, slice_end, shape.prefetch_bytes);
    }
    begin = slice_end;
  }
}

using Run = void (*)(const PlainXorStreams&, const PlainXorShape&, std::size_t, std::size_t);

template <std::size_t Lines>
Run tiles_of(bool non_temporal, bool prefetches) {
  if constexpr (V::kStreams) {
    if (non_temporal) {
      return prefetches ? run_tiles<Lines, true, true> : run_tiles<Lines, true, false>;
    }
  }
  return prefetches ? run_tiles<Lines, false, true> : run_tiles<Lines, false, false>;
}

bool can_stream(const PlainXorStreams& streams, std::size_t begin) {
  for (std::size_t i = 0; i < streams.num_writes; ++i) {
    if (reinterpret_cast<std::uintptr_t>(streams.writes[i] + begin) % kLine != 0) return false;
  }
  return true;
}

void xor_streams(const PlainXorStreams& streams, const PlainXorShape& shape, std::size_t begin,
                 std::size_t end) {
  const bool non_temporal = V::kStreams && shape.non_temporal && can_stream(streams, begin);
  const bool prefetches = shape.prefetch_bytes != 0;
  const std::size_t lines = shape.lines < kMaxLines ? shape.lines : kMaxLines;
  const Run run = lines == 1   ? tiles_of<1>(non_temporal, prefetches)
                  : lines == 2 ? tiles_of<2>(non_temporal, prefetches)
                  : lines == 4 ? tiles_of<4>(non_temporal, prefetches)
                               : tiles_of<kMaxLines>(non_temporal, prefetches);
  const std::size_t tile = lines * kLine;
  const std::size_t whole = begin + (end - begin) / tile * tile;
  run(streams, shape, begin, whole);
  if (non_temporal) V::fence();
  plain_xor_portable(streams, shape, whole, end);
}

}  // namespace
}  // namespace xorloom
