#pragma once

#include <cstddef>
#include <string>

#include "codes/code.hpp"
#include "gen/gpu/kernel_text.hpp"

namespace xorloom {

// What stands around the lines of a kernel: the words in which languages differ, and its head.

/// The lines a file begins with: types, and the words of the language.
///
/// Names: xl_size, an unsigned number of 64 bits; xl_vec, a vector; XL_MEMORY, the word for memory
/// of the device; XL_FUNCTION, what a function begins with; xl_item(), the number of a work item.
std::string write_prelude(KernelLanguage language, std::size_t vector_bytes);

/// A kernel from its head to its end. Its lines find chunk i of kernel.chunks at base + at[i].
std::string write_kernel(KernelLanguage language, const KernelText& kernel,
                         const std::string& lines);

}  // namespace xorloom
