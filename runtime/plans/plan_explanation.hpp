#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"
#include "equations/ir/core_schedule.hpp"
#include "runtime/engine/plan_options.hpp"
#include "runtime/engine/task_graph.hpp"
#include "runtime/engine/tile_counts.hpp"
#include "runtime/plans/device_choice.hpp"

namespace xorloom {

/// The choices for a plan, and the numbers that they rest on.
struct PlanExplanation {
  EquationForm style = EquationForm::kDirect;  ///< packets: direct or iterative
  std::size_t direct_xors = 0;                 ///< packets: XORs of direct equations
  std::optional<std::size_t> shared_xors;      ///< packets: XORs after the search, if there was one
  Effort effort = Effort::kFast;               ///< packets: effort that was spent on the program
  bool is_known = false;                       ///< packets: the store has the program
  Engine engine = Engine::kKernels;            ///< code or kernels
  std::string why_kernels;                     ///< a phrase; empty if there is machine code
  CodeMemory code_memory = CodeMemory::kNoCode;
  PlanWork work;                  ///< by which `auto` chooses between threads and devices
  std::size_t cost = 0;           ///< cost of a column, as the executor balances it
  std::vector<CoreWork> cores{};  ///< empty unless the executor runs a task graph
  NearBlocks near_blocks{};       ///< set if the executor runs a task graph
};

/// The work of a program. Makes the code, without accepting it. If code is refused, kernels are
/// counted.
PlanWork work_of_program(const Code& code, const Program& program, const PlanOptions& options);

/// The choices of make_plan for a map, found by making the computation without accepting it.
///
/// Errors: throws kUnsupported if the equations are too many, or if the options ask for machine code
///         and there is none.
PlanExplanation explanation_of(const Code& code, const LinearMap& map, const PlanOptions& options);

/// The choices for a given program that computes the map. `on_cores` is its plan for cores, or
/// null. Errors: as above.
PlanExplanation explanation_of(const Code& code, const LinearMap& map, const Program& program,
                               const CoreSchedule* on_cores, const PlanOptions& options);

}  // namespace xorloom
