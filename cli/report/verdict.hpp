#pragma once

#include <span>
#include <string>
#include <utility>

#include "cli/report/report.hpp"

namespace xorloom::cli {

/// Summarises the sets of a code in a few sentences, each with the number of the best set: XORs and
/// their bound, steps on the most cores, reads, tables of an engine, and speed. The speed is
/// measured, else predicted; measured speeds within 3 % are a tie.
///
/// `has_error`: also say how large the error of predictions is.
/// Precondition: `sets` is not empty; all are of one code of `report`.
std::string verdict_of(const Report& report, std::span<const ReportSet> sets,
                       bool has_error = true);

/// The set with the fewest steps on the most cores, and its entry for these cores. If no set has
/// `on_cores`, the set with the fewest XORs and null.
std::pair<const ReportSet*, const CoresCost*> fewest_steps(std::span<const ReportSet> sets);

}  // namespace xorloom::cli
