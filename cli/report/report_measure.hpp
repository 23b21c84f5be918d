#pragma once

#include <span>

#include "cli/report/report_sets.hpp"
#include "codes/code.hpp"

namespace xorloom::cli {

/// Times sets of equations of a code on one core: by each instruction set where a stripe lies in
/// L1, L2, L3 and memory; by the best in more sizes; and single calls in L2. Plans for no more cores
/// than there are threads are timed on threads that stay awake, in L2. What each computes is
/// compared first. Returns the share of the time on one core in which the thread had a processor.
///
/// Shape:  the sets are of the code and, all of them, of the same request.
/// Errors: throws kInternal if a byte differs.
/// Cost:   some seconds for each set.
double measure_sets(const Code& code, std::span<ReportSet> sets);

}  // namespace xorloom::cli
