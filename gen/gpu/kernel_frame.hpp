#pragma once

#include <cstddef>
#include <string>

#include "codes/code.hpp"
#include "equations/ir/program.hpp"
#include "gen/gpu/kernel_text.hpp"

namespace xorloom {

// What stands around the lines of a kernel: comments, the words in which languages differ, how
// vectors are reached, and its head.

/// The comment a file of kernels begins with: the code, its layout in memory, and what kernels
/// take.
std::string write_file_comment(const Code& code, KernelLanguage language);

/// The comment above a kernel: what it computes from what, its cost, its form, the chunks that its
/// places are of, and its work items.
std::string write_kernel_comment(const Program& program, const KernelText& kernel);

/// The lines a file begins with: xl_vec, the type of vectors, and of these words those that a text
/// uses, which a language has in its own way:
///
///     xl_size           an unsigned number of 64 bits
///     XL_MEMORY         what pointers to memory of the device begin with
///     XL_FUNCTION       what a function begins with
///     xl_item()         the number of the work item
///     xl_xor3(a, b, c)  the sum of three vectors
///     xl_in_order()     past which compilers move no load
///     xl_opaque(value)  past which they do not look at how a value came about
///
/// and some more for tables.
std::string write_prelude(KernelLanguage language, std::size_t vector_bytes,
                          const std::string& text);

/// xl_get and xl_put for vectors of packets or sub-chunks, and the first lines of a kernel that
/// uses them: a work item computes one vector of each.
std::string define_access(const Code& code);
std::string place_of_vectors(const Code& code, std::size_t vector_bytes);

/// A kernel from its head to its end. Its lines find chunk i of kernel.chunks at base + at[i].
std::string write_kernel(KernelLanguage language, const KernelText& kernel,
                         const std::string& lines);

}  // namespace xorloom
