#pragma once

#include <span>

#include "cli/report/report_sets.hpp"
#include "codes/code.hpp"

namespace xorloom::cli {

/// Times the sets of a code, and compares the bytes that each set computes before timing it.
///
/// - On one core with each instruction set: stripes in L1, L2, L3 and memory.
/// - On one core with the best instruction set: more chunk sizes, and single calls in L2.
/// - Plans for several cores: on threads that stay awake, in L2, up to the threads of this machine.
///
/// Returns the share of the single-core time in which this thread had a processor.
///
/// Precondition: all sets are of `code` and of one request.
/// Errors: throws kInternal if a byte differs.
/// Cost:   some seconds for each set.
double measure_sets(const Code& code, std::span<ReportSet> sets);

}  // namespace xorloom::cli
