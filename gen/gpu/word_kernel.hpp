#pragma once

#include <cstddef>
#include <vector>

#include "codes/code.hpp"
#include "equations/ir/program.hpp"
#include "gen/gpu/kernel_draft.hpp"

namespace xorloom {

// Kernels on words. All but those on planes compute one vector of every sub-chunk per work item.
//
// Shape: the program is over the code's symbols, and `bits` is bits_of one.

/// Computes sums bit by bit of the coefficients, the highest first:
///
///     xl_vec e4 = e1;                      bit 2 of 5·e0 + 4·e1
///     e4 = xl_twice(e4);                   bit 1
///     e4 = xl_twice(e4) ^ e0;              bit 0
///
/// Errors: throws kUnsupported where symbols are coordinates in a basis or lie in planes.
KernelDraft horner_kernel(const Code& code, const Program& program,
                          const std::vector<std::size_t>& chunks, std::size_t vector_bytes);

/// Computes on planes of bits, which bit_planes.hpp draws. It takes any field and arrangement.
KernelDraft plane_kernel(const Code& code, const Program& bits,
                         const std::vector<std::size_t>& chunks, std::size_t vector_bytes);

/// xl_get and xl_put for vectors of sub-chunks, and the first lines of a kernel that uses them.
std::string define_word_access();
std::string place_of_words(std::size_t vector_bytes);

}  // namespace xorloom
