#pragma once

#include <memory>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"
#include "equations/ir/program.hpp"
#include "gen/vector/lower.hpp"
#include "runtime/engine/plan_options.hpp"
#include "xorloom/xorloom.hpp"

namespace xorloom {

/// The equations of a map of a code in packets, and the order that machine code is to compute them
/// in, if it was found beforehand.
struct TunedProgram {
  Program direct;
  Program program;
  std::shared_ptr<const Program> order{};  ///< see JitOptions
  Effort effort = Effort::kFast;           ///< that was spent on it
  bool is_known = false;                   ///< from the store
};

/// Finds them: in the store (PlanOptions::wisdom) if it has them, with as much effort spent on them
/// as the options ask for, else by a search, which begins with equations of few XORs that the store
/// has. The store keeps what more than a fast search has found. All that comes from it is proved.
///
/// Errors: as direct_program and optimize.
TunedProgram tuned_program(const Code& code, const LinearMap& map, const PlanOptions& options);

/// An XOR program with its sums shared anew, in as many bands as make its machine code cheap. The
/// store is not asked.
///
/// Errors: as optimize.
Program shared_in_bands(const Code& code, const Program& program, const PlanOptions& options);

}  // namespace xorloom
