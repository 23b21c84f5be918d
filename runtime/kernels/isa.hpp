#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "runtime/kernels/word_kernel.hpp"
#include "runtime/kernels/xor_kernel.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

/// The instruction sets that this machine has, weakest first. AVX-512 means F, BW, DQ and VL.
const std::vector<Isa>& machine_isas();

/// Bytes of a vector: 0 (portable), 16, 32 or 64.
std::size_t vector_bytes(Isa isa);

/// Bytes of a vector of the V extension of this machine; 0 if it has none.
std::size_t rvv_bytes();

/// True if `isa` multiplies vectors of bytes by matrices of bits.
bool has_gfni(Isa isa);

struct TransformKernelTable;  // runtime/transforms/transform_kernel.hpp

/// Kernels for an instruction set: its own, or else the best of weaker sets.
struct IsaKernels {
  Isa isa;
  const WordKernelTable* words;
  PacketKernel xor_lines;
  PlainXorKernel plain_xor;
  const TransformKernelTable* transforms;
};

/// Errors: throws kUnsupported if this build has no kernels for `isa`.
const IsaKernels& kernels_of(Isa isa);

/// The instruction set to use: the one asked for, else the one that XORLOOM_ISA names, else the
/// machine's best.
///
/// Errors: throws kInvalidArgument if XORLOOM_ISA is set to an unknown name, kUnsupported if the
///         machine lacks the instruction set.
Isa choose_isa(std::optional<Isa> asked = {});

}  // namespace xorloom
