#pragma once

#include <cstddef>

#include "cli/report/report_sets.hpp"
#include "cli/report/yosys.hpp"

namespace xorloom::cli {

struct Report;

/// The most ranks of registers that a report tries.
inline constexpr std::size_t kMostReportRanks = 4;

/// XORs of equations of which yosys is asked, too. Above it would take minutes.
inline constexpr std::size_t kMostYosysXors = 4096;

/// Makes XOR engines of the sets of a report, and counts what they take; yosys counts, too, where
/// it is installed. What it was not asked is left out, with a sentence.
///
/// Shape: the sets are over bits.
void add_engines(Report& report);

}  // namespace xorloom::cli
