#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace xorloom::gpu_bench {

/// How long calls are timed.
struct Effort {
  double seconds;      ///< that all rounds take together, at least
  std::size_t rounds;  ///< at least
};

/// The median of calls after one that is not timed. A round has as many calls as take some
/// milliseconds; then `finish` returns when they are done.
double seconds_of_call(const std::function<void()>& call, const std::function<void()>& finish,
                       const Effort& effort);

/// The same of a call that returns when it is done.
double seconds_of_call(const std::function<void()>& call, const Effort& effort);

/// Seconds of single calls, ascending.
std::vector<double> seconds_of_single_calls(const std::function<void()>& call, std::size_t count);

}  // namespace xorloom::gpu_bench
