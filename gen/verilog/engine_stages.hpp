#pragma once

#include <cstddef>
#include <vector>

#include "equations/ir/core_schedule.hpp"
#include "equations/ir/program.hpp"

namespace xorloom {

/// A program whose equations stand in stages, with a rank of registers between each two of them.
/// Inputs come in stage 0, outputs are taken from the last stage, ranks. A value that a later stage
/// reads is held in one register per rank on the way there.
///
/// Invariant: no equation reads one of a later stage.
struct EngineStages {
  Program program;
  std::size_t ranks = 0;
  std::vector<std::size_t> stage_of;  ///< by equation
};

/// The last stage in which each element is read, outputs in the last stage of all; kNone for one
/// that nothing reads. Shape: by element.
std::vector<std::size_t> last_stages(const EngineStages& engine);

/// The stage that makes each element: 0 for inputs. Shape: by element.
std::vector<std::size_t> first_stages(const EngineStages& engine);

/// How large an engine is, per lane.
struct EngineSize {
  std::size_t gates = 0;        ///< equations of two operands or more
  std::size_t most_inputs = 0;  ///< of one of them
  std::size_t depth = 0;        ///< levels of gates from inputs to outputs
  std::size_t stage_depth = 0;  ///< the same between registers, at most
  std::size_t registers = 0;    ///< that hold values: the valid bit has one more for each rank

  friend bool operator==(const EngineSize&, const EngineSize&) = default;
};

EngineSize engine_size(const EngineStages& engine);

/// A program in one stage, without registers.
EngineStages combinational(Program program);

/// A program whose stages are the steps of its plan: each of its XORs has registers before and
/// behind it.
///
/// Shape: the plan computes the program.
EngineStages stages_of_plan(const Program& program, const CoreSchedule& plan);

}  // namespace xorloom
