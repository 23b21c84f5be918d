#include <cstring>

#include "runtime/kernels/xor_kernel.hpp"

namespace xorloom {
namespace {

/// Words·8 bytes of a packet.
template <std::size_t Words>
struct Piece {
  std::uint64_t words[Words] = {};

  void add(const Piece& other) {
    for (std::size_t i = 0; i < Words; ++i) words[i] ^= other.words[i];
  }
  void add(const std::uint8_t* from) {
    Piece other;
    std::memcpy(other.words, from, sizeof words);
    add(other);
  }
  void store(std::uint8_t* to) const { std::memcpy(to, words, sizeof words); }
};

/// Runs all steps over pieces of Words·8 bytes.
template <std::size_t Words>
void xor_pieces(const PacketBlock& block) noexcept {
  for (std::size_t s = 0; s < block.num_steps; ++s) {
    const PacketStep& step = block.steps[s];
    const std::uint32_t* slots = block.slots + step.first_slot;
    const std::uint32_t* counts = block.counts + step.first_count;
    for (std::size_t line = 0; line < block.lines; ++line) {
      const std::size_t offset = block.offset + line * block.stride;
      const auto packet = [&](std::uint32_t location, std::size_t row) {
        return block.chunks[location] + row * block.packet_bytes + offset;
      };
      const auto temporary = [&](std::uint32_t slot) {
        return block.temporaries + slot * block.slot_stride + line * block.temporary_stride;
      };
      const PacketCell* cell = block.cells + step.first_cell;
      Piece<Words> sum;
      const auto add_packets = [&](std::uint32_t count) {
        for (; count != 0; --count, ++cell) sum.add(packet(cell->location, cell->row));
      };
      const PacketCell& target = step.target;
      if (step.rows == 1) {
        add_packets(counts[0]);
        for (std::uint32_t i = 0; i < step.num_temporaries; ++i) sum.add(temporary(slots[i]));
        sum.store(step.to_temporary ? temporary(slots[step.num_temporaries])
                                    : packet(target.location, target.row));
        continue;
      }
      Piece<Words> rows[kPacketRows];
      for (std::size_t set = 1; set <= kPacketSets; ++set) {
        add_packets(counts[set - 1]);
        rows[row_after(set)].add(sum);
      }
      for (std::uint32_t r = 0; r < step.rows; ++r) {
        rows[r].store(packet(target.location, target.row + r));
      }
    }
  }
}

/// XORs Words·8 bytes of every stream, from `offset` on.
template <std::size_t Words>
void tile(const PlainXorStreams& streams, std::size_t offset) noexcept {
  std::uint64_t sum[Words];
  std::memcpy(sum, streams.reads[0] + offset, sizeof sum);
  for (std::size_t i = 1; i < streams.num_reads; ++i) {
    std::uint64_t words[Words];
    std::memcpy(words, streams.reads[i] + offset, sizeof words);
    for (std::size_t word = 0; word < Words; ++word) sum[word] ^= words[word];
  }
  for (std::size_t i = 0; i < streams.num_writes; ++i) {
    std::memcpy(streams.writes[i] + offset, sum, sizeof sum);
  }
}

}  // namespace

void xor_words(const PacketBlock& block) noexcept { xor_pieces<1>(block); }

void xor_lines_portable(const PacketBlock& block) noexcept { xor_pieces<8>(block); }

// Ignores prefetches, slices and non-temporal stores, which only other instruction sets have.
void plain_xor_portable(const PlainXorStreams& streams, const PlainXorShape& shape,
                        std::size_t begin, std::size_t end) noexcept {
  if (shape.lines > 1) {
    for (; end - begin >= 128; begin += 128) tile<16>(streams, begin);
  }
  for (; end - begin >= 64; begin += 64) tile<8>(streams, begin);
  for (; begin < end; ++begin) {
    std::uint8_t sum = 0;
    for (std::size_t i = 0; i < streams.num_reads; ++i) {
      sum = static_cast<std::uint8_t>(sum ^ streams.reads[i][begin]);
    }
    for (std::size_t i = 0; i < streams.num_writes; ++i) streams.writes[i][begin] = sum;
  }
}

}  // namespace xorloom
