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

/// By element, between which stages its value is there.
struct ValueStages {
  std::vector<std::size_t> made;  ///< 0 for inputs
  std::vector<std::size_t> last;  ///< that reads it, the last of all for outputs; kNone: none does

  /// Whether a register in front of a stage holds it.
  bool is_held(Element element, std::size_t stage) const {
    return last[element] != kNone && made[element] < stage && stage <= last[element];
  }
};

ValueStages value_stages(const EngineStages& engine);

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

/// A program cut into ranks + 1 stages, none of which is deeper than depth / (ranks + 1), rounded
/// up, counting each equation of two operands or more as one level. Of all such cuts it is one with
/// the fewest registers: a value takes one for each rank between the stage that makes it and the
/// last one that reads it.
///
/// Where there are more stages than levels some do nothing but hold values.
///
/// The question is a minimum cut. A stage is a run of time slots, one a level. For each value and
/// each slot there is a bit that says whether the value is computed in that slot or later; that a
/// sum comes after what it reads, and that a register holds what is computed before it and read
/// behind it, are arcs between bits.
///
/// Errors: throws kUnsupported where that takes more than kMostCutBits bits.
/// Cost:   O(equations · slots that an equation may be moved by) bits; the flow through them is the
///         number of registers.
/// Source: the program is that of C. Leiserson, J. Saxe, Retiming synchronous circuitry,
///         Algorithmica 1991; the cut as in J. Picard, Maximal closure of a graph and applications
///         to combinatorial problems, Management Science 1976.
EngineStages cut_into_stages(const Program& program, std::size_t ranks);

inline constexpr std::size_t kMostCutBits = 4'000'000;

/// A program whose stages are the steps of its plan: each of its XORs has registers before and
/// behind it.
///
/// Shape: the plan computes the program.
EngineStages stages_of_plan(const Program& program, const CoreSchedule& plan);

}  // namespace xorloom
