#pragma once

#include <cstddef>
#include <vector>

#include "codes/code.hpp"
#include "equations/ir/program.hpp"
#include "gen/gpu/kernel_draft.hpp"

namespace xorloom {

/// A kernel on packets, as sums that read inputs alone or in the order of shared sums. A work item
/// computes one vector of every packet of a super-block.
///
/// Shape: form is kAccumulators, for equations that read inputs alone, or kIterative.
KernelDraft packet_kernel(const Code& code, const Program& equations,
                          const std::vector<std::size_t>& chunks, KernelForm form,
                          std::size_t vector_bytes);

}  // namespace xorloom
