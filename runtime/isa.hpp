#pragma once

#include <string_view>
#include <vector>

namespace xorloom {

/// The instruction sets kernels are written for, weakest first.
enum class Isa { kPortable, kAvx2, kAvx512 };

/// "portable", "avx2", "avx512".
const char* to_string(Isa isa);

/// Those this machine has, weakest first. AVX-512 means F, BW, DQ and VL.
const std::vector<Isa>& machine_isas();

/// The instruction set of that name; for "", the one XORLOOM_ISA names, else the machine's best.
///
/// Errors: throws kInvalidArgument for an unknown name, kUnsupported if the machine lacks it.
Isa choose_isa(std::string_view name);

}  // namespace xorloom
