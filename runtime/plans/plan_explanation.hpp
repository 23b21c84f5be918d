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

/// What is chosen for a plan, and what the choice rests on.
struct PlanExplanation {
  EquationForm style = EquationForm::kDirect;  ///< packets: direct or iterative
  std::size_t direct_xors = 0;                 ///< packets
  std::optional<std::size_t> shared_xors;      ///< packets: after the search, where there was one
  Effort effort = Effort::kFast;               ///< packets: that was spent on the program
  bool is_known = false;                       ///< packets: the store has the program
  Engine engine = Engine::kKernels;            ///< code or kernels
  std::string why_kernels;                     ///< a phrase; empty where there is machine code
  CodeMemory code_memory = CodeMemory::kNoCode;
  TileCounts tile;
  std::size_t tile_columns = 0;   ///< that a tile is of
  std::size_t data_bytes = 0;     ///< the user's, of the chunks that a tile is a part of
  std::size_t cost = 0;           ///< of a column, as the executor balances it
  std::size_t chunks = 0;         ///< read or written
  std::vector<CoreWork> cores{};  ///< where the executor runs a task graph
  NearBlocks near_blocks{};       ///< the same
  PlanWork work{};                ///< by which `auto` chooses between threads and devices
};

/// What a core does for a tile of a program of a packet code.
struct TileWork {
  TileCounts counts;           ///< of machine code, or of the kernels where there is none
  std::size_t data_bytes = 0;  ///< the user's, of the chunks that a tile is a part of
  std::size_t chunks = 0;      ///< read or written
};

/// What an explanation says of it.
TileWork tile_work(const PlanExplanation& explanation);

/// Found by making the code, without accepting it. Where it is refused, kernels are counted.
TileWork tile_work(const Code& code, const Program& program, const PlanOptions& options);

/// The choices of make_plan for a map, found by making the computation without accepting it.
///
/// Errors: throws kUnsupported if the equations are too many.
PlanExplanation explanation_of(const Code& code, const LinearMap& map, const PlanOptions& options);

/// The same for a given program that computes the map, with a plan of it for cores or null.
PlanExplanation explanation_of(const Code& code, const LinearMap& map, const Program& program,
                               const CoreSchedule* on_cores, const PlanOptions& options);

}  // namespace xorloom
