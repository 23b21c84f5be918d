#pragma once

#include <cstdint>

#include "codes/code.hpp"
#include "runtime/kernels/isa.hpp"

namespace xorloom {

/// Of the rows that accept_kernels() takes: several steps, or cells of several sub-chunks.
inline constexpr std::uint32_t kSeveralSteps = std::uint32_t{1} << 31;

/// Accepts the kernels that compute maps of a code, each once in a process. Kernels read a map as
/// data, so a small code of the same field and layout stands for all maps: its rows have factors of
/// 1, other factors, and both.
///
/// Shape:  bit r - 1 of `rows` stands for the kernel that computes r rows at once. On packets there
///         is one kernel, and `rows` is 1.
/// Errors: throws kInternal if a kernel is not accepted; later calls with it throw, too.
/// Cost:   some 50 µs for each kernel that is new to the process.
void accept_kernels(const Code& code, Isa isa, std::uint32_t rows);

}  // namespace xorloom
