#include <cstring>

#include "runtime/kernels/xor_kernel.hpp"

namespace xorloom {
namespace {

/// Runs all steps over pieces of Words·8 bytes.
template <std::size_t Words>
void xor_pieces(const PacketBlock& block) noexcept {
  for (std::size_t s = 0; s < block.num_steps; ++s) {
    const PacketStep& step = block.steps[s];
    const PacketCell* cells = block.cells + step.first_cell;
    const std::uint32_t* slots = block.slots + step.first_slot;
    for (std::size_t line = 0; line < block.lines; ++line) {
      const std::size_t offset = block.offset + line * block.stride;
      const auto packet = [&](const PacketCell& cell) {
        return block.chunks[cell.location] + cell.row * block.packet_bytes + offset;
      };
      const auto temporary = [&](std::uint32_t slot) {
        return block.temporaries + slot * block.slot_stride + line * block.temporary_stride;
      };
      std::uint64_t sum[Words] = {};
      const auto add = [&](const std::uint8_t* from) {
        std::uint64_t words[Words];
        std::memcpy(words, from, sizeof words);
        for (std::size_t i = 0; i < Words; ++i) sum[i] ^= words[i];
      };
      for (std::uint32_t i = 0; i < step.num_cells; ++i) add(packet(cells[i]));
      for (std::uint32_t i = 0; i < step.num_temporaries; ++i) add(temporary(slots[i]));
      std::memcpy(step.to_temporary ? temporary(slots[step.num_temporaries]) : packet(step.target),
                  sum, sizeof sum);
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
