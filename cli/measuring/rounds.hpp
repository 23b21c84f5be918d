#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace xorloom::cli {

/// Something that is timed beside others: in each round every contender has a turn of a few
/// milliseconds, or runs once if that takes longer, so that all of them see the machine in the same
/// state.
struct Contender {
  std::string name;
  std::function<void(std::size_t calls)> run;
  std::size_t threads = 1;           ///< several take longer turns: they take time to gather
  bool begins_cold = false;          ///< else calls that are not timed come before each turn
  std::size_t calls = 1;             ///< in a turn
  std::vector<double> seconds_of{};  ///< of one call, a value a round
};

/// Runs it once and again to see how often a turn takes it. Returns seconds of a call. Several
/// threads work until each has a processor of its own: new ones may share one for some 20 ms.
double warm_up(Contender& contender);

/// A contender's turn in a round.
void take_turn(Contender& contender);

/// The middle one of its turns, in seconds of a call; 0 if it had none.
double median_seconds(const Contender& contender);

/// The middle one of that many turns that nothing else is timed beside, in seconds of a call.
double timed_alone(std::function<void(std::size_t calls)> run, bool begins_cold, std::size_t rounds,
                   std::size_t threads = 1);

/// Seconds that this thread has had a processor so far.
double thread_seconds();

/// The median of calls, by the time that this thread had a processor. A call on memory takes tens
/// of milliseconds: where other programs want the processor, they get it in that time.
double processor_seconds(const std::function<void()>& call, std::size_t calls);

/// Warms up all, and keeps the `count` fastest of a few rounds, or of one call each if they begin
/// cold.
void keep_fastest(std::vector<Contender>& contenders, std::size_t count);

/// How long single calls take.
struct Latency {
  std::size_t calls = 0;
  double p50 = 0;  ///< seconds that half of the calls take at most
  double p90 = 0;
  double p99 = 0;
  double p999 = 0;
  double most = 0;
  std::vector<double> curve{};  ///< seconds that each of latency_shares() take at most
};

/// The shares of a curve of latencies, ascending: steps of 1/100, and of 1/1000 past 99 %.
const std::vector<double>& latency_shares();

/// Times single calls: as many as some 0.25 s allow, from 1000 to 20000. Units: seconds.
std::vector<double> seconds_of_calls(const std::function<void(std::size_t calls)>& run,
                                     std::size_t threads = 1);

/// The value that a share of the ascending values do not exceed. Shape: there are some.
double share_of(const std::vector<double>& ascending, double share);

/// The same, as what half of them take at most, and so on.
Latency latency_of(const std::function<void(std::size_t calls)>& run);

}  // namespace xorloom::cli
