#pragma once

#include <memory>
#include <optional>

#include "codes/code.hpp"
#include "codes/linear_map.hpp"
#include "equations/ir/core_schedule.hpp"
#include "equations/ir/program.hpp"
#include "runtime/engine/graph_run.hpp"
#include "runtime/engine/plan_options.hpp"

namespace xorloom {

/// The task graph of accepted_graph(), not accepted. nullopt if the options' executor runs no
/// graph, or if there is only one core.
std::optional<TaskGraph> task_graph_of(const Code& code, const LinearMap& map,
                                       const Program& program, const Computation& computation,
                                       const CoreSchedule* on_cores, const PlanOptions& options);

/// The task graph of a program that the options' executor runs, accepted: groups of equations, or
/// the parts of a plan for cores. Null if the executor runs no graph, or if there is only one core.
///
/// Shape:  the program computes the map, and the computation is of the program. `on_cores` is a
///         checked plan of the program for cores. Null: one is made, with a core for each thread of
///         `options`.
/// Errors: throws kInternal if the parts are not proved or not accepted.
std::unique_ptr<SpareRuns> accepted_graph(const Code& code, const LinearMap& map,
                                          const Program& program, const Computation& computation,
                                          const CoreSchedule* on_cores, const PlanOptions& options);

}  // namespace xorloom
