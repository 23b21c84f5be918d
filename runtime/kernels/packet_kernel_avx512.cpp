#include <immintrin.h>

#include "runtime/kernels/packet_kernel.hpp"

namespace xorloom {
namespace {

constexpr int kXorOfThree = 0x96;

/// Lines line … line + Lines-1 of a step, a line in a register. Packets are added two at a time.
template <std::size_t Lines>
void xor_step(const PacketBlock& block, const PacketStep& step, std::size_t line) {
  const std::size_t offset = block.offset + line * block.stride;
  std::uint8_t* const temporaries = block.temporaries + line * block.temporary_stride;
  const PacketCell* cells = block.cells + step.first_cell;
  const std::uint32_t* slots = block.slots + step.first_slot;
  const auto packet = [&](const PacketCell& cell) {
    return block.chunks[cell.location] + cell.row * block.packet_bytes + offset;
  };
  __m512i sum[Lines];
#pragma GCC unroll 4
  for (std::size_t i = 0; i < Lines; ++i) sum[i] = _mm512_setzero_si512();
  const auto add = [&](const std::uint8_t* from, std::size_t stride) {
#pragma GCC unroll 4
    for (std::size_t i = 0; i < Lines; ++i) {
      sum[i] = _mm512_xor_si512(sum[i], _mm512_loadu_si512(from + i * stride));
    }
  };
  std::uint32_t c = 0;
  for (; step.num_cells - c >= 2; c += 2) {
    const std::uint8_t* a = packet(cells[c]);
    const std::uint8_t* b = packet(cells[c + 1]);
#pragma GCC unroll 4
    for (std::size_t i = 0; i < Lines; ++i) {
      const std::size_t at = i * block.stride;
      sum[i] = _mm512_ternarylogic_epi64(sum[i], _mm512_loadu_si512(a + at),
                                         _mm512_loadu_si512(b + at), kXorOfThree);
    }
  }
  if (c < step.num_cells) add(packet(cells[c]), block.stride);
  for (std::uint32_t t = 0; t < step.num_temporaries; ++t) {
    add(temporaries + slots[t] * block.slot_stride, block.temporary_stride);
  }
  std::uint8_t* to = step.to_temporary
                         ? temporaries + slots[step.num_temporaries] * block.slot_stride
                         : packet(step.target);
  const std::size_t stride = step.to_temporary ? block.temporary_stride : block.stride;
#pragma GCC unroll 4
  for (std::size_t i = 0; i < Lines; ++i) {
    _mm512_storeu_si512(to + i * stride, sum[i]);
  }
}

}  // namespace

void xor_lines_avx512(const PacketBlock& block) noexcept {
  for (std::size_t s = 0; s < block.num_steps; ++s) {
    std::size_t line = 0;
    for (; block.lines - line >= 4; line += 4) xor_step<4>(block, block.steps[s], line);
    for (; line < block.lines; ++line) xor_step<1>(block, block.steps[s], line);
  }
}

}  // namespace xorloom
