#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace xorloom::cli {

/// Work that is timed against other work. In each round every contender has a turn of a few
/// milliseconds, or of one call if that is longer. So all see the machine in the same state.
struct Contender {
  std::string name;
  std::function<void(std::size_t calls)> run;
  std::size_t threads = 1;           ///< with several, turns are longer, as threads start slowly
  bool begins_cold = false;          ///< false: untimed calls warm the caches before each turn
  std::size_t calls = 1;             ///< calls per turn
  std::vector<double> seconds_of{};  ///< seconds per call, one value per round
};

/// Finds the number of calls in a turn, and returns the seconds of a call. Several threads first
/// work until each has a processor of its own, since new threads may share one for about 20 ms.
double warm_up(Contender& contender);

/// Times a turn and adds its result to `seconds_of`.
void take_turn(Contender& contender);

/// Median of the turns in seconds per call; 0 if there were none.
double median_seconds(const Contender& contender);

/// Median of `rounds` turns of `run` alone, in seconds per call.
double timed_alone(std::function<void(std::size_t calls)> run, bool begins_cold, std::size_t rounds,
                   std::size_t threads = 1);

/// Processor time of this thread so far, in seconds.
double thread_seconds();

/// Median over `calls` calls of this thread's processor time, in seconds. A call in memory takes
/// tens of milliseconds, in which other programs may take the processor.
double processor_seconds(const std::function<void()>& call, std::size_t calls);

/// Warms up all contenders and keeps the `count` fastest of a few rounds, or of one call each if
/// they begin cold.
void keep_fastest(std::vector<Contender>& contenders, std::size_t count);

/// Distribution of the seconds of single calls.
struct Latency {
  std::size_t calls = 0;
  double p50 = 0;  ///< half of the calls take at most this; the others likewise
  double p90 = 0;
  double p99 = 0;
  double p999 = 0;
  double most = 0;
  std::vector<double> curve{};  ///< seconds, by latency_shares()
};

/// Shares of the curve of latencies, ascending: 0.01 to 0.99, then 0.991 to 0.999.
const std::vector<double>& latency_shares();

/// Seconds of single calls: 1000 to 20000 calls, as fit in about 0.25 s.
std::vector<double> seconds_of_calls(const std::function<void(std::size_t calls)>& run,
                                     std::size_t threads = 1);

/// The quantile of `ascending` at `share`, 0 to 1. Shape: at least one value.
double share_of(const std::vector<double>& ascending, double share);

/// Times single calls and returns the quantiles of their seconds.
Latency latency_of(const std::function<void(std::size_t calls)>& run);

}  // namespace xorloom::cli
