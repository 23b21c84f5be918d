#pragma once

#include <atomic>
#include <cstddef>
#include <vector>

#include "cli/measuring/cost_fit.hpp"
#include "codes/code.hpp"
#include "runtime/kernels/isa.hpp"

namespace xorloom::cli {

/// Number of timings that timed_calls() makes: codes times passes.
std::size_t num_timings(Arrangement arrangement);

/// Times encoding on one thread, by codes that differ in their work, with stripes in L1, L2, L3 and
/// memory. The most common codes are left out, for predictions that are not fitted to them: 4 + 2,
/// 6 + 3, 10 + 4 and 28 + 4.
///
/// All codes are timed before any is timed again, and the best time of each counts: other users of
/// a machine take speed away for seconds. `done` counts the timings.
///
/// Cost: about 8 s; if an instruction set is slow, later passes are left out.
std::vector<TimedCall> timed_calls(Isa isa, Arrangement arrangement,
                                   std::atomic<std::size_t>& done);

}  // namespace xorloom::cli
