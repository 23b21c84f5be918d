#pragma once

// The loops of packet kernels, for the vector kernels' files alone: each includes its own copy, which
// nothing outside it can see, and compiles it for its instruction set.

#include "runtime/kernels/packet_kernel.hpp"
#include "runtime/kernels/vector.hpp"

namespace xorloom {
namespace {

/// Lines line … line + Lines-1 of a step. Vectors of a whole line are added two at a time.
template <std::size_t Lines>
void xor_step(const PacketBlock& block, const PacketStep& step, std::size_t line) {
  constexpr std::size_t kVectors = 64 / Vector::kBytes;  // of a line
  const std::size_t offset = block.offset + line * block.stride;
  std::uint8_t* const temporaries = block.temporaries + line * block.temporary_stride;
  const PacketCell* cells = block.cells + step.first_cell;
  const std::uint32_t* slots = block.slots + step.first_slot;
  const auto packet = [&](const PacketCell& cell) {
    return block.chunks[cell.location] + cell.row * block.packet_bytes + offset;
  };
  Vector::Register sum[Lines * kVectors];
#pragma GCC unroll 8
  for (std::size_t i = 0; i < Lines * kVectors; ++i) sum[i] = Vector::zero();
  const auto add = [&](const std::uint8_t* from, std::size_t stride) {
#pragma GCC unroll 4
    for (std::size_t i = 0; i < Lines; ++i) {
      const std::uint8_t* const part = from + i * stride;
      sum[kVectors * i] = Vector::add(sum[kVectors * i], Vector::load(part));
      if constexpr (kVectors == 2) {
        sum[2 * i + 1] = Vector::add(sum[2 * i + 1], Vector::load(part + Vector::kBytes));
      }
    }
  };
  std::uint32_t c = 0;
  if constexpr (kVectors == 1) {
    for (; step.num_cells - c >= 2; c += 2) {
      const std::uint8_t* a = packet(cells[c]);
      const std::uint8_t* b = packet(cells[c + 1]);
#pragma GCC unroll 4
      for (std::size_t i = 0; i < Lines; ++i) {
        const std::size_t at = i * block.stride;
        sum[i] = Vector::add(sum[i], Vector::load(a + at), Vector::load(b + at));
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
    Vector::store(part, sum[i * kVectors]);
    if constexpr (kVectors == 2) Vector::store(part + Vector::kBytes, sum[2 * i + 1]);
  }
}

[[gnu::always_inline]] inline void xor_lines(const PacketBlock& block) {
  for (std::size_t s = 0; s < block.num_steps; ++s) {
    std::size_t line = 0;
    for (; block.lines - line >= 4; line += 4) xor_step<4>(block, block.steps[s], line);
    for (; line < block.lines; ++line) xor_step<1>(block, block.steps[s], line);
  }
}

}  // namespace
}  // namespace xorloom
