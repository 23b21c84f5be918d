#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace xorloom::gpu_bench {

/// Least time and rounds for timing a call.
struct Effort {
  double seconds;      ///< of all rounds together, at least
  std::size_t rounds;  ///< at least
};

/// Median seconds of a call, after one call that is not timed. A round has enough calls to take
/// some milliseconds; then `finish` returns when they are done.
double seconds_of_call(const std::function<void()>& call, const std::function<void()>& finish,
                       const Effort& effort);

/// seconds_of_call() of a call that returns when it is done.
double seconds_of_call(const std::function<void()>& call, const Effort& effort);

/// Seconds of single calls, ascending.
std::vector<double> seconds_of_single_calls(const std::function<void()>& call, std::size_t count);

}  // namespace xorloom::gpu_bench
