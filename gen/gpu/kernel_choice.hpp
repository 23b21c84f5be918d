#pragma once

#include <vector>

#include "codes/code.hpp"
#include "gen/gpu/kernel_draft.hpp"
#include "gen/gpu/kernel_text.hpp"

namespace xorloom {

/// The forms that may be the best for a code: those that compute it, but for the baseline.
std::vector<KernelForm> forms_of(const Code& code);

/// The draft with the lowest price of those that the options leave open, its lines compared with
/// the program.
///
/// Errors: as emit_kernel.
KernelDraft choose_kernel(const Code& code, const NamedProgram& program,
                          const KernelOptions& options);

}  // namespace xorloom
