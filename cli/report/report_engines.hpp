#pragma once

#include <cstddef>

#include "cli/report/report_sets.hpp"
#include "gen/verilog/engine_stages.hpp"

namespace xorloom::cli {

struct Report;

/// Reports count engines with 0 to this many ranks of registers.
inline constexpr std::size_t kMostReportRanks = 4;

/// The most XORs of a set that yosys synthesises; larger sets would take minutes.
inline constexpr std::size_t kMostYosysXors = 4096;

/// Throws kInvalidArgument if `set` is over symbols, kUnsupported if it has more XORs than
/// kMostEngineXors.
void check_engine_set(const ReportSet& set);

/// Sets the `engines` of all sets, and synthesises them with yosys if it is installed. Adds a
/// sentence to `left_out` for what yosys did not count.
///
/// Precondition: check_engine_set accepts each set.
void add_engines(Report& report);

/// The engine of `set` with these table inputs and ranks; null if add_engines did not count it.
const EngineCost* engine_cost(const ReportSet& set, std::size_t gate_inputs, std::size_t ranks);

/// The engine that a page draws: of the tables that the search of `set` minimised, else of
/// kUsualGateInputs inputs.
EngineStages drawn_engine(const ReportSet& set, std::size_t ranks);

}  // namespace xorloom::cli
