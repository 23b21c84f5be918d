#pragma once

#include <cstddef>
#include <span>

#include "runtime/kernels/isa.hpp"
#include "runtime/kernels/xor_kernel.hpp"

namespace xorloom {

/// A variant of plain XOR and its name: "4 lines NT +512" takes four lines of a stream at a time,
/// stores past the caches, and prefetches 512 bytes ahead.
struct PlainXorVariant {
  const char* name;
  PlainXorShape shape;
};

/// The variants that are worth a try with `isa`. Which of them is fastest depends on the machine,
/// the sizes and the alignment, so time them all to find the limit.
std::span<const PlainXorVariant> plain_xor_variants(Isa isa);

/// Runs plain XOR over the bytes begin … end of all streams: each written stream becomes the XOR of
/// all streams that are read. It is the limit that coding is measured against: the memory traffic
/// of a code that reads and writes equally many chunks, and the least arithmetic that uses all
/// inputs.
///
/// Shape: the machine has the instruction set.
///
/// Buffers: no alignment needed; what is written must not overlap anything else.
void plain_xor(Isa isa, const PlainXorShape& shape, const PlainXorStreams& streams,
               std::size_t begin, std::size_t end) noexcept;

}  // namespace xorloom
