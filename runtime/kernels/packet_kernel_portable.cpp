#include <cstring>

#include "runtime/kernels/packet_kernel.hpp"

namespace xorloom {
namespace {

/// A piece of Words·8 bytes, over all steps.
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

}  // namespace

void xor_words(const PacketBlock& block) noexcept { xor_pieces<1>(block); }

void xor_lines_portable(const PacketBlock& block) noexcept { xor_pieces<8>(block); }

}  // namespace xorloom
