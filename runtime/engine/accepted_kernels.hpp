#pragma once

#include <cstdint>

#include "codes/code.hpp"
#include "runtime/kernels/isa.hpp"

namespace xorloom {

/// Accepts the kernels that compute maps of a code, each once in a process. Kernels read a map as
/// data, so maps of a small code of the same field and layout stand for all: rows that begin with
/// factors of 1, rows without and rows of both.
///
/// Shape:  bit r - 1 of `rows` stands for the kernel that computes r rows at once; on packets there
///         is one kernel, and `rows` is 1.
/// Errors: throws kInternal, each time, if one of them is not accepted.
/// Cost:   some 50 µs for each that is new to the process.
void accept_kernels(const Code& code, Isa isa, std::uint32_t rows);

}  // namespace xorloom
