#pragma once

#include <string>

#include "codes/code.hpp"
#include "equations/ir/program.hpp"
#include "gen/gpu/kernel_text.hpp"

namespace xorloom {

/// The comment a file of kernels begins with: the code, its layout in memory, and what kernels
/// take.
std::string write_file_comment(const Code& code, KernelLanguage language);

/// The comment above a kernel: what it computes from what, its cost, its form, the chunks that its
/// places are of, and its work items.
std::string write_kernel_comment(const Program& program, const KernelText& kernel);

}  // namespace xorloom
