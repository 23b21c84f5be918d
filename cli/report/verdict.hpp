#pragma once

#include <span>
#include <string>
#include <utility>

#include "cli/report/report.hpp"

namespace xorloom::cli {

/// What the sets of a code come to, in a few sentences: the fewest XORs and their bound, the fewest
/// steps on the most cores, what a rebuild reads, the tables of an engine, and the speed, measured
/// or else predicted, each with the number of the set that it is of. Speeds within 3 % are a tie.
/// How far predictions can be trusted may stand elsewhere.
///
/// Shape: one set at least, all of one code of the report.
std::string verdict_of(const Report& report, std::span<const ReportSet> sets,
                       bool has_error = true);

/// The set that takes the fewest steps on the most cores, and these; a set of the fewest XORs and
/// null where no steps are counted.
std::pair<const ReportSet*, const CoresCost*> fewest_steps(std::span<const ReportSet> sets);

}  // namespace xorloom::cli
