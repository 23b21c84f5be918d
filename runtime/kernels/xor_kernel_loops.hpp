#pragma once

// The loops of XOR kernels, for the vector kernels' files alone: each includes its own copy, which
// nothing outside it can see, and compiles it for its instruction set.

#include <utility>

#include "runtime/kernels/vector.hpp"
#include "runtime/kernels/xor_kernel.hpp"

namespace xorloom {
namespace {

using V = Vector;

constexpr std::size_t kLine = 64;
constexpr std::size_t kLineVectors = kLine / V::kBytes;  ///< vectors of a line

/// Some lines of a packet, in registers.
template <std::size_t Lines>
struct PacketLines {
  V::Register vectors[Lines * kLineVectors];

  void clear() {
#pragma GCC unroll 16
    for (V::Register& vector : vectors) vector = V::zero();
  }
  void add(const PacketLines& other) {
#pragma GCC unroll 16
    for (std::size_t i = 0; i < Lines * kLineVectors; ++i) {
      vectors[i] = V::add(vectors[i], other.vectors[i]);
    }
  }
  void add(const std::uint8_t* from, std::size_t stride) {
#pragma GCC unroll 16
    for (std::size_t i = 0; i < Lines * kLineVectors; ++i) {
      vectors[i] = V::add(vectors[i], V::load(from + place(i, stride)));
    }
  }
  void add(const std::uint8_t* a, const std::uint8_t* b, std::size_t stride) {
#pragma GCC unroll 16
    for (std::size_t i = 0; i < Lines * kLineVectors; ++i) {
      const std::size_t at = place(i, stride);
      vectors[i] = V::add(vectors[i], V::load(a + at), V::load(b + at));
    }
  }
  void store(std::uint8_t* to, std::size_t stride) const {
#pragma GCC unroll 16
    for (std::size_t i = 0; i < Lines * kLineVectors; ++i) {
      V::store(to + place(i, stride), vectors[i]);
    }
  }

 private:
  static std::size_t place(std::size_t i, std::size_t stride) {
    return i / kLineVectors * stride + i % kLineVectors * V::kBytes;
  }
};

/// Addresses of packets in a block, from a line on.
struct PacketPlaces {
  const PacketBlock& block;
  std::size_t offset;

  std::uint8_t* operator()(const PacketCell& cell) const {
    return block.chunks[cell.location] + cell.row * block.packet_bytes + offset;
  }
};

/// Adds `count` packets to `sum`. Returns the cell after theirs.
template <std::size_t Lines>
[[gnu::always_inline]] inline const PacketCell* add_packets(PacketLines<Lines>& sum,
                                                            const PacketPlaces& place,
                                                            const PacketCell* cell,
                                                            std::uint32_t count) {
  const std::size_t stride = place.block.stride;
  if constexpr (V::kAddsThree) {
    for (; count >= 2; count -= 2, cell += 2) sum.add(place(cell[0]), place(cell[1]), stride);
    if (count != 0) sum.add(place(*cell++), stride);
  } else {
    for (; count != 0; --count) sum.add(place(*cell++), stride);
  }
  return cell;
}

/// Computes lines `line` … `line` + Lines-1 of a step of one row.
template <std::size_t Lines>
void xor_row(const PacketBlock& block, const PacketStep& step, std::size_t line) {
  const PacketPlaces place{block, block.offset + line * block.stride};
  std::uint8_t* const temporaries = block.temporaries + line * block.temporary_stride;
  const std::uint32_t* slots = block.slots + step.first_slot;
  PacketLines<Lines> sum;
  sum.clear();
  add_packets(sum, place, block.cells + step.first_cell, block.counts[step.first_count]);
  for (std::uint32_t t = 0; t < step.num_temporaries; ++t) {
    sum.add(temporaries + slots[t] * block.slot_stride, block.temporary_stride);
  }
  if (step.to_temporary) {
    sum.store(temporaries + slots[step.num_temporaries] * block.slot_stride,
              block.temporary_stride);
  } else {
    sum.store(place(step.target), block.stride);
  }
}

/// Computes lines `line` … `line` + Lines-1 of a step of several rows.
template <std::size_t Lines, std::size_t... Sets>
void xor_rows(const PacketBlock& block, const PacketStep& step, std::size_t line,
              std::index_sequence<Sets...>) {
  const PacketPlaces place{block, block.offset + line * block.stride};
  const PacketCell* cell = block.cells + step.first_cell;
  const std::uint32_t* counts = block.counts + step.first_count;
  PacketLines<Lines> running;
  PacketLines<Lines> rows[kPacketRows];
  running.clear();
#pragma GCC unroll 4
  for (PacketLines<Lines>& row : rows) row.clear();
  ((cell = add_packets(running, place, cell, counts[Sets]), rows[row_after(Sets + 1)].add(running)),
   ...);
#pragma GCC unroll 4
  for (std::size_t r = 0; r < kPacketRows; ++r) {
    if (r < step.rows) {
      rows[r].store(place({step.target.location, step.target.row + static_cast<std::uint32_t>(r)}),
                    block.stride);
    }
  }
}

/// Lines of a step of several rows at once. Rows that do not fit the registers are on the stack: a
/// row adds the running sum seldom.
constexpr std::size_t kLinesOfRows = V::kBytes < 32 ? 2 : 4;

[[gnu::always_inline]] inline void xor_lines(const PacketBlock& block) {
  constexpr std::make_index_sequence<kPacketSets> sets;
  for (std::size_t s = 0; s < block.num_steps; ++s) {
    const PacketStep& step = block.steps[s];
    std::size_t line = 0;
    if (step.rows == 1) {
      for (; block.lines - line >= 4; line += 4) xor_row<4>(block, step, line);
      for (; line < block.lines; ++line) xor_row<1>(block, step, line);
    } else {
      for (; block.lines - line >= kLinesOfRows; line += kLinesOfRows) {
        xor_rows<kLinesOfRows>(block, step, line, sets);
      }
      for (; line < block.lines; ++line) xor_rows<1>(block, step, line, sets);
    }
  }
}

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
