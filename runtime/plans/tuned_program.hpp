#pragma once

#include "codes/code.hpp"
#include "codes/linear_map.hpp"
#include "equations/ir/program.hpp"
#include "gen/vector/machine_program.hpp"
#include "runtime/engine/plan_options.hpp"

namespace xorloom {

/// Finds equations of a map of a code in packets, and the order in which machine code computes
/// them. Takes them from the store (PlanOptions::wisdom) if it has them with at least the effort
/// that the options ask for. Else searches, beginning with equations of few XORs that the store
/// has. The store keeps what more than a fast search has found. All that comes from it is proved.
/// Direct equations and those for kernels have no order.
///
/// Errors: as direct_program and optimize.
OrderedProgram tuned_program(const Code& code, const LinearMap& map, const PlanOptions& options);

/// An XOR program with its sums shared anew, in the number of bands that makes its machine code
/// cheap. The store is not asked.
///
/// Errors: as optimize.
Program shared_in_bands(const Code& code, const Program& program, const PlanOptions& options);

}  // namespace xorloom
