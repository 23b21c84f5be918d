#pragma once

#include <cstddef>
#include <cstdint>

namespace xorloom {

// Interface of the XOR kernels of every instruction set. Plain data only: the kernels' translation
// units share no code that a linker could merge.

/// A packet of a super-block.
struct PacketCell {
  std::uint32_t location;
  std::uint32_t row;
};

/// Most packets that a step computes.
inline constexpr std::size_t kPacketRows = 4;

/// Number of sets of packets of a step that are not empty.
inline constexpr std::size_t kPacketSets = (std::size_t{1} << kPacketRows) - 1;

/// Computes one packet: the XOR of some packets and some temporaries. Or computes 2 to kPacketRows
/// packets, from `target` on, as XORs of the same packets and no temporaries.
///
/// In the latter step, bit r of the set of a packet that is read says whether the packet is in the
/// sum of row r. Packets are sorted by their sets, in the order of Gray's code: 1, 3, 2, 6, 7, 5,
/// 4, 12, … A running sum goes through all packets. One bit changes from each set to the next; the
/// row of that bit then adds the running sum. So a packet is read once for all rows.
///
/// Source: V. L. Arlazarov, E. A. Dinic, M. A. Kronrod, I. A. Faradžev, On economical construction
///         of the transitive closure of a directed graph, Soviet Math. Dokl. 11, 1970; transposed.
struct PacketStep {
  std::size_t first_cell;   ///< packets that are read, in PacketBlock::cells
  std::size_t first_count;  ///< numbers of packets, in PacketBlock::counts: kPacketSets, or one
  std::size_t first_slot;   ///< temporaries, in PacketBlock::slots, then the target's slot
  std::uint32_t num_temporaries;
  std::uint32_t rows;  ///< packets that are computed
  PacketCell target;   ///< the first packet that gets a result, unless a temporary does
  bool to_temporary;
};

/// The row that adds the running sum after set number `set`, from 1, in the order of Gray's code.
constexpr std::size_t row_after(std::size_t set) {
  return set == kPacketSets ? kPacketRows - 1 : static_cast<std::size_t>(__builtin_ctzll(set + 1));
}

/// Equations and the columns to compute them over: `lines` pieces of a packet, 64 bytes (or 8)
/// each, the same in every packet.
///
///     piece i of packet (l, r)     chunks[l] + r·packet_bytes + offset + i·stride
///     piece i of temporary slot s  temporaries + s·slot_stride + i·temporary_stride
///
/// The pieces lie one after the other in a wide packet (stride = their size), or at the same place
/// in super-blocks that follow each other (stride = bytes of a super-block).
struct PacketBlock {
  const PacketStep* steps;
  std::size_t num_steps;
  const PacketCell* cells;
  const std::uint32_t* counts;
  const std::uint32_t* slots;
  std::uint8_t* const* chunks;
  std::size_t packet_bytes;
  std::size_t offset;
  std::size_t stride;
  std::size_t lines;
  std::uint8_t* temporaries;
  std::size_t slot_stride;
  std::size_t temporary_stride;
};

using PacketKernel = void (*)(const PacketBlock& block) noexcept;

/// Pieces of 8 bytes: tails of packets, and packets of less than 64 bytes.
void xor_words(const PacketBlock& block) noexcept;

/// Pieces of 64 bytes.
void xor_lines_portable(const PacketBlock& block) noexcept;
void xor_lines_neon(const PacketBlock& block) noexcept;
void xor_lines_neon_sha3(const PacketBlock& block) noexcept;
void xor_lines_avx2(const PacketBlock& block) noexcept;
void xor_lines_avx512(const PacketBlock& block) noexcept;

/// Streams of bytes: every written one becomes the XOR of all that are read. At least one is read.
struct PlainXorStreams {
  const std::uint8_t* const* reads;
  std::size_t num_reads;
  std::uint8_t* const* writes;
  std::size_t num_writes;
};

/// Order and kind of memory accesses. A line is 64 bytes.
///
///   lines           consecutive lines of one stream before the next stream: 1, 2, 4 or 8
///                   (AVX2 and NEON take 8 for 4, portable code all but 1 for 2).
///                   With 1, streams that begin equal mod 4096 fight for the same ways of a cache
///   non_temporal    stores go past the caches, if the instruction set has such stores and the
///                   written streams are aligned to lines
///   prefetch_bytes  distance of prefetches; 0: no prefetches
///   slice_bytes     takes eight streams at a time over a slice of this many bytes, with the sums
///                   carried in a buffer: fewer streams at once if many are read; 0: all at once
struct PlainXorShape {
  std::uint32_t lines = 1;
  bool non_temporal = false;
  std::uint32_t prefetch_bytes = 0;
  std::uint32_t slice_bytes = 0;
};

inline constexpr std::uint32_t kMaxSliceBytes = 4096;

/// Bytes begin … end of every stream. Shape: slice_bytes is a multiple of 64·lines, at most
/// kMaxSliceBytes.
using PlainXorKernel = void (*)(const PlainXorStreams& streams, const PlainXorShape& shape,
                                std::size_t begin, std::size_t end) noexcept;

void plain_xor_portable(const PlainXorStreams& streams, const PlainXorShape& shape,
                        std::size_t begin, std::size_t end) noexcept;
void plain_xor_neon(const PlainXorStreams& streams, const PlainXorShape& shape, std::size_t begin,
                    std::size_t end) noexcept;
void plain_xor_neon_sha3(const PlainXorStreams& streams, const PlainXorShape& shape,
                         std::size_t begin, std::size_t end) noexcept;
void plain_xor_avx2(const PlainXorStreams& streams, const PlainXorShape& shape, std::size_t begin,
                    std::size_t end) noexcept;
void plain_xor_avx512(const PlainXorStreams& streams, const PlainXorShape& shape, std::size_t begin,
                      std::size_t end) noexcept;

}  // namespace xorloom
