#pragma once

#include <cstddef>
#include <vector>

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

/// The registers of a lane that hold values, without those of the valid bit.
std::size_t num_registers(const EngineStages& engine);

/// A program in one stage, without registers.
EngineStages combinational(Program program);

}  // namespace xorloom
