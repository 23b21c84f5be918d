#pragma once

#include "codes/code.hpp"
#include "gen/gpu/kernel_draft.hpp"
#include "gen/gpu/kernel_text.hpp"

namespace xorloom {

/// A kernel that was chosen and proved, before its source is written.
struct ChosenKernel {
  KernelText text;  ///< without source
  KernelDraft draft;
};

/// The draft with the lowest price of those that the options leave open, its lines compared with the
/// program.
///
/// Errors: as emit_kernel.
ChosenKernel choose_kernel(const Code& code, const NamedProgram& program,
                           const KernelOptions& options);

}  // namespace xorloom
