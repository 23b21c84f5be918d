#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "equations/ir/program.hpp"

namespace xorloom {

/// Reads the lines of a kernel back and computes them on combinations of inputs: what is stored has
/// to be what the program says of its outputs, each stored once, and nothing else. Lines of any
/// other form than those of kernel_lines.hpp, and those of word kernels, are none.
///
/// Shape:  the program is over bits on packets and with planes, else over the code's symbols;
///         planes as in KernelLines.
/// Errors: throws kInternal, saying where they differ.
/// Cost:   O(operands · inputs).
void check_kernel_lines(const Program& program, const std::vector<std::size_t>& chunks,
                        std::size_t planes, std::string_view lines);

}  // namespace xorloom
