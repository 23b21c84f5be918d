#pragma once

#include <cstddef>

#include "cli/report/report_sets.hpp"
#include "gen/verilog/engine_stages.hpp"

namespace xorloom::cli {

struct Report;

/// The most ranks of registers that a report tries.
inline constexpr std::size_t kMostReportRanks = 4;

/// XORs of equations of which yosys is asked, too. Above it would take minutes.
inline constexpr std::size_t kMostYosysXors = 4096;

/// Throws kInvalidArgument if a set is over symbols, and kUnsupported if it has more XORs than an
/// engine may have.
void check_engine_set(const ReportSet& set);

/// Makes XOR engines of the sets of a report, and counts what they take; yosys counts, too, where
/// it is installed. What it was not asked is left out, with a sentence.
///
/// Shape: the sets passed check_engine_set, or have fewer XORs than one that did.
void add_engines(Report& report);

/// What add_engines counted of a set with tables of that many inputs; null if it did not.
const EngineCost* engine_cost(const ReportSet& set, std::size_t gate_inputs, std::size_t ranks);

/// A set as the engine that a page draws: of the tables that were to be few, or of usual ones.
EngineStages drawn_engine(const ReportSet& set, std::size_t ranks);

}  // namespace xorloom::cli
