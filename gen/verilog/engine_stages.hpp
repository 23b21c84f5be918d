#pragma once

#include <cstddef>
#include <vector>

#include "equations/ir/core_schedule.hpp"
#include "equations/ir/program.hpp"

namespace xorloom {

/// A program whose equations are in stages, with a rank of registers between two stages. Inputs
/// arrive in stage 0, and outputs are taken from stage `ranks`, the last one. A value that a later
/// stage reads is held in one register per rank on the way there.
///
/// Invariant: no equation reads one of a later stage.
struct EngineStages {
  Program program;
  std::size_t ranks = 0;
  std::vector<std::size_t> stage_of;  ///< by equation: its stage
};

/// By element: the stages between which its value exists.
struct ValueStages {
  std::vector<std::size_t> made;  ///< stage that makes it; 0 for inputs
  /// Last stage that reads it; `ranks` for outputs; kNone: not read.
  std::vector<std::size_t> last;

  /// True if a register in front of `stage` holds the value.
  bool is_held(Element element, std::size_t stage) const {
    return last[element] != kNone && made[element] < stage && stage <= last[element];
  }
};

ValueStages value_stages(const EngineStages& engine);

/// Size of an engine, per lane.
struct EngineSize {
  std::size_t gates = 0;        ///< equations of two operands or more
  std::size_t most_inputs = 0;  ///< most operands of a gate
  std::size_t depth = 0;        ///< levels of gates from inputs to outputs
  std::size_t stage_depth = 0;  ///< most levels of gates between registers
  std::size_t registers = 0;    ///< registers for values; the valid bit takes one more per rank

  friend bool operator==(const EngineSize&, const EngineSize&) = default;
};

EngineSize engine_size(const EngineStages& engine);

/// Cuts a program into ranks + 1 stages, none of which is deeper than depth / (ranks + 1), rounded
/// up. An equation of two operands or more counts as one level. Of all such cuts it is one with the
/// fewest registers: a value takes one for each rank between the stage that makes it and the last
/// one that reads it. If there are more stages than levels, some stages only hold values.
///
/// The problem is a minimum cut. A stage is a run of time slots, one a level. For each value and
/// each slot a bit says whether the value is computed in that slot or later. Arcs between bits say
/// that a sum comes after its operands, and that a register holds a value that is computed before
/// the register and read behind it.
///
/// Errors: throws kUnsupported if that takes more than kMostCutBits bits.
/// Cost:   O(equations · slots that an equation may be moved by) bits; the flow through them is the
///         number of registers.
/// Source: the program is that of C. Leiserson, J. Saxe, Retiming synchronous circuitry,
///         Algorithmica 1991; the cut as in J. Picard, Maximal closure of a graph and applications
///         to combinatorial problems, Management Science 1976.
EngineStages cut_into_stages(const Program& program, std::size_t ranks);

inline constexpr std::size_t kMostCutBits = 4'000'000;

/// Stages that are the steps of a program's plan: each of its XORs has registers before and behind
/// it.
///
/// Shape: the plan computes the program.
EngineStages stages_of_plan(const Program& program, const CoreSchedule& plan);

}  // namespace xorloom
