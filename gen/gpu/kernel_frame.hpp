#pragma once

#include <cstddef>
#include <string>

#include "codes/code.hpp"
#include "equations/ir/program.hpp"
#include "gen/gpu/kernel_text.hpp"

namespace xorloom {

// Everything around the lines of a kernel: comments, the words in which languages differ, access to
// vectors, and the kernel's head.

/// Head comment of a file of kernels: the code, its layout in memory, and the arguments of kernels.
std::string write_file_comment(const Code& code, KernelLanguage language);

/// Comment above a kernel: the chunks that it computes and reads, its cost, its form, the chunks of
/// its places, and its work items.
std::string write_kernel_comment(const Program& program, const KernelText& kernel);

/// Start of a file: xl_vec, the type of vectors, and those of these words that `text` uses, as the
/// language defines them:
///
///     xl_size           an unsigned number of 64 bits
///     XL_MEMORY         start of the type of a pointer to device memory
///     XL_FUNCTION       start of a function
///     xl_item()         the number of the work item
///     xl_xor3(a, b, c)  the sum of three vectors
///     xl_in_order()     a point past which compilers move no load
///     xl_opaque(value)  hides from compilers how a value was computed
///
/// and some words for tables.
std::string write_prelude(KernelLanguage language, std::size_t vector_bytes,
                          const std::string& text);

/// define_access() defines xl_get and xl_put for vectors of packets or sub-chunks.
/// place_of_vectors() is the first lines of a kernel that uses them: a work item computes one
/// vector of each.
std::string define_access(const Code& code);
std::string place_of_vectors(const Code& code, std::size_t vector_bytes);

/// A kernel from its head to its end. Its lines find chunk i of kernel.chunks at base + at[i].
std::string write_kernel(KernelLanguage language, const KernelText& kernel,
                         const std::string& lines);

}  // namespace xorloom
