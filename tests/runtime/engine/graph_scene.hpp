#pragma once

#include <cstddef>
#include <vector>

#include "codes/code.hpp"
#include "equations/cores/spread.hpp"
#include "equations/ir/program.hpp"
#include "runtime/engine/plan_options.hpp"
#include "runtime/engine/task_graph.hpp"
#include "runtime/kernels/isa.hpp"

namespace xorloom {

/// Deals the equations of a program out to the cores in turn, so that nearly every value read comes
/// from another core.
inline SpreadProgram dealt_out(const Program& program, std::size_t cores) {
  SpreadProgram spread{program, {}};
  for (std::size_t i = 0; i < program.equations.size(); ++i) spread.core_of.push_back(i % cores);
  return spread;
}

inline TaskGraph graph_of(const Code& code, const SpreadProgram& spread, Isa isa) {
  return {code, parts_on_cores(spread, values_per_location(code)), {.isa = isa}};
}

}  // namespace xorloom
