#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace xorloom {

/// The instruction sets kernels are written for, weakest first.
enum class Isa { kPortable, kNeon, kSsse3, kAvx2, kAvx2Gfni, kAvx512, kAvx512Gfni };

/// "portable", "neon", "ssse3", "avx2", "avx2-gfni", "avx512", "avx512-gfni".
const char* to_string(Isa isa);

/// All names, in the order of the enum.
const std::vector<std::string>& isa_names();

/// Those this machine has, weakest first. AVX-512 means F, BW, DQ and VL.
const std::vector<Isa>& machine_isas();

/// Bytes of a vector: 0 (portable), 16, 32 or 64.
std::size_t vector_bytes(Isa isa);

/// Whether it multiplies vectors of bytes by matrices of bits.
bool has_gfni(Isa isa);

/// The instruction set of that name; for "", the one XORLOOM_ISA names, else the machine's best.
///
/// Errors: throws kInvalidArgument for an unknown name, kUnsupported if the machine lacks it.
Isa choose_isa(std::string_view name);

}  // namespace xorloom
