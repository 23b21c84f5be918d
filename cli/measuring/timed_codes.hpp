#pragma once

#include <atomic>
#include <cstddef>
#include <vector>

#include "cli/measuring/cost_fit.hpp"
#include "codes/code.hpp"
#include "runtime/kernels/isa.hpp"

namespace xorloom::cli {

/// The codes that are timed to learn what a core takes, and the passes over them.
std::size_t num_timings(Arrangement arrangement);

/// Times encoding of codes that differ in what they need, with their chunks in L1, L2, L3 and
/// memory, as a codec runs them. The codes that people ask for most are not among them: 4 + 2,
/// 6 + 3, 10 + 4 and 28 + 4.
///
/// All codes are timed before any is again, and the best time of each counts: where a machine is
/// shared, others take speed away for seconds, and never add to it. `done` counts the timings.
///
/// Cost: about 8 s; later passes are left out where an instruction set is slow.
std::vector<TimedCall> timed_calls(Isa isa, Arrangement arrangement,
                                   std::atomic<std::size_t>& done);

}  // namespace xorloom::cli
