#pragma once

#include <span>
#include <string>

#include "cli/report/report_sets.hpp"

namespace xorloom::cli {

/// What the sets of a code come to, in a few sentences: the fewest XORs and their bound, the steps on
/// the most cores, what a rebuild reads, and the speed, measured or else predicted.
///
/// Shape: one set at least, all of one code and one task.
std::string verdict_of(std::span<const ReportSet> sets);

}  // namespace xorloom::cli
