#include <immintrin.h>

#include "runtime/kernels/packet_kernel.hpp"

namespace xorloom {
namespace {

/// Lines line … line + Lines-1 of a step, a line in two registers.
template <std::size_t Lines>
void xor_step(const PacketBlock& block, const PacketStep& step, std::size_t line) {
  const std::size_t offset = block.offset + line * block.stride;
  std::uint8_t* const temporaries = block.temporaries + line * block.temporary_stride;
  const PacketCell* cells = block.cells + step.first_cell;
  const std::uint32_t* slots = block.slots + step.first_slot;
  const auto packet = [&](const PacketCell& cell) {
    return block.chunks[cell.location] + cell.row * block.packet_bytes + offset;
  };
  __m256i sum[2 * Lines];
#pragma GCC unroll 8
  for (std::size_t i = 0; i < 2 * Lines; ++i) sum[i] = _mm256_setzero_si256();
  const auto add = [&](const std::uint8_t* from, std::size_t stride) {
#pragma GCC unroll 4
    for (std::size_t i = 0; i < Lines; ++i) {
      const auto* half = reinterpret_cast<const __m256i*>(from + i * stride);
      sum[2 * i] = _mm256_xor_si256(sum[2 * i], _mm256_loadu_si256(half));
      sum[2 * i + 1] = _mm256_xor_si256(sum[2 * i + 1], _mm256_loadu_si256(half + 1));
    }
  };
  for (std::uint32_t c = 0; c < step.num_cells; ++c) add(packet(cells[c]), block.stride);
  for (std::uint32_t t = 0; t < step.num_temporaries; ++t) {
    add(temporaries + slots[t] * block.slot_stride, block.temporary_stride);
  }
  std::uint8_t* to = step.to_temporary
                         ? temporaries + slots[step.num_temporaries] * block.slot_stride
                         : packet(step.target);
  const std::size_t stride = step.to_temporary ? block.temporary_stride : block.stride;
#pragma GCC unroll 4
  for (std::size_t i = 0; i < Lines; ++i) {
    auto* half = reinterpret_cast<__m256i*>(to + i * stride);
    _mm256_storeu_si256(half, sum[2 * i]);
    _mm256_storeu_si256(half + 1, sum[2 * i + 1]);
  }
}

}  // namespace

void xor_lines_avx2(const PacketBlock& block) noexcept {
  for (std::size_t s = 0; s < block.num_steps; ++s) {
    std::size_t line = 0;
    for (; block.lines - line >= 4; line += 4) xor_step<4>(block, block.steps[s], line);
    for (; line < block.lines; ++line) xor_step<1>(block, block.steps[s], line);
  }
}

}  // namespace xorloom
