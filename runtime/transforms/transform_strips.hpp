#pragma once

// Passes from inputs to strips, for the kernels' files alone, as transform_loops.hpp.

#include "runtime/transforms/transform_kernel.hpp"

namespace xorloom {
namespace {

/// Copies the inputs of a strip from memory to its rows, and prefetches half of a later strip.
///
/// Many streams from memory are slow if each is loaded by an instruction of its own: cores of Intel
/// then read 24 streams or more at 12 GB/s. With one instruction for each offset in a strip they
/// read at 16 GB/s.
template <class Pass>
void copy_inputs(const TransformBlock& block) {
  using V = typename Pass::Vector;
  const std::uint8_t* const* const inputs = block.inputs;
  std::uint8_t* to = block.to;
  const std::size_t begin = block.begin;
  const std::size_t prefetched = block.begin + block.ahead;
  const std::size_t rows = block.blocks * Pass::kRows;
#pragma GCC unroll 1
  for (std::size_t i = 0; i < rows; ++i, to += kStripBytes) {
#pragma GCC unroll 2
    for (std::size_t place = 0; place < kStripBytes; place += V::kBytes) {
      V::store(to + place, V::load(inputs[i] + begin + place));
      if (place >= kStripBytes / 2) continue;
      Pass::template prefetch<Pass::kFirstCache>(inputs[i] + prefetched + place);
    }
  }
}

/// A function of its own, so that its variables stay in registers.
template <class Pass, int Cache>
[[gnu::noinline]] void run_strips(const TransformBlock& block) {
  using V = typename Pass::Vector;
  constexpr std::size_t kRows = Pass::kRows;
  constexpr bool kCopies = Cache == Pass::kFarCache;
  if constexpr (kCopies) copy_inputs<Pass>(block);
  const std::uint8_t* const* inputs = block.inputs;
  std::uint8_t* to = block.to;
  const std::uint8_t* factors = block.factors;
  const std::size_t begin = block.begin;
  const std::size_t prefetched = block.begin + block.ahead;
#pragma GCC unroll 1
  for (std::size_t left = block.blocks; left > 0; --left) {
    const typename Pass::template Constants<true> constants(factors);
#pragma GCC unroll 2
    for (std::size_t place = 0; place < kStripBytes; place += V::kBytes) {
      typename V::Register x[kRows][1];
#pragma GCC unroll 8
      for (std::size_t i = 0; i < kRows; ++i) {
        if constexpr (kCopies) {
          x[i][0] = V::load(to + i * kStripBytes + place);
        } else {
          x[i][0] = V::load(inputs[i] + begin + place);
          if constexpr (Cache != Pass::kNoCache) {
            Pass::template prefetch<Cache>(inputs[i] + prefetched + place);
          }
        }
      }
      Pass::butterflies(x, constants);
#pragma GCC unroll 8
      for (std::size_t i = 0; i < kRows; ++i) V::store(to + i * kStripBytes + place, x[i][0]);
    }
    inputs += kRows;
    to += kRows * kStripBytes;
    factors += Pass::kConstants * Pass::kFactorBytes;
  }
}

}  // namespace
}  // namespace xorloom
